import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import {
  categories,
  fundingStatuses,
  paymentProviders,
  teamSizes,
} from '../../../src/startups/model/vocabulary.ts';
import { sampleNdjson, sampleStartups } from '../../../src/startups/sample/sample.ts';

const many = [...sampleStartups({ count: 6_000, seed: 7 })];
type SampleKey = keyof (typeof many)[number];

describe('sample startups', () => {
  test('are the same bytes for the same count and seed, in every version', () => {
    const text = [...sampleNdjson({ count: 1000, seed: 1 })].join('');
    expect(text).toBe([...sampleNdjson({ count: 1000, seed: 1 })].join(''));
    // Changing this changes what "the same seed" means to everybody who has noted one down.
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      'f2b58e70957344da4b5c99bd8809289304a526957ce8c91ce6a733256851f675',
    );
  });

  test('differ from seed to seed, negative and large ones included', () => {
    const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 40 + 1];
    const firsts = seeds.map((seed) => [...sampleStartups({ count: 1, seed })][0]?.slug);
    expect(new Set(firsts).size).toBe(seeds.length);
  });

  test('never share a slug', () => {
    const slugs = [...sampleStartups({ count: 20_000, seed: 3 })].map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(20_000);
  });

  test('have every category, provider, team size, funding status and null where a field may be null', () => {
    const seen = (key: SampleKey): Set<unknown> => new Set(many.map((each) => each[key]));
    const values = {
      category: [...categories, null],
      paymentProvider: paymentProviders,
      active: [true, false],
      teamSize: [...teamSizes, null],
      fundingStatus: [...fundingStatuses, null],
    };
    for (const [key, all] of Object.entries(values)) {
      expect(seen(key as SampleKey)).toEqual(new Set<unknown>(all));
    }
    const keys = Object.keys(many[0] ?? {}) as SampleKey[];
    // A field that was added after the sample is left out.
    const nullable = storedStartupFields.filter(
      ({ path, nullable }) => nullable && keys.includes(path as SampleKey),
    );
    expect(keys.filter((key) => seen(key).has(null))).toEqual(nullable.map(({ path }) => path));
  });

  test('have figures that agree: what is 0 has not grown, and MRR grows about as revenue does', () => {
    expect(
      many.filter(
        ({ revenue, growth30d, growthMRR30d, activeSubscriptions }) =>
          (revenue.last30Days === 0 && growth30d !== null) ||
          (revenue.mrr === 0 && (growthMRR30d !== null || activeSubscriptions > 0)) ||
          (growth30d !== null && growthMRR30d !== null && Math.abs(growth30d - growthMRR30d) > 25),
      ),
    ).toEqual([]);
  });

  test('are clearly fictional: no address or handle belongs to anybody', () => {
    const real = many.filter(
      ({ slug, website, icon, xHandle }) =>
        ![null, `https://${slug}.example`].includes(website) ||
        ![null, `https://icons.example/${slug}.png`].includes(icon) ||
        !(xHandle ?? '_sample').endsWith('_sample'),
    );
    expect(real).toEqual([]);
  });
});
