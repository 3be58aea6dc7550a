import { readFileSync } from 'node:fs';
import { loadPolicy, type Policy } from '../../access/keys/policy.ts';
import { type CommandEnvironment, requireFile } from './command.ts';

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
