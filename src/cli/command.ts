import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ActContext } from '../audit/act.ts';
import type { Database } from '../db/open.ts';
import type { Policy } from '../keys/policy.ts';

/** The process-wide values that a command uses. */
export interface CommandSurroundings {
  /** The directory that relative paths start from; '.' is that of the process. */
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether standard error is a terminal that can be redrawn. */
  readonly isTerminal: boolean;
  /** Whether a question can be answered: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** The width of standard output; undefined if it is not a terminal. */
  readonly columns: number | undefined;
  /** Who runs it: the name of the operating system's user. */
  readonly user: string;
  readonly now: () => number;
  /**
   * Aborted when the command is to end by itself. The reason is the name of a signal, or the error of standard output.
   */
  readonly signal: AbortSignal;
}

/** The environment of a command that works on the database. */
export interface CommandContext extends CommandSurroundings {
  readonly database: Database;
  readonly policy: Policy;
}

/** The user who runs a command is the actor. */
export function actContext({ database, now, user }: CommandContext): ActContext {
  return { prisma: database.prisma, now, actor: user };
}

/** The path of a file that was named relative to a directory. */
export function inDirectory(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

/** Writes one line. */
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
export function hasColors(
  isTerminal: boolean,
  { NO_COLOR, TERM }: { readonly [name: string]: string | undefined },
): boolean {
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}
