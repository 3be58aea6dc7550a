import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** The rooms of src, from the top: what a room imports lies in one below it. */
const rooms = ['main', 'web', 'api', 'access', 'startups', 'db', 'lib'];
/** Who may import what is not ours. */
const owners: [RegExp, string][] = [
  [/^graphql($|\/)|^graphql-(yoga|jit)|^@graphql-|^@pothos\//, '(api/(graphql|rest)|web/docs)'],
  [/^@modelcontextprotocol\//, 'api/mcp'],
  [/^graphql-rate-limit|^ioredis/, 'access/limits'],
  [/^node:http2?$|^node:https$/, '(lib/http|main)'],
  // The API's own path stays free of it.
  [/^hono($|\/)/, '(web|lib/mail|lib/http/header-values|access/accounts/sign-in)'],
  [/^better-auth/, 'access/accounts/sign-in'],
  [/^nodemailer/, 'lib/mail'],
  [/^commander|^pino/, 'main'],
  [/^@electric-sql\/|^@prisma\//, 'db'],
  [/^pg(-|$)/, '(db|startups|access)'],
];
/** Samples in the documentation are programs of their own. */
const samples = ['web/shared/code-samples.ts', 'web/docs/generated.ts'];

/** The texts of the programs in a folder, without their packages. */
const sourcesIn = (folder: URL): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith(join('db', 'generated')))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

/** `from 'x'`, `import 'x'` and `import('x')`: types too, since they tie files together as much. */
const IMPORTED = /^(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm;
const EXPORTED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
const imports = files.flatMap(({ file, text }) =>
  [...text.matchAll(IMPORTED)].map((found) => {
    const specifier = found[1] ?? found[2] ?? found[3] ?? '';
    const isOurs = specifier.startsWith('.');
    const path = isOurs ? relative(SRC, normalize(join(SRC, dirname(file), specifier))) : specifier;
    return { file, path, isOurs };
  }),
);
const ours = imports.filter(({ isOurs }) => isOurs);

/**
 * The layers of web, from the top: what opens it, the table of pages, the folders of pages, and what carries them. A file
 * imports its own folder and the layers below it, so that no folder of pages imports another.
 */
const layersOfWeb: readonly RegExp[] = [
  /^web(?=\/[^/]+$)/,
  /^web\/dashboard(?=\/[^/]+$)/,
  /^web\/(site|docs|dashboard\/[^/]+)(?=\/)/,
  /^web\/parts\/[^/]+(?=\/)/,
  /^web\/page(?=\/)/,
  /^web\/shared(?=\/)/,
];
const layerOf = (path: string): number => layersOfWeb.findIndex((layer) => layer.test(path));
const folderInWeb = (path: string): string | undefined => layersOfWeb[layerOf(path)]?.exec(path)?.[0];
const IMPORT = 'startups/import/';
/**
 * The stages of an import, in their order, with what each may import of the others and of the files beside them: bytes
 * become rows, rows with answers columns, columns values and records. Columns and values share the notations.
 */
const stages: Readonly<Record<string, readonly string[]>> = {
  rows: [],
  notation: [],
  columns: ['rows', 'notation'],
  values: ['rows', 'notation', 'columns', 'staging.ts', 'plan.ts'],
};
const MOST_LEVELS = 6;
/** The folders and files of an import, each with those that it imports. */
const parts = (() => {
  const partOf = (path: string): string => path.slice(IMPORT.length).split('/')[0] ?? '';
  const found = new Map<string, Set<string>>();
  for (const { file, path } of ours.filter((one) => one.file.startsWith(IMPORT))) {
    const targets = found.get(partOf(file)) ?? new Set();
    found.set(partOf(file), targets);
    if (path.startsWith(IMPORT) && partOf(path) !== partOf(file)) {
      targets.add(partOf(path));
    }
  }
  return found;
})();

const roomOf = (path: string): string => path.split('/')[0] ?? '';
/** The folder of a room; "." for its own files. */
const folderOf = (path: string): string => (path.split('/').length > 2 ? (path.split('/')[1] ?? '') : '.');
const isAllowed = (file: string, path: string): boolean => {
  const [from, to] = [roomOf(file), roomOf(path)];
  return from === to
    ? folderOf(file) === folderOf(path) || beside(from).includes(`${folderOf(file)} > ${folderOf(path)}`)
    : rooms.indexOf(from) < rooms.indexOf(to) && !(from === 'access' && to === 'startups');
};

/** The folders of a room that may import each other, as its README says: "- `a` uses `b`, `c`". */
function beside(room: string): string[] {
  const lines = readFileSync(join(SRC, room, 'README.md'), 'utf8').matchAll(/^- `(.+?)` uses (.+)$/gm);
  return [...lines].flatMap(([, from, to]) =>
    (to ?? '').split(', ').map((one) => `${from} > ${one.replaceAll('`', '')}`),
  );
}

describe('the rooms of src', () => {
  it('are read as a whole, and there are no others', () => {
    expect(imports.length).toBeGreaterThan(1_000);
    expect([...new Set(files.map(({ file }) => roomOf(file)))].sort()).toEqual([...rooms].sort());
  });

  it('import only what lies below them, and beside them what their README names', () => {
    expect(ours.filter(({ file, path }) => !isAllowed(file, path))).toEqual([]);
  });

  it('name in their README only what they use', () => {
    const used = new Set(
      ours.map(({ file, path }) => `${roomOf(file)}: ${folderOf(file)} > ${folderOf(path)}`),
    );
    const named = rooms.flatMap((room) => beside(room).map((one) => `${room}: ${one}`));
    expect(named.filter((one) => !used.has(one) && !one.endsWith('generated'))).toEqual([]);
  });

  it('are in layers inside web, where no folder of pages imports another', () => {
    const inWeb = files.map(({ file }) => file).filter((file) => roomOf(file) === 'web');
    expect(inWeb.filter((file) => layerOf(file) === -1)).toEqual([]);
    const wrong = ours
      .filter(({ file, path }) => roomOf(file) === 'web' && roomOf(path) === 'web')
      .filter(({ file, path }) => folderInWeb(file) !== folderInWeb(path) && layerOf(file) >= layerOf(path))
      .map(({ file, path }) => `${file} imports ${path}`);
    expect(wrong).toEqual([]);
  });

  it('import the stages of an import in their order', () => {
    const wrong = Object.entries(stages).flatMap(([stage, allowed]) =>
      [...(parts.get(stage) ?? ['nothing'])]
        .filter((one) => !allowed.includes(one))
        .map((one) => `${stage} > ${one}`),
    );
    expect(wrong).toEqual([]);
  });

  it('read rows without knowing startups', () => {
    const known = ours.filter(
      ({ file, path }) => file.startsWith(`${IMPORT}rows/`) && !/^(lib|startups\/import\/rows)\//.test(path),
    );
    expect(known).toEqual([]);
  });

  it('stand on six levels in an import, of which each imports only those below it', () => {
    const levelOf = (part: string, above: readonly string[] = []): number => {
      expect(above, [...above, part].join(' > ')).not.toContain(part);
      return 1 + Math.max(0, ...[...(parts.get(part) ?? [])].map((one) => levelOf(one, [...above, part])));
    };
    const levels = [...parts.keys()].map((part) => `${levelOf(part)} ${part}`);
    expect(levels.filter((one) => Number.parseInt(one, 10) > MOST_LEVELS)).toEqual([]);
  });

  it('have no file that imports itself by way of others', () => {
    const next = new Map(files.map(({ file }) => [file, ours.filter((one) => one.file === file)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      } else if (!done.has(file)) {
        for (const { path: target } of next.get(file) ?? []) {
          visit(target, [...path, file]);
        }
        done.add(file);
      }
    };
    for (const { file } of files) {
      visit(file, []);
    }
    expect(cycles).toEqual([]);
  });

  it('have no file that nothing imports, such as a type that the schema does not list', () => {
    const imported = new Set(ours.map(({ path }) => path));
    // The program, and a thread whose types nobody needs.
    const started = ['main/main.ts', 'startups/import/thread/import-worker.ts'];
    const unused = files.map(({ file }) => file).filter((file) => !imported.has(file));
    expect(unused.sort()).toEqual(started);
  });

  it('export only what another file uses, so that no page is missing in the table of pages', () => {
    const others = ['test', 'bench', 'scripts', 'embed/src', 'client/src'].flatMap((folder) =>
      sourcesIn(new URL(`../${folder}/`, import.meta.url)),
    );
    const words = new Map<string, number>();
    for (const text of [...files.map((one) => one.text), ...others]) {
      for (const word of new Set(text.match(/\w+/g))) {
        words.set(word, (words.get(word) ?? 0) + 1);
      }
    }
    const unused = files.flatMap(({ file, text }) =>
      [...text.matchAll(EXPORTED)]
        .filter(([, name = '']) => words.get(name) === 1)
        .map(([, name]) => `${file} exports ${name}`),
    );
    // The compiler uses what is in jsx.ts.
    expect(unused.filter((one) => !one.startsWith('web/shared/jsx.ts '))).toEqual([]);
  });

  it('leave each package to the folder that it serves', () => {
    const foreign = imports.filter(({ isOurs }) => !isOurs);
    const wrong = foreign.filter(({ file, path }) =>
      owners.some(([pattern, owner]) => pattern.test(path) && !new RegExp(`^${owner}[/.]`).test(file)),
    );
    expect(wrong).toEqual([]);
  });

  it('load no driver and no schema library to examine a table, which takes a thread of its own each time', () => {
    const loaded = new Set([join('startups', 'import', 'thread', 'import-worker.ts')]);
    for (const path of loaded) {
      const { text = '' } = files.find(({ file }) => file === path) ?? {};
      for (const [, name = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^;'"]*?\bfrom '([^']+)'/gm)) {
        loaded.add(name.startsWith('.') ? join(dirname(path), name) : name);
      }
    }
    const packages = [...loaded].filter((path) => !path.endsWith('.ts') && !path.startsWith('node:'));
    expect(packages).toEqual(['fastest-levenshtein']);
  });

  it('touch the process and its console only in main', () => {
    const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const wrong = files
      .filter(({ file }) => roomOf(file) !== 'main' && !samples.includes(file))
      .filter(({ text }) =>
        /\bprocess\s*\.\s*(env|exit|argv|stdout|stderr|stdin|on)\b|\bconsole\s*\./.test(code(text)),
      )
      .map(({ file }) => file);
    expect(wrong).toEqual([]);
  });
});
