import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { secondsText } from '../../../src/pages/shared/time.tsx';

it('has the only formats of numbers of all pages, so that each is written in one way', () => {
  const root = new URL('../../../src/pages/', import.meta.url);
  const others = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      // Badges have the notation of other badges.
      !['shared/figures.tsx', 'badges/badges.ts'].includes(path) &&
      /\.toFixed\(|\.toLocaleString\(|NumberFormat\(/.test(readFileSync(new URL(path, root), 'utf8')),
  );
  expect(others).toEqual([]);
});

it.each([
  [1_250, '1.3 s'],
  [2_000, '2 s'],
  [1_234_000, '1,234 s'],
  [-1, '0 s'],
])('writes %d ms as %s', (ms, text) => {
  expect(secondsText(ms)).toBe(text);
});
