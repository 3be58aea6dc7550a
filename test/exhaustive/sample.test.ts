import { expect, test } from 'vitest';
import { sampleStartups } from '../../src/startups/sample/sample.ts';
import { testSeed } from '../support/runs.ts';

// More than there are names, so that these come again.
const COUNT = 3_400_000;

test('sample startups never share a slug', () => {
  const slugs = new Set<string>();
  for (const { slug } of sampleStartups({ count: COUNT, seed: testSeed() })) {
    slugs.add(slug);
  }
  expect(slugs.size).toBe(COUNT);
}, 300_000);
