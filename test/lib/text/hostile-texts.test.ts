import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acceptedQuality } from '../../../src/lib/http/header-values.ts';
import { loadService } from '../../../src/lib/text/service.ts';
import { readWebsite } from '../../../src/startups/model/website.ts';
import { readTyped } from '../../../src/web/parts/startups/filters.ts';
import { highlight } from '../../../src/web/shared/highlight.tsx';
import { testDirectory } from '../../main/commands/process.ts';
import { expectCheap } from '../../support/cost.ts';

/** What reads a text of others with a regular expression, and a text that tempts it to read the same parts repeatedly. */
const readers: readonly (readonly [string, (text: string) => unknown, (size: number) => string])[] = [
  ['Accept-Encoding', (text) => acceptedQuality(text, 'gzip', '*'), (size) => `gzip${' '.repeat(size)}x`],
  ['a website', readWebsite, (size) => `a.io/${'/'.repeat(size)}x`],
  [
    'a bound of the explorer',
    (text) => readTyped(text, { places: 0 } as never),
    (size) => `1${' '.repeat(size)}x`,
  ],
  ['a marked-up document', (text) => highlight('graphql', text), (size) => `#\u2028${'"\\'.repeat(size)}`],
  ['marked-up JSON', (text) => highlight('json', text), (size) => '"\\'.repeat(size)],
];

it.each(readers)('the time that %s takes grows no faster than its text', async (_name, read, write) => {
  const [short, long] = [write(10_000), write(80_000)];
  await expectCheap(
    () => read(long),
    () => read(short),
    30,
  );
});

describe('the logo of a service', () => {
  const cwd = testDirectory();
  const load = (text: string): unknown => {
    writeFileSync(join(cwd, 'logo.svg'), text);
    return loadService({ name: 'a', logoFile: 'logo.svg' }, (file) => join(cwd, file)).logo?.type;
  };

  it.each([
    '\ufeff\n<?xml version="1.0"?>\n<!DOCTYPE svg>\n<!-- a > b -->\n<svg>',
    `${'<!---->'.repeat(30_000)}<svg xmlns="http://www.w3.org/2000/svg"/>`,
  ])('may have comments and declarations first: %#', (text) => {
    expect(load(text)).toBe('image/svg+xml');
  });

  const others = [`${'<!---->'.repeat(30_000)}<html>`, '<!-- <svg>', '<svgs>', '<!DOCTYPE svg', ''];
  it.each(others)('is refused if it is no SVG: %#', (text) => {
    expect(() => load(text)).toThrow('SERVICE_LOGO: logo.svg is neither an SVG nor a PNG image.');
  });
});
