import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError, systemReason } from '../lib/errors.ts';
import { createOutputFile } from '../lib/files/output-file.ts';

const NAME = 'auth-secret';
const BYTES = 32;
/** What {@link keepSecret} writes, and what an operator may write in its place. */
const SECRET = /^[!-~]{32,256}$/;

/**
 * The secret stored beside the embedded database, which this process holds. It is created at the first call; only its
 * owner can read it.
 * For a database in memory, it lasts as long as the database.
 *
 * @throws OperatorError if the file contains no valid secret.
 */
export async function keepSecret(directory: string | undefined): Promise<string> {
  const fresh = randomBytes(BYTES).toString('base64url');
  if (directory === undefined) {
    return fresh;
  }
  const path = join(directory, NAME);
  let secret: string;
  try {
    if (!existsSync(path)) {
      mkdirSync(directory, { recursive: true });
      const file = await createOutputFile(path, { mode: 0o600, replace: false });
      await file.write(fresh);
      await file.publish();
    }
    secret = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof OperatorError ? error.message : systemReason(error);
    throw new OperatorError(
      `Cannot read or write ${path} (${reason}), which signs the cookies of the dashboard: make it readable, or set AUTH_SECRET.`,
    );
  }
  if (!SECRET.test(secret)) {
    throw new OperatorError(
      `${path} must hold 32 to 256 letters, digits and signs without spaces, but does not: restore it, or ` +
        'remove it: a new one is then generated, and everybody is signed out.',
    );
  }
  return secret;
}
