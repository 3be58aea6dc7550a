import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeSamples } from '../../../src/web/shared/code-samples.ts';
import { Pager } from '../../../src/web/shared/components.tsx';
import { durationText, secondsText } from '../../../src/web/shared/time.tsx';

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
  [49, '< 0.1 s'],
  [-1, '< 0.1 s'],
])('writes %d ms as %s', (ms, text) => {
  expect(secondsText(ms)).toBe(text);
});

it.each([
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [2 * 86_400_000, '2 days'],
])('writes a duration of %d ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it('links to other pages only where there are any', () => {
  const link = (page: number): string => `?page=${page}`;
  const show = (page: number, hasMore: boolean): string =>
    String(<Pager page={page} hasMore={hasMore} link={link} />);
  expect(show(1, false)).not.toContain('<nav');
  expect(show(1, true)).toContain('href="?page=2"');
  expect(show(2, false)).toContain('href="?page=1"');
});

it('writes a sample in GraphQL only where there is a document', () => {
  const code = { request: { path: '/api/v1/startups' }, origin: 'https://a.example' } as never;
  const namesOf = (document?: string) => writeSamples(code, document).map(([name]) => name);
  expect(namesOf()).toEqual(['curl', 'javascript', 'python']);
  expect(namesOf('{ dataset { total } }')).toContain('graphql');
});
