import fc from 'fast-check';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import {
  categories,
  fundingStatuses,
  MAX_CENTS,
  paymentProviders,
  startupSorts,
  targetAudiences,
  teamSizes,
} from '../../../src/startups/model/vocabulary.ts';
import { record, rowsOf } from '../../support/records.ts';
import { seededRandom } from '../../support/runs.ts';

// Few distinct values, so that ties are many and bounds hit values exactly, and the extremes among them.
const cents = fc.oneof(
  fc.constantFrom(0, 1, 99, 100, 12_000, MAX_CENTS - 1, MAX_CENTS),
  fc.integer({ min: 0, max: 2_000_000 }),
);
const percents = [
  -250.5, -100, -29, -0, 0, 5e-324, 0.1, 0.7, 7, 14.1, 24, 28.999999999999996, 29, 57, 1e6, 1e308,
];
const percent = fc.constantFrom(...percents);
const fraction = fc.oneof(
  percent.map((value) => value / 100),
  fc.constantFrom(-1, 0, 0.001, 0.007, 0.07, 0.141, 0.24, 0.29, 0.29 + Number.EPSILON, 0.57),
);
const margin = fc.constantFrom(0, 2, 5, 40, 100);
const ratio = fc.constantFrom(0, 0.08, 1, 10);
const country = fc.constantFrom('DE', 'US', 'AA', 'ZZ');
const handle = fc.constantFrom('ada', 'ADA', 'Ada_L', 'ada_l', 'b', '0_9_z_Z_aaaaaaaaaaaaaaaaaaaaaa', '_');

const marked = handle.map((name) => `@${name}`);

function nullable<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(value, { nil: null, freq: 3 });
}

/** What a list does not look at. */
const [rest] = rowsOf([record('rest')]) as [Startup];

/** Of one host in several spellings, of a host that startups share, and an international one. */
const website = fc.constantFrom(
  'https://acme.io',
  'http://www.ACME.io/',
  'https://acme.io:8443/pricing?x=1#top',
  'https://apps.example/us/app/one',
  'https://www.apps.example/US/app/Two/',
  'https://apps.example/us',
  'https://apps.example/usa',
  'https://münchen.example/',
  'https://xn--mnchen-3ya.example/stadt',
);

const askedWebsite = fc.constantFrom(
  'acme.io',
  'www.acme.io/pricing/',
  'apps.example',
  'apps.example/us/app/one/reviews',
  'MÜNCHEN.example',
  'xn--mnchen-3ya.example/stadt/park',
  'nobody.example',
);

/** In several spellings, and one that begins another. */
const technologies = ['React', 'react', 'React Native', 'Größe', 'GROSSE', 'C++', 'z'.repeat(100)];

/** Few, with the extremes that clocks give. */
const instant = fc.constantFrom(0, 1, 1_763_000_000_000, 1_763_000_000_001).map((ms) => new Date(ms));

const count = fc.constantFrom(0, 1, 2, 7, 2 ** 31 - 1);

/** Equal ones, and ones that differ only behind their beginning, in case or in accents. */
const names = [
  'a',
  'A',
  'Acme Analytics',
  'ACME ANALYTICS',
  'Acme Analytics Pro',
  'Acmé Analytics 2',
  'Ünion',
  'union',
  'unio\u4e8c',
  'unio\u4e00 z',
  '\ufb03x',
  'Øre',
  'ore',
  'Straße',
  'STRASSF',
  '~',
];

const amount = cents.map(BigInt);

/** What differs between startups. */
export const row = fc.record({
  category: nullable(fc.constantFrom(...categories.slice(0, 3))),
  paymentProvider: fc.constantFrom(...paymentProviders.slice(-3)),
  country: nullable(country),
  targetAudience: nullable(fc.constantFrom(...targetAudiences)),
  teamSize: nullable(fc.constantFrom(...teamSizes.slice(-2))),
  fundingStatus: nullable(fc.constantFrom(...fundingStatuses)),
  onSale: fc.boolean(),
  active: fc.boolean(),
  revenueLast30Days: amount,
  revenueMrr: amount,
  revenueTotal: amount,
  askingPrice: nullable(amount),
  previousAskingPrice: nullable(amount),
  growth30d: nullable(percent),
  profitMarginLast30Days: nullable(margin),
  firstListedForSaleAt: nullable(
    fc.constantFrom(-1, 0, 1_714_521_600_000, 1_714_521_600_001).map((ms) => new Date(ms)),
  ),
  xHandle: nullable(handle),
  website: nullable(website),
  updatedAt: instant,
  createdAt: instant,
  askingPriceChangedAt: instant,
  foundedDate: nullable(instant),
  verifiedAt: nullable(instant),
  techStack: fc.array(fc.constantFrom(...technologies), { maxLength: 3 }),
  customers: count,
  visitorsLast30Days: nullable(count),
  name: fc.constantFrom(...names),
});

/** An id, and what is made of it. */
export function named(id: number): { id: number; slug: string; name: string } {
  return { id, slug: `startup-${id}`, name: `Startup ${id}` };
}

/** Rows with ascending ids that are not their positions. */
export const rows: fc.Arbitrary<Startup[]> = fc
  .array(row, { maxLength: 40 })
  .map((list) => list.map((fields, index) => ({ ...rest, ...named(3 * index + 5), ...fields })));

export const sorts = fc.constantFrom(...startupSorts);

/** The values of each filter. */
const asked: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  onSale: fc.boolean(),
  active: fc.boolean(),
  category: fc.constantFrom(...categories.slice(0, 4)),
  xHandle: fc.oneof(handle, marked, fc.constantFrom('nobody', '', 'ad')),
  website: fc.oneof(website, askedWebsite),
  teamSize: fc.constantFrom(...teamSizes.slice(-2)),
  fundingStatus: fc.constantFrom(...fundingStatuses),
  ...bounds(cents, 'Revenue', 'Mrr', 'Price', 'Total'),
  ...bounds(count, 'Customers', 'Visitors'),
  ...bounds(fraction, 'Growth'),
  ...bounds(ratio, 'Multiple'),
  ...bounds(margin, 'Margin'),
  updatedSince: instant,
  foundedAfter: instant,
  foundedBefore: instant,
  createdSince: instant,
  priceReducedSince: instant,
  verifiedSince: instant,
  categories: fc.array(fc.constantFrom(...categories.slice(0, 4)), { maxLength: 3 }),
  countries: fc.array(fc.oneof(country, fc.constantFrom('FR', 'x')), { maxLength: 3 }),
  paymentProviders: fc.array(fc.constantFrom(...paymentProviders), { maxLength: 6 }),
  targetAudiences: fc.array(fc.constantFrom(...targetAudiences), { maxLength: 2 }),
  // Filters have folded names.
  techStack: fc.array(
    fc.constantFrom('react', 'react native', 'grosse', 'c++', 'z'.repeat(100), 'rea', 'zz', ''),
    { maxLength: 3 },
  ),
  listedSince: fc.oneof(instant, fc.constant(new Date(1_714_521_600_001))),
  country,
  paymentProvider: fc.constantFrom(...paymentProviders.slice(-3)),
  targetAudience: fc.constantFrom(...targetAudiences),
  slugs: fc.array(fc.constantFrom('startup-5', 'startup-8', 'startup-41', 'startup-6', ''), { maxLength: 4 }),
  teamSizes: fc.array(fc.constantFrom(...teamSizes.slice(-3)), { maxLength: 2 }),
  fundingStatuses: fc.array(fc.constantFrom(...fundingStatuses), { maxLength: 2 }),
};

/** Any combination of filters, most of them absent. */
export const filters: fc.Arbitrary<StartupFilter> = fc.record(
  Object.fromEntries(Object.entries(asked).map(([name, values]) => [name, sometimes(values)])),
  { requiredKeys: [] },
);

/** The lower and the upper bound of each figure. */
function bounds(value: fc.Arbitrary<number>, ...names: string[]) {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`min${name}`, value],
      [`max${name}`, value],
    ]),
  );
}

function sometimes<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/**
 * Many rows, the same for the same seed: enough for every way in which a catalogue answers, and with
 * values as spread as in practice.
 */
export function manyRows(count: number, seed: number): Startup[] {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const orNull = <T>(part: number, value: T): T | null => (random() < part ? value : null);
  return Array.from({ length: count }, (_, index): Startup => {
    const revenue = Math.round(Math.exp(8 + 8 * random()));
    const onSale = random() < 0.1;
    return {
      ...rest,
      ...named(2 * index + 1),
      customers: Math.floor(1_000 * random() ** 3),
      visitorsLast30Days: orNull(0.7, Math.floor(5_000 * random())),
      foundedDate: orNull(0.8, new Date(1_400_000_000_000 + 86_400_000 * Math.floor(3_000 * random()))),
      verifiedAt: orNull(0.9, new Date(1_763_000_000_000 - Math.floor(5e9 * random()))),
      previousAskingPrice: onSale && random() < 0.5 ? BigInt(Math.round(revenue * 40)) : null,
      askingPriceChangedAt: new Date(1_763_000_000_000 - Math.floor(5e9 * random())),
      techStack: random() < 0.5 ? [] : [`T${Math.floor(60 * random() ** 2)}`, pick(['Go', 'go'])],
      category: orNull(0.95, pick(categories)),
      paymentProvider: pick(paymentProviders),
      country: orNull(0.9, pick(['DE', 'US', 'FR', 'JP'])),
      targetAudience: orNull(0.8, pick(targetAudiences)),
      teamSize: orNull(0.6, pick(teamSizes)),
      fundingStatus: orNull(0.6, pick(fundingStatuses)),
      onSale,
      active: random() < 0.97,
      revenueLast30Days: BigInt(revenue),
      revenueMrr: BigInt(Math.round(revenue * random())),
      revenueTotal: BigInt(Math.round(revenue * (1 + 40 * random()))),
      askingPrice: onSale ? BigInt(Math.round(revenue * 60 * random())) : null,
      growth30d: orNull(0.9, Math.round(2000 * random() - 900) / 10),
      profitMarginLast30Days: orNull(0.6, 95 * random()),
      firstListedForSaleAt: onSale ? new Date(1_700_000_000_000 + Math.floor(1e8 * random())) : null,
      website: orNull(
        0.9,
        `https://${pick(['', 'www.'])}site-${Math.floor(random() * count * 0.7)}.example${pick(['', '/', '/a', '/a/b'])}`,
      ),
      xHandle: orNull(0.6, `Founder_${Math.floor((random() * count) / 3)}`),
    };
  });
}
