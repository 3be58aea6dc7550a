import { Command, type OptionValues } from 'commander';
import { OperatorError } from '../../lib/errors.ts';
import { type Config, findMisspelt, readConfig } from '../settings/config.ts';
import { type SettingName, settings } from '../settings/settings.ts';

import {
  type CommandContext,
  type CommandEnvironment,
  type JsonOption,
  line,
  type Result,
} from './command.ts';
import { describeNew, type IfMissing, locate, openForCommand } from './database.ts';
import { type ListFormat, printList } from './table.ts';

interface DatabaseOptions<Args extends unknown[]> {
  /** What to do about a database that does not exist; to fail by default. */
  readonly ifMissing?: IfMissing | ((...args: Args) => IfMissing);
  /** Whether it migrates the tables of an older version, which may be using them; by default, it fails. */
  readonly mayMigrate?: boolean;
  /** Throws if the command line is invalid: run before a database is opened or created. */
  readonly check?: (environment: CommandEnvironment, ...args: Args) => void;
  /** Whether the command uses `prisma`, which takes longer to load than all else; true by default. */
  readonly needsPrisma?: boolean;
  /** What runs instead, for a command line that needs no database. */
  readonly without?: (
    environment: CommandEnvironment,
    ...args: Args
  ) => Promise<(() => Promise<void>) | undefined>;
}

/** A command of the program, with what commands have in common. */
export class RevgateCommand extends Command {
  readonly environment: CommandEnvironment;

  constructor(name: string | undefined, environment: CommandEnvironment) {
    super(name);
    this.environment = environment;
  }

  override createCommand(name?: string): RevgateCommand {
    return new RevgateCommand(name, this.environment);
  }

  /** Ends the help with command lines as they work in a clone and in a project, where `revgate` alone is not found. */
  examples(...lines: readonly string[]): this {
    const texts = lines.map((text) => `  ${text.replace(/(?<![\w/])revgate (?=[a-z])/g, 'npx revgate ')}`);
    const heading = lines.length === 1 ? 'Example:' : 'Examples:';
    return this.addHelpText('after', ['', heading, ...texts].join('\n'));
  }

  dataDirectory(): this {
    return this.option('--data-dir <directory>', overrides('DATA_DIR'));
  }

  /** The settings of the environment, with those that the options of this command set. */
  settings(): CommandEnvironment['env'] {
    const { env } = this.environment;
    const { port, host, dataDir } = this.opts<{ port?: number; host?: string; dataDir?: string }>();
    if (dataDir !== undefined && env.DATABASE_URL) {
      throw new OperatorError(
        '--data-dir is for the embedded database, but DATABASE_URL is set: use only one of them.',
      );
    }
    return {
      ...env,
      PORT: port?.toString() ?? env.PORT,
      HOST: host ?? env.HOST,
      DATA_DIR: dataDir ?? env.DATA_DIR,
    };
  }

  /** Reads the settings, and warns of variables that seem to be misspelt. */
  config(): Config {
    const env = this.settings();
    for (const text of findMisspelt(env)) {
      line(this.environment.stderr, `Warning: ${text}`);
    }
    return readConfig(env);
  }

  prints<Args extends unknown[]>(
    run: (context: CommandContext, ...args: Args) => Promise<Result>,
    options: DatabaseOptions<Args> = {},
  ): this {
    const print = async (context: CommandContext, ...args: Args): Promise<void> => {
      const [value, text] = await run(context, ...args);
      line(context.stdout, this.isJson ? JSON.stringify(value) : text);
    };
    return this.onDatabase('one JSON object', print, options);
  }

  lists<Item, Options extends OptionValues>(
    read: (context: CommandContext, options: Options) => Promise<readonly Item[]>,
    format: ListFormat<Item>,
    options?: DatabaseOptions<[]>,
  ): this {
    const print = async (context: CommandContext): Promise<void> =>
      printList(context, this.isJson, await read(context, this.opts()), format);
    return this.onDatabase('a JSON array', print, options);
  }

  private get isJson(): boolean {
    return this.opts<JsonOption>().json === true;
  }

  /** Runs on the database of the settings. It prints its result itself, as JSON if that is asked for. */
  onDatabase<Args extends unknown[]>(
    result: 'one JSON object' | 'a JSON array',
    run: (context: CommandContext, ...args: Args) => Promise<void>,
    { ifMissing = 'fail', mayMigrate = false, check, without, needsPrisma }: DatabaseOptions<Args> = {},
  ): this {
    return this.option('--json', `print ${result}`)
      .dataDirectory()
      .action(async (...args: Args) => {
        const { environment } = this;
        const instead = await without?.(environment, ...args);
        if (instead !== undefined) {
          return instead();
        }
        check?.(environment, ...args);
        const config = this.config();
        const { database: configured, historyDays } = config;
        const location = locate(configured, environment.cwd);
        const database = await openForCommand(environment, location, {
          ifMissing: typeof ifMissing === 'string' ? ifMissing : ifMissing(...args),
          mayMigrate,
          needsPrisma,
        });
        try {
          const { prisma } = database;
          await run(
            { ...environment, config, database, historyDays, prisma, actor: environment.user },
            ...args,
          );
          if (database.isNew) {
            line(environment.stderr, describeNew(location));
          }
        } catch (error) {
          // After what is wrong: it does not mean that the command did anything.
          throw database.isNew && error instanceof OperatorError
            ? new OperatorError(...error.lines, describeNew(location))
            : error;
        } finally {
          await database.close();
        }
      });
  }
}

/** The help of an option that takes precedence over a setting. */
export function overrides(name: SettingName): string {
  return `${settings[name].summary}; overrides ${name} (default: ${settings[name].fallback})`;
}
