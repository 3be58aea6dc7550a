import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testDirectory } from '../cli/process.ts';
import { root } from '../support/suites.ts';

const run = promisify(execFile);

// What programs compile whose settings are older than ES modules.
it.each([
  ['node10', 'commonjs', '--module commonjs --moduleResolution node10'],
  ['node16', 'commonjs', '--module node16'],
  ['node16', 'module', '--module node16'],
  ['bundler', 'module', '--module esnext --moduleResolution bundler'],
])('TypeScript 5 finds the types of the client as %s in a %s package', async (_name, type, options) => {
  const directory = testDirectory();
  const target = join(directory, 'node_modules/revgate-client');
  mkdirSync(target, { recursive: true });
  await run('tar', ['xzf', join(root, 'dist/revgate-client.tgz'), '--strip-components=1', '-C', target]);
  symlinkSync(join(root, 'node_modules/@types'), join(directory, 'node_modules/@types'));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type }));
  const program = `import { createClient, type Market } from 'revgate-client';
export const market = (): Promise<Market> => createClient({ url: '', key: process.env.KEY }).market();
// @ts-expect-error
createClient({ url: 1, key: '' });
`;
  writeFileSync(join(directory, 'program.ts'), program);
  const compiler = join(root, 'test/clients/node_modules/typescript/bin/tsc');
  const words = `${compiler} --strict --noEmit --target es2022 --types node ${options} program.ts`.split(' ');
  const failed = run(process.execPath, words, { cwd: directory }).catch(({ stdout }) => stdout);
  expect(await failed).toMatchObject({ stdout: '' });
});
