import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Database } from '../db/open.ts';
import type { Policy } from '../keys/policy.ts';

/** Where a command runs: its own terminal and the database it works on. */
export interface CommandContext {
  readonly database: Database;
  readonly policy: Policy;
  /** The directory that relative paths start from; '.' is that of the process. */
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether standard error is a terminal that can be redrawn. */
  readonly isTerminal: boolean;
  /** Who runs it, as the operating system names them. */
  readonly user: string;
  readonly now: () => number;
  /** Aborted when the person running it wants it to end. */
  readonly signal: AbortSignal;
}

/** The path of a file that was named relative to a directory. */
export function inDirectory(directory: string, path: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

/** Writes one line. */
export function line(stream: Writable, text = ''): void {
  stream.write(`${text}\n`);
}
