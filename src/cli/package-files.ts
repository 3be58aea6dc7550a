import { readFileSync } from 'node:fs';
import { loadPolicy, type Policy } from '../keys/policy.ts';

const ROOT = new URL('../../', import.meta.url);

/** The acceptable-use policy of this package. */
export function readPolicy(): Policy {
  return loadPolicy(readFileSync(new URL('docs/policy.md', ROOT), 'utf8'));
}
