import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
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
  /** Aborted when the command is to end by itself. */
  readonly signal: AbortSignal;
}

/** Where a command runs that works on the database. */
export interface CommandContext extends CommandSurroundings {
  readonly database: Database;
  readonly policy: Policy;
}

/** The path of a file that was named relative to a directory. */
export function inDirectory(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

/** Writes one line. */
export function line(stream: Writable, text = ''): void {
  stream.write(`${text}\n`);
}

/** Whether a stream may be coloured: a terminal, unless its user wants none (https://no-color.org). */
export function hasColors(
  isTerminal: boolean,
  { NO_COLOR, TERM }: { readonly [name: string]: string | undefined },
): boolean {
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}
