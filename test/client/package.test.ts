import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { testDirectory } from '../main/commands/process.ts';
import { root } from '../support/suites.ts';

const run = promisify(execFile);

/** A directory in which npm has installed the package that the gateway serves. */
async function install(): Promise<string> {
  const directory = testDirectory();
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(directory, 'node_modules/revgate-client'), { recursive: true });
  symlinkSync(join(root, 'node_modules/@types'), join(directory, 'node_modules/@types'));
  // What npm does with it.
  const target = join(directory, 'node_modules/revgate-client');
  await run('tar', ['xzf', join(root, 'dist/revgate-client.tgz'), '--strip-components=1', '-C', target]);
  return directory;
}

const directory = await install();

it('has the version and the license of revgate, and the same bytes whoever packs it', async () => {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const [client, revgate] = [read('client/package.json'), read('package.json')];
  expect([client.version, client.license]).toEqual([revgate.version, revgate.license]);
  const packed = readFileSync(join(root, 'dist/revgate-client.tgz'));
  expect(gunzipSync(packed).subarray(100, 124).toString('latin1')).toBe('0000644\x000000000\x000000000\x00');
  const { stdout } = await run('tar', ['tzf', join(root, 'dist/revgate-client.tgz')]);
  expect(stdout.trim().split('\n')).toEqual(
    expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/index.js']),
  );
});

it('is loaded by require and by import', async () => {
  const required = createRequire(join(directory, 'any.cjs'))('revgate-client');
  expect(() => required.createClient({})).toThrow(required.RevgateError);
  const script = 'import { createClient } from "revgate-client"; console.log(typeof createClient)';
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: directory });
  expect(stdout).toBe('function\n');
});

it('the first sample of its README passes tsc --strict', async () => {
  const text = readFileSync(join(root, 'client/README.md'), 'utf8');
  const [, sample = ''] = /```ts\n(import \{ createClient \}[^`]*)```/.exec(text) ?? [];
  writeFileSync(join(directory, 'sample.ts'), sample);
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  await run(join(root, 'node_modules/.bin/tsc'), [...options, 'sample.ts'], { cwd: directory });
});
