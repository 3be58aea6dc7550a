import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDirectory } from '../main/commands/process.ts';

const clients = fileURLToPath(new URL('node_modules', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const run = promisify(execFile);

const CONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    typeRoots: [join(modules, '@types')],
    types: ['node'],
    skipLibCheck: true,
    outDir: 'out',
    rootDir: '.',
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
  },
};

/**
 * A TypeScript program of somebody else's, in a directory of its own: what it prints is its result.
 *
 * @param packages where it finds packages, below those of all clients.
 */
export async function openProgram(
  files: Record<string, string>,
  compilerOptions: object = {},
  packages = '',
) {
  const directory = testDirectory();
  const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  await symlink(join(clients, packages), join(directory, 'node_modules'));
  await write('package.json', '{ "type": "module" }');
  const options = { ...CONFIG.compilerOptions, ...compilerOptions };
  await write('tsconfig.json', JSON.stringify({ compilerOptions: options }));
  for (const [name, text] of Object.entries(files)) {
    await write(name, text);
  }
  return {
    directory,
    write,
    /** Runs a tool of a package, such as `oazapfts/dist/cli.js`. */
    tool: (path: string, ...args: string[]) =>
      run(process.execPath, [join(clients, path), ...args], { cwd: directory }),
    /** Checks its types and compiles it; gives what the compiler complains of. */
    compile: async (): Promise<string> =>
      run(join(modules, '.bin/tsc'), ['--pretty', 'false'], { cwd: directory }).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      ),
    /** Runs a compiled file, and reads what it prints as JSON. */
    run: async (file: string, env: Record<string, string>): Promise<unknown> =>
      JSON.parse((await run(process.execPath, [join('out', file)], { cwd: directory, env })).stdout),
  };
}
