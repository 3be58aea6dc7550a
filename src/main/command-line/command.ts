import { once } from 'node:events';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import type { ActionContext } from '../../access/audit/audit-log.ts';
import { loadPolicy, type Policy } from '../../access/keys/policy.ts';
import type { Database } from '../../db/open.ts';
import { cannotRead, isDirectory, OperatorError } from '../../lib/errors.ts';
import type { Schedule } from '../../lib/loop/schedule.ts';
import type { Config } from '../settings/config.ts';
import type { Kind } from '../settings/kinds.ts';

export const CREATE_KEY = 'npx revgate keys create --name NAME --tier standard --accept-policy';

export interface CommandEnvironment {
  readonly env: { readonly [name: string]: string | undefined };
  /** The directory that relative paths start from; '.' is that of the process. */
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether nobody can read standard output: it is closed, or is /dev/null. */
  readonly isDiscarded: boolean;
  /** Whether a question can be answered: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  readonly columns: number | undefined;
  readonly errorColumns: number | undefined;
  /** Who runs it: the name of the operating system's user. */
  readonly user: string;
  readonly now: () => number;
  /** How a server schedules repeated work; by the timers of this process by default. */
  readonly schedule?: Schedule | undefined;
  /** ms of the monotonic clock of a server; that of this process by default. */
  readonly monotonic?: (() => number) | undefined;
  /** How many startups the sample has that a first start loads, which may be none; 500 by default. */
  readonly sampleCount?: number | undefined;
  /**
   * Aborted when the command is to end by itself. The reason is the name of a signal, or the error of standard output.
   */
  readonly signal: AbortSignal;
}

/** The environment of a command that works on the database. Its actor is the user who runs it. */
export interface CommandContext extends CommandEnvironment, ActionContext {
  readonly database: Database;
  readonly config: Config;
  readonly historyDays: number;
}

export interface JsonOption {
  json?: true;
}

/** The result of a command: what it prints as JSON, and for people. */
export type Result = readonly [value: unknown, text: string];

/** An option or argument with a value that is not allowed: an invalid command line, whose exit code is 2. */
export class UsageError extends OperatorError {}

/**
 * Checks values of the command line.
 *
 * @throws UsageError in place of an OperatorError.
 */
export function checkUsage(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw error instanceof OperatorError ? new UsageError(...error.lines) : error;
  }
}

export function inDirectory(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

/**
 * Finds a file to be read. Call it before the database is opened, which may create one.
 *
 * @throws OperatorError if the file is missing, is a directory, or may not be read.
 */
export function requireFile({ cwd }: Pick<CommandEnvironment, 'cwd'>, file: string) {
  const path = inDirectory(cwd, file);
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      throw isDirectory(file);
    }
    accessSync(path, constants.R_OK);
    return { path, stats };
  } catch (error) {
    throw error instanceof OperatorError ? error : cannotRead(file, error);
  }
}

const ROOT = new URL('../../../', import.meta.url);

/**
 * The acceptable-use policy: that of POLICY_FILE, or else of this package.
 *
 * @throws OperatorError if the file cannot be read, or has no version.
 */
export function readPolicy(environment: Pick<CommandEnvironment, 'env' | 'cwd'>): Required<Policy> {
  const file = environment.env.POLICY_FILE;
  return file
    ? loadPolicy(readFileSync(requireFile(environment, file).path, 'utf8'), file)
    : loadPolicy(readFileSync(new URL('docs/policy.md', ROOT), 'utf8'));
}

export function line(stream: Writable, text = ''): void {
  stream.write(`${text}\n`);
}

/** Writes one JSON document. Names that REST also has are the same, and are stable. */
export function printJson(stream: Writable, value: unknown): void {
  line(stream, JSON.stringify(value));
}

/**
 * Writes one line, and waits until that is done.
 *
 * @throws what the stream reports, such as EPIPE if the reader has gone.
 */
export function writeLine(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether a stream may be coloured: a terminal, unless its user disabled colours (https://no-color.org). */
export function mayColor(isTerminal: boolean, { NO_COLOR, TERM }: CommandEnvironment['env']): boolean {
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}

/** How an option is read whose value is of a kind that settings may have too. */
export function readAs<Value>({ allowed, parse }: Kind<Value>): (text: string) => Value {
  return (text) => {
    const value = parse(text);
    if (value === undefined) {
      throw new InvalidArgumentError(`Allowed: ${allowed}.`);
    }
    return value;
  };
}

/**
 * Asks a user on a terminal for confirmation, unless `yes` gives it. Only `y` or `yes` confirms: neither the end of the input nor a stop does.
 *
 * @param question ends with a question mark.
 * @throws OperatorError with a message for a user who does not confirm.
 */
export async function requireConfirmation(
  { stdin, stderr, signal, isInteractive }: CommandEnvironment,
  yes: true | undefined,
  question: string,
  ifRefused: string,
): Promise<void> {
  if (yes === true || !isInteractive) {
    return;
  }
  // With terminal: true, readline would read Ctrl-C as a key, and there would be no signal.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = once(lines, 'close').then(() => undefined);
  const answer = await Promise.race([
    lines.question(`${question} [y/N] `, { signal }).catch(() => undefined),
    ended,
  ]);
  if (answer === undefined) {
    stderr.write('\n');
  }
  lines.close();
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) {
    throw new OperatorError(ifRefused);
  }
}
