import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'auth-secret';
const BYTES = 32;

/**
 * The secret that stands beside the embedded database, made at the first call; only its owner can read it.
 * A database in memory has one for as long as it lives.
 */
export function keepSecret(directory: string | undefined): string {
  const fresh = randomBytes(BYTES).toString('base64url');
  if (directory === undefined) {
    return fresh;
  }
  const path = join(directory, NAME);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, fresh, { flag: 'wx', mode: 0o600 });
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    return readFileSync(path, 'utf8').trim();
  }
}
