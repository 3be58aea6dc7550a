import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

const ARCHITECTURE = fileURLToPath(new URL('../docs/architecture.md', import.meta.url));

/** The parts of src by layer, from the top, as documented. What a part imports lies in a lower layer. */
const layers: string[][] = [];
for (const [, layer, part = ''] of readFileSync(ARCHITECTURE, 'utf8').matchAll(
  /^\| (\d+) \| `([^`]+)` \|/gm,
)) {
  const index = Number(layer) - 1;
  layers[index] = [...(layers[index] ?? []), part];
}
const layerOf = (part: string): number => layers.findIndex((parts) => parts.includes(part));
const [DOMAIN, BASE] = [layerOf('startups'), layerOf('errors')];

/** Transports stand beside each other; REST and feeds are thin layers on GraphQL, and MCP on both. The domain's parts may work together… */
const mayImportBeside = (part: string, target: string): boolean =>
  (['rest', 'mcp', 'feeds'].includes(part) && target === 'graphql') ||
  (part === 'mcp' && target === 'rest') ||
  (layerOf(part) >= DOMAIN && !independent.includes(part) && target !== 'config') ||
  layerOf(part) === BASE;
/** … but these, which stand alone. */
const independent = ['backup', 'failures', 'mail', 'rate-limit', 'startups', 'usage'];

/** Who may import what is not ours. */
const owners: [RegExp, readonly string[]][] = [
  [/^graphql($|\/)|^graphql-(yoga|jit)|^@graphql-|^@pothos\//, ['graphql', 'rest']],
  [/^@modelcontextprotocol\//, ['mcp']],
  [/^graphql-rate-limit|^ioredis/, ['rate-limit']],
  [/^node:http2?$|^node:https$/, ['server', 'cli']],
  // The API's own path stays free of it, but for its parser of Accept, a function that imports nothing.
  [/^hono($|\/(?!utils\/accept$))/, ['pages', 'mail']],
  [/^hono\/utils\/accept$/, ['server']],
  [/^better-auth/, ['pages']],
  [/^nodemailer/, ['mail']],
  [/^commander/, ['cli']],
  [/^pino/, ['cli', 'app']],
  [/^@electric-sql\/|^@prisma\//, ['db']],
  [/^pg(-|$)/, ['db', ...(layers[DOMAIN] ?? [])]],
];

interface Import {
  readonly file: string;
  readonly part: string;
  /** A part of ours, or a package. */
  readonly target: string;
  readonly isOurs: boolean;
  /** The file, where it is ours. */
  readonly path: string;
}

const partOf = (path: string): string => (path.split(sep)[0] ?? '').replace(/\.tsx?$/, '');

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes(join('db', 'generated')))
  .map((file) => ({ file, part: partOf(file), text: readFileSync(join(SRC, file), 'utf8') }));

const imports: Import[] = files.flatMap(({ file, part, text }) =>
  // `from 'x'`, `import 'x'` and `import('x')`: types too, since they tie parts together as much.
  [
    ...text.matchAll(
      /^(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm,
    ),
  ].map((found) => {
    const specifier = found[1] ?? found[2] ?? found[3] ?? '';
    const isOurs = specifier.startsWith('.');
    const path = isOurs ? relative(SRC, normalize(join(SRC, dirname(file), specifier))) : '';
    return { file, part, target: isOurs ? partOf(path) : specifier, isOurs, path };
  }),
);

const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

describe('the parts of src', () => {
  it('are read as a whole', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(imports.length).toBeGreaterThan(300);
    expect(imports).toContainEqual(
      expect.objectContaining({ part: 'rest', target: 'graphql', isOurs: true }),
    );
  });

  it('are all known here', () => {
    expect([...new Set(files.map(({ part }) => part))].filter((part) => layerOf(part) === -1)).toEqual([]);
  });

  it('import only what lies below them', () => {
    const wrong = imports.filter(
      ({ part, target, isOurs }) =>
        isOurs &&
        target !== part &&
        !(layerOf(target) > layerOf(part)) &&
        !(layerOf(target) === layerOf(part) && mayImportBeside(part, target)),
    );
    expect(wrong).toEqual([]);
  });

  it('have no file that imports itself by way of others', () => {
    const next = new Map(
      files.map(({ file }) => [file, imports.filter((one) => one.file === file && one.isOurs)]),
    );
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

  it('leave the command line and its settings to nobody else', () => {
    const importers = (target: string): string[] => [
      ...new Set(
        imports
          .filter((one) => one.isOurs && one.target === target && one.part !== target)
          .map(({ part }) => part),
      ),
    ];
    expect(importers('cli')).toEqual([]);
    expect(importers('config')).toEqual(['cli']);
  });

  it('leave each package to the part that it serves', () => {
    const wrong = imports.filter(
      ({ part, target, isOurs }) =>
        !isOurs && owners.some(([pattern, parts]) => pattern.test(target) && !parts.includes(part)),
    );
    expect(wrong).toEqual([]);
  });

  it('touch the process and its console only in the command line', () => {
    const samples = ['shared/code-samples.ts', 'docs/generated.ts'].map((file) => join('pages', file));
    const wrong = files
      // The samples of the reference are programs of their own.
      .filter(({ part, file }) => part !== 'cli' && !samples.includes(file))
      .filter(({ text }) =>
        /\bprocess\s*\.\s*(env|exit|argv|stdout|stderr|stdin|on)\b|\bconsole\s*\./.test(code(text)),
      )
      .map(({ file }) => file);
    expect(wrong).toEqual([]);
    // Nor does the domain know that there is a process.
    const domain = files.filter(({ part }) => layerOf(part) === DOMAIN);
    expect(domain.filter(({ text }) => /\bprocess\s*\./.test(code(text))).map(({ file }) => file)).toEqual(
      [],
    );
  });
});
