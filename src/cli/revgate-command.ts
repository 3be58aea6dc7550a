import { Command } from 'commander';
import { type SettingName, settings } from '../config/settings.ts';
import type { CommandContext, CommandSurroundings } from './command.ts';
import { examples } from './help.ts';

type Action<Args extends unknown[]> = (context: CommandContext, ...args: Args) => Promise<void>;

interface DatabaseOptions<Args extends unknown[]> {
  /** Whether a database that does not exist is created. */
  readonly mayCreate?: true;
  /** Throws if the command line is invalid: run before a database is opened or created. */
  readonly check?: (context: CommandSurroundings & Pick<CommandContext, 'policy'>, ...args: Args) => void;
}

/** Turns an action on the database of the environment into one of commander. */
export type OnDatabase = <Args extends unknown[]>(
  run: Action<Args>,
  options: DatabaseOptions<Args>,
) => (...args: Args) => Promise<void>;

/** A command of the program, with what commands have in common. */
export class RevgateCommand extends Command {
  readonly environment: CommandSurroundings;
  readonly #onDatabase: OnDatabase;

  constructor(name: string | undefined, environment: CommandSurroundings, onDatabase: OnDatabase) {
    super(name);
    this.environment = environment;
    this.#onDatabase = onDatabase;
  }

  override createCommand(name?: string): RevgateCommand {
    return new RevgateCommand(name, this.environment, this.#onDatabase);
  }

  /** Ends the help with command lines. */
  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', examples(lines));
  }

  /** Adds the option of all commands that need the database. */
  dataDirectory(): this {
    return this.option('--data-dir <directory>', overrides('DATA_DIR'));
  }

  /** Runs on the database of the environment, and prints its result as JSON if that is asked for. */
  onDatabase<Args extends unknown[]>(
    result: 'one JSON object' | 'a JSON array',
    run: Action<Args>,
    options: DatabaseOptions<Args> = {},
  ): this {
    return this.option('--json', `print ${result}`).dataDirectory().action(this.#onDatabase(run, options));
  }
}

/** The help of an option that takes precedence over a setting. */
export function overrides(name: SettingName): string {
  return `${settings[name].summary}; overrides ${name} (default: ${settings[name].fallback})`;
}
