import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testDirectory } from '../main/commands/process.ts';
import { root } from '../support/suites.ts';

export const run = promisify(execFile);

/** The package that the gateway serves. */
export const PACKED = join(root, 'dist/revgate-client.tgz');

/** A directory with that package, as npm installs it, and packages of others: where they are, by their names. */
export async function installClient(others: Readonly<Record<string, string>>): Promise<string> {
  const directory = testDirectory();
  const target = join(directory, 'node_modules/revgate-client');
  mkdirSync(target, { recursive: true });
  await run('tar', ['xzf', PACKED, '--strip-components=1', '-C', target]);
  for (const [name, from] of Object.entries(others)) {
    symlinkSync(join(root, from, name), join(directory, 'node_modules', name));
  }
  return directory;
}
