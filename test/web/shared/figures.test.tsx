import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { secondsText } from '../../../src/web/shared/time.tsx';

it('has no other formats of numbers in pages and elements, so that each is written in one way', () => {
  const others = ['src/web/', 'embed/src/'].flatMap((folder) => {
    const root = new URL(`../../../${folder}`, import.meta.url);
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        /\.tsx?$/.test(path) &&
        /\.toFixed\(|\.toLocaleString\(|NumberFormat\(/.test(readFileSync(new URL(path, root), 'utf8')),
    );
  });
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
