import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';

const NAME = 'auth-secret';
const BYTES = 32;
/** What {@link keepSecret} writes, and what an operator may write in its place. */
const SECRET = /^[!-~]{32,256}$/;

/**
 * The secret stored beside the embedded database, created at the first call; only its owner can read it.
 * For a database in memory, it lasts as long as the database.
 *
 * @throws OperatorError if the file contains no valid secret.
 */
export function keepSecret(directory: string | undefined): string {
  const fresh = randomBytes(BYTES).toString('base64url');
  if (directory === undefined) {
    return fresh;
  }
  const path = join(directory, NAME);
  let secret: string;
  try {
    if (!existsSync(path)) {
      mkdirSync(directory, { recursive: true });
      writeWhole(path, fresh);
    }
    secret = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(
      `Cannot read or write ${path} (${(error as NodeJS.ErrnoException).code}), which signs the cookies of the dashboard: make it readable, or set AUTH_SECRET.`,
    );
  }
  if (!SECRET.test(secret)) {
    throw new OperatorError(
      `${path} must hold 32 to 256 letters, digits and signs without spaces, but does not: restore it, or remove it: a new one is then generated, and everybody is signed out.`,
    );
  }
  return secret;
}

/** Creates a file atomically, unless it exists. */
function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.new`;
  const fd = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
    linkSync(unfinished, path);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    closeSync(fd);
    rmSync(unfinished, { force: true });
  }
}
