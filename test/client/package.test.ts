import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { root } from '../support/suites.ts';
import { installClient, PACKED, run } from './package.ts';

const directory = await installClient({ '@types': 'node_modules' });

it('has the version and the license of revgate, and the same bytes whoever packs it', async () => {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const [client, revgate] = [read('client/package.json'), read('package.json')];
  expect([client.version, client.license]).toEqual([revgate.version, revgate.license]);
  expect(gunzipSync(readFileSync(PACKED)).subarray(100, 124).toString('latin1')).toBe(
    '0000644\x000000000\x000000000\x00',
  );
  const { stdout } = await run('tar', ['tzf', PACKED]);
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
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'sample.ts'), sample);
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  await run(join(root, 'node_modules/.bin/tsc'), [...options, 'sample.ts'], { cwd: directory });
});
