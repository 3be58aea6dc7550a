import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the repository is. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** The suites of tests, and how each is run. A test file belongs to at least one of them. */
export const suites = {
  default: { command: 'npm test', needs: 'nothing but Node' },
  services: {
    command: 'npm run test:services',
    needs: 'PostgreSQL, PgBouncer, Redis, Chromium and the packages of test/clients',
  },
  exhaustive: { command: 'npm run test:exhaustive', needs: 'half an hour' },
} as const;

export type Suite = keyof typeof suites;

/** The suite that TEST_SUITE names. */
export const suite: Suite = readSuite(process.env.TEST_SUITE ?? 'default');

function readSuite(name: string): Suite {
  if (!(name in suites)) {
    throw new Error(`TEST_SUITE: got ${name}, allowed ${Object.keys(suites).join(', ')}`);
  }
  return name as Suite;
}

const TESTS = join(root, 'test');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .map((file) => join(TESTS, file));
const imports = new Map(
  files.map((file) => [
    file,
    [...readFileSync(file, 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, specifier = '']) =>
      specifier.startsWith('.') ? join(dirname(file), specifier) : specifier,
    ),
  ]),
);

/** The test files that import a package, or a file of `test/`, by way of others too. */
export function testsThatImport(target: string): string[] {
  const wanted = target.endsWith('.ts') ? join(TESTS, target) : target;
  const reaches = (file: string, seen: Set<string>): boolean =>
    file === wanted ||
    (!seen.has(file) && (imports.get(file) ?? []).some((next) => reaches(next, seen.add(file))));
  return files
    .filter((file) => file.endsWith('.test.ts') && reaches(file, new Set()))
    .map((file) => relative(root, file));
}
