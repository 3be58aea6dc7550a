import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installClient, run } from '../client/package.ts';
import { root } from '../support/suites.ts';

const compiler = join(root, 'test/clients/node_modules/typescript/bin/tsc');

/** Compiles a program. Its errors are in the output. */
function compile(directory: string, options: string): Promise<unknown> {
  const words = `${compiler} --strict --noEmit --target es2022 ${options}`.split(' ');
  return run(process.execPath, words, { cwd: directory }).catch(({ stdout }) => stdout);
}

// What programs compile whose settings are older than ES modules.
it.each([
  ['node10', 'commonjs', '--module commonjs --moduleResolution node10'],
  ['node16', 'commonjs', '--module node16'],
  ['node16', 'module', '--module node16'],
  ['bundler', 'module', '--module esnext --moduleResolution bundler'],
])('TypeScript 5 finds the types of the client as %s in a %s package', async (_name, type, options) => {
  const directory = await installClient({ '@types': 'node_modules' });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type }));
  const program = `import { createClient, type Market } from 'revgate-client';
export const market = (): Promise<Market> => createClient({ url: '', key: process.env.KEY }).market();
// @ts-expect-error
createClient({ url: 1, key: '' });
`;
  writeFileSync(join(directory, 'program.ts'), program);
  expect(await compile(directory, `--types node ${options} program.ts`)).toMatchObject({ stdout: '' });
});

it.each([
  ['react', '@types'],
  ['preact', 'preact'],
])('TypeScript knows the elements of web pages in JSX of %s', async (framework, needed) => {
  const directory = await installClient({ [needed]: 'test/clients/node_modules' });
  const program = `export const shown = <revgate-list embed-key="rvg_pub_" document="sha256:" columns="name" rows={5} id="a" theme="dark" />;
// @ts-expect-error
export const other = <revgate-chart theme="red" />;
`;
  writeFileSync(join(directory, 'program.tsx'), program);
  const options = `--types revgate-client/${framework} --jsx react-jsx --jsxImportSource ${framework} --module esnext --moduleResolution bundler`;
  expect(await compile(directory, `${options} program.tsx`)).toMatchObject({ stdout: '' });
});
