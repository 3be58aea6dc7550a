import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ASSETS = fileURLToPath(new URL('../../../assets/', import.meta.url));
const sheets = readdirSync(ASSETS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

it.each(sheets)('has no word that people read: %s', (sheet) => {
  const text = readFileSync(`${ASSETS}${sheet}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const contents = [...text.matchAll(/\bcontent:([^;}]+)/g)].map(([, value = '']) =>
    value.replace(/(attr|counter)\([^)]*\)/g, '').trim(),
  );
  const words = contents.filter((value) => /["'][^"']*\p{L}[^"']*["']/u.test(value));
  expect(words, 'Write these words in the page').toEqual([]);
});
