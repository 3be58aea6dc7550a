import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { columns } from '../../../src/web/parts/startups/columns.tsx';

const ASSETS = fileURLToPath(new URL('../../../assets/', import.meta.url));
/** The text of a sheet without comments. */
const textOf = (sheet: string): string =>
  readFileSync(`${ASSETS}${sheet}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');

const sheets = readdirSync(ASSETS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

it.each(sheets)('has no word that people read: %s', (sheet) => {
  const contents = [...textOf(sheet).matchAll(/\bcontent:([^;}]+)/g)].map(([, value = '']) =>
    value.replace(/(attr|counter)\([^)]*\)/g, '').trim(),
  );
  const words = contents.filter((value) => /["'][^"']*\p{L}[^"']*["']/u.test(value));
  expect(words, 'Write these words in the page').toEqual([]);
});

it.each(sheets)('names no column of a table, which says itself where it stands: %s', (sheet) => {
  const cells = textOf(sheet).match(/\bt[dh]\b[^{},]*/g) ?? [];
  const classes = cells.flatMap((cell) => [...cell.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name]) => name));
  expect(columns.map(({ id }) => id).filter((id) => classes.includes(id))).toEqual([]);
});
