import { type Command, CommanderError } from 'commander';
import { OperatorError } from '../errors.ts';
import { type CommandEnvironment, createProgram } from './program.ts';

/**
 * Runs a command line to its end, such as `['keys', 'list']`. It reads and changes nothing of the process,
 * so that several may run in one.
 *
 * @returns the exit code, as `revgate --help` lists them. Errors have been written to standard error, one line each.
 */
export async function runCommandLine(
  args: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { stderr, signal } = environment;
  let failure: unknown;
  try {
    const program = createProgram(environment);
    const line = args[0] === 'help' ? helpLine(program, args.slice(1)) : args;
    await program.parseAsync(line, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already written the error, or the requested output, such as that of --help.
      return error.exitCode === 0 ? 0 : 2;
    }
    failure = error;
  }
  const errors = describeFailure(failure, environment);
  for (const text of errors) {
    stderr.write(`revgate: ${text}\n`);
  }
  // The exit code that shells use for a command ended by a signal: they end a script by it.
  if (signal.reason === 'SIGINT') {
    return 130;
  }
  return errors.length === 0 ? 0 : signal.reason === 'SIGTERM' ? 143 : 1;
}

/**
 * The command line that shows the help of a command. Commander's own help accepts the name of one command only, and
 * ignores a name that does not exist; without --help, it is an error.
 */
function helpLine(program: Command, names: readonly string[]): string[] {
  let command = program;
  const line: string[] = [];
  for (const name of names) {
    if (command.commands.length === 0) {
      break;
    }
    line.push(name);
    const found = command.commands.find((one) => one.name() === name);
    if (found === undefined) {
      return line;
    }
    command = found;
  }
  return [...line, '--help'];
}

/** The error messages, one line each; empty after a success. */
function describeFailure(failure: unknown, { env, signal }: CommandEnvironment): readonly string[] {
  if (failure instanceof OperatorError) {
    return failure.lines;
  }
  if (signal.reason instanceof Error) {
    const { code } = signal.reason as NodeJS.ErrnoException;
    // A reader that stops reading is not an error.
    return code === 'EPIPE' ? [] : [`Cannot write to standard output (${code}).`];
  }
  if (failure === undefined) {
    return [];
  }
  return [signal.aborted ? 'Stopped.' : describeUnexpected(failure, env)];
}

/** An unexpected error: one line like any other, with its stack if LOG_LEVEL asks for details. */
function describeUnexpected(error: unknown, { LOG_LEVEL = '' }: CommandEnvironment['env']): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return /^(debug|trace)$/.test(LOG_LEVEL)
    ? (error.stack ?? error.message)
    : `${error.message.trim().replace(/\s+/g, ' ') || error.name} (LOG_LEVEL=debug shows more)`;
}
