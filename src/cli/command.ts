import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ActContext } from '../audit/act.ts';
import type { Database } from '../db/open.ts';
import type { Policy } from '../keys/policy.ts';

/** What a command would otherwise take from its process. */
export interface CommandSurroundings {
  /** The directory that relative paths start from; '.' is that of the process. */
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether standard error is a terminal that can be redrawn. */
  readonly isTerminal: boolean;
  /** Whether somebody can answer a question: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** The width of standard output; undefined where it is no terminal. */
  readonly columns: number | undefined;
  /** Who runs it, as the operating system names them. */
  readonly user: string;
  readonly now: () => number;
  /**
   * Aborted when the command is to end by itself. The reason is the name of a signal, or the error of standard output.
   */
  readonly signal: AbortSignal;
}

/** Where a command runs that works on the database. */
export interface CommandContext extends CommandSurroundings {
  readonly database: Database;
  readonly policy: Policy;
}

/** Whoever runs a command is who acts. */
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

/** Writes one JSON document. Names in it are those of REST where REST has them, and stay as they are. */
export function printJson(stream: Writable, value: unknown): void {
  line(stream, JSON.stringify(value));
}

/**
 * Writes one line, and waits until that is done.
 *
 * @throws what the stream reports, such as EPIPE where nobody reads any more.
 */
export function writeLine(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether a stream may be coloured: a terminal, unless its user wants none (https://no-color.org). */
export function hasColors(
  isTerminal: boolean,
  { NO_COLOR, TERM }: { readonly [name: string]: string | undefined },
): boolean {
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}
