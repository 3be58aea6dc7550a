import type { Writable } from 'node:stream';
import { type Command, CommanderError } from 'commander';
import { OperatorError, systemReason, UnknownError } from '../lib/errors.ts';
import { type CommandEnvironment, UsageError } from './command-line/command.ts';
import { createProgram } from './program.ts';

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
  let code = 1;
  const program = createProgram(environment);
  try {
    const line = args[0] === 'help' ? helpLine(program, args.slice(1)) : args;
    await program.parseAsync(line, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      failure = error;
      code = error instanceof UsageError ? 2 : 1;
    } else if (error.exitCode !== 0) {
      // Of a command that needs another word, commander has written the help.
      const isHelp = error.code === 'commander.help';
      const { names } = findCommand(program, args[0] === 'help' ? args.slice(1) : args);
      failure = isHelp ? undefined : new OperatorError(describeUsageError(error, names));
      code = 2;
    }
  }
  await flushed(environment.stdout);
  const errors = describeFailure(failure, environment);
  for (const text of errors) {
    stderr.write(`revgate: ${text}\n`);
  }
  // The exit code that shells use for a command ended by a signal: they end a script by it. A server is to be stopped.
  const isServer = findCommand(program, args).names[0] === 'serve';
  if (signal.reason === 'SIGINT' && !(isServer && errors.length === 0)) {
    return 130;
  }
  if (errors.length === 0) {
    return code === 2 ? 2 : 0;
  }
  return signal.reason === 'SIGTERM' ? 143 : code;
}

/** Waits until everything is written: an error of the last byte is one of the command. */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => setImmediate(resolve));
  });
}

/** The command that the first words of a command line name, those words such as `keys list`, and the words after them. */
function findCommand(program: Command, words: readonly string[]) {
  const names: string[] = [];
  let command = program;
  for (const word of words) {
    const found = command.commands.find((one) => one.name() === word);
    if (found === undefined) {
      break;
    }
    names.push(word);
    command = found;
  }
  return { command, names, others: words.slice(names.length) };
}

/**
 * The command line that shows the help of a command. Commander's own help accepts the name of one command only, and
 * ignores a name that does not exist; without --help, it is an error.
 */
function helpLine(program: Command, words: readonly string[]): string[] {
  const { command, names, others } = findCommand(program, words);
  const [unknown] = command.commands.length === 0 ? [] : others;
  return [...names, unknown ?? '--help'];
}

/** The error messages, one line each; empty after a success. */
function describeFailure(failure: unknown, { env, signal }: CommandEnvironment): readonly string[] {
  if (failure instanceof OperatorError) {
    const [, kind] =
      (failure instanceof UnknownError && /^No (key|account|token) /.exec(failure.message)) || [];
    return kind === undefined ? failure.lines : [`${failure.message} See: revgate ${kind}s list`];
  }
  if (signal.reason instanceof Error) {
    const { code } = signal.reason as NodeJS.ErrnoException;
    // A reader that stops reading is not an error.
    return code === 'EPIPE' ? [] : [`Cannot write to standard output (${systemReason(signal.reason)}).`];
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
  if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
    return 'The working directory no longer exists: change to another one with cd.';
  }
  return /^(debug|trace)$/.test(LOG_LEVEL)
    ? (error.stack ?? error.message)
    : `${error.message.trim().replace(/\s+/g, ' ') || error.name} (LOG_LEVEL=debug shows more)`;
}

/**
 * An error of the command line: what commander says, in one line, and where to read more.
 *
 * @param names those of the command that it is about.
 */
function describeUsageError({ message }: CommanderError, names: readonly string[]): string {
  const [, word = ''] = /^error: unknown (?:option|command) '(.+?)'/s.exec(message) ?? [];
  const replacement = findReplacement(names, word);
  if (replacement !== undefined) {
    return replacement;
  }
  const text = message.replace(/^error: /, '').replace(/\s+/g, ' ');
  return `${text}${/[.)]$/.test(text) ? '' : '.'} See: ${['npx revgate help', ...names].join(' ')}`;
}

/** What replaces the options and commands that were removed before the release, by the command line that had them. */
const replacements: Readonly<Record<string, string>> = {
  'import --errors':
    'import --errors was removed: import prints the first 100 errors, and --skip-invalid writes each rejected record with its errors to a file.',
  'import --category-map':
    'import --category-map was removed: use --value "category:TEXT=VALUE", or "values" in the file of --mapping.',
  completion: 'completion was removed: revgate help lists all commands, and help COMMAND their options.',
  'embed-script': 'embed-script was removed: download /embed.js from the server.',
  mcp: 'mcp was removed: connect agents to /mcp of the server, or with npx mcp-remote where they start programs only.',
  'documents publish --tool':
    '--tool was removed: agents have the tools of the server, and any document runs at /graphql.',
  'documents offer':
    'documents offer was removed: give a document a feed by publishing it again with --feed.',
  'documents withdraw':
    'documents withdraw was removed: end a feed by publishing the document again with --no-feed.',
};

/** @param names of the command that did not know the word. */
function findReplacement(names: readonly string[], word: string): string | undefined {
  const line = [...names, word.replace(/=.*/s, '')].join(' ');
  return Object.hasOwn(replacements, line) ? replacements[line] : undefined;
}
