import { readFileSync } from 'node:fs';
import { loadPolicy, type Policy } from '../keys/policy.ts';

const ROOT = new URL('../../', import.meta.url);

/** The version of this package. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  return version;
}

/** The acceptable-use policy of this package. */
export function readPolicy(): Policy {
  return loadPolicy(readFileSync(new URL('docs/policy.md', ROOT), 'utf8'));
}
