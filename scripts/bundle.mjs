// Puts the packages into dist that npm 10 cannot install: `npm install -g` fails at the peers of better-auth, which are
// optional and exclude one another. They are development dependencies, and what dist imports of them is replaced by files
// in dist/bundled, beside the licenses of all that is in these.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const BUNDLED = ['better-auth'];

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');
const target = join(dist, 'bundled');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const dependencies = Object.keys(readJson(join(root, 'package.json')).dependencies);

const IMPORT = new RegExp(
  `(?<=\\bfrom |\\bimport |\\bimport\\()'((?:${BUNDLED.join('|')})(?:/[^']+)?)'`,
  'g',
);

/** The files of dist that import what is bundled, and what that is. */
const importing = readdirSync(dist, { recursive: true })
  .filter((path) => path.endsWith('.js'))
  .map((path) => ({ path: join(dist, path), text: readFileSync(join(dist, path), 'utf8') }))
  .filter(({ text }) => text.search(IMPORT) !== -1);
const imported = new Set(importing.flatMap(({ text }) => [...text.matchAll(IMPORT)].map(([, id]) => id)));
if (imported.size === 0) {
  throw new Error('dist imports nothing that is to be bundled: run npm run build, which makes it anew.');
}

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries([...imported].map((id) => [id, id])),
  platform: 'node',
  // What is installed beside dist is not repeated.
  external: (id) => isBuiltin(id) || dependencies.some((name) => id === name || id.startsWith(`${name}/`)),
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: target,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
});
await bundle.close();

for (const { path, text } of importing) {
  const folder = relative(dirname(path), target);
  writeFileSync(
    path,
    text.replace(IMPORT, (_, id) => `'${folder}/${id}.js'`),
  );
}

/** The directory of the package to which a module belongs. */
function packageOf(path) {
  const directory = dirname(path);
  const manifest = join(directory, 'package.json');
  // Others only say how their folder is to be read.
  return existsSync(manifest) && readJson(manifest).version !== undefined ? directory : packageOf(directory);
}

const modules = output.flatMap(({ moduleIds = [] }) => moduleIds).filter((id) => existsSync(id));
const packages = [...new Set(modules.map(packageOf))].sort();
const licenses = packages.map((directory) => {
  const { name, version, license, author } = readJson(join(directory, 'package.json'));
  if (license === undefined) {
    throw new Error(`${name} ${version} has no license, so it cannot be bundled.`);
  }
  const file = readdirSync(directory).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? `By ${author}.` : readFileSync(join(directory, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
});
writeFileSync(join(target, 'LICENSES.txt'), licenses.join(`\n${'-'.repeat(80)}\n\n`));
