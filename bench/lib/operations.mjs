// What is asked, whoever answers: endless streams of operations, the same for the same seed.
// A list is { filter, sort?, page }, of ten records; a detail is { slug }; histories are { histories }, slugs of startups.
// Names and values are REST's.
import { createRandom } from './random.mjs';

// Revenue of the samples, as the logarithm of cents: bounds between 2.5 deviations below and above.
const MEAN = Math.log(180_000);
const DEVIATION = 1.9;
export const PAGE_SIZE = 10;
const HOT = 20;

const makers = {
  // A category and revenue bounds; in practice no two requests are the same.
  W1: (random, { others }) => ({
    filter: {
      category: others ? 'ai' : 'saas',
      minRevenue: Math.round(Math.exp(MEAN - DEVIATION * (0.5 + 2 * random()))),
      maxRevenue: Math.round(Math.exp(MEAN + DEVIATION * (0.5 + 2 * random()))),
    },
    page: 1 + Math.floor(random() * 50),
  }),
  // No filter, one of the first pages.
  W2: (random, { others }) => ({ filter: {}, page: (others ? 51 : 1) + Math.floor(random() * 50) }),
  W3: (random, { slugs }) => ({ slug: slugs[Math.floor(random() * slugs.length)] }),
  W4: (random, { rows }) => ({ filter: {}, page: pageAt(rows, 0.85 + 0.1 * random()) }),
  // No category; bounds of MRR, growth and every other time price; sorted by what is not bounded.
  W5: (random) => {
    const minMrr = Math.round(Math.exp(MEAN - DEVIATION * (0.5 + random())));
    const minGrowth = -0.3 + 0.4 * random();
    const filter = {
      minMrr,
      maxMrr: Math.round(minMrr * Math.exp(DEVIATION * (1 + random()))),
      minGrowth,
      maxGrowth: minGrowth + 0.2 + 0.4 * random(),
    };
    if (random() < 0.5) {
      filter.minPrice = Math.round(100_000 * Math.exp(2 * random()));
      filter.maxPrice = Math.round(filter.minPrice * Math.exp(3 + 3 * random()));
    }
    return {
      filter,
      sort: random() < 0.5 ? 'revenue-desc' : 'listed-desc',
      page: 1 + Math.floor(random() * 5),
    };
  },
  // The beginning of a name; the most frequent word and two letters in a category; a name with a wrong letter.
  S1: (random, context) => ({
    filter: { search: someSlug(random, context).slice(0, 5) },
    sort: 'relevance',
    page: 1,
  }),
  S2: (random, context) => {
    const { filter } = makers.W1(random, context);
    const search = `sample ${someSlug(random, context).slice(0, 2)}`;
    return { filter: { ...filter, search }, sort: 'revenue-desc', page: 1 };
  },
  S3: (random, context) => {
    const slug = someSlug(random, context);
    const search = `${slug.slice(0, 4)}x${slug.slice(5)}`.replaceAll('-', ' ');
    return { filter: { search }, sort: 'relevance', page: 1, wanted: slug };
  },
  // The history of one startup, and of ten.
  H1: (random, context) => ({ histories: someSlugs(random, context, 1) }),
  H10: (random, context) => ({ histories: someSlugs(random, context, 10) }),
};

function someSlug(random, { slugs }) {
  return slugs[Math.floor(random() * slugs.length)];
}

function someSlugs(random, { slugs }, count) {
  return Array.from({ length: count }, () => slugs[Math.floor(random() * slugs.length)]);
}

/** The page at a share of the depth of an unfiltered list. */
function pageAt(rows, share) {
  return Math.max(1, Math.floor((rows / PAGE_SIZE) * share));
}

/**
 * The next operation of a load, again and again.
 *
 * @param load a name from the makers; with `h` at its end, 20 of its operations again and again; with `x`, lists of
 *   other startups; `D` and a number, pages around that percentage of an unfiltered list.
 */
export function createStream(load, { rows, slugs, seed }) {
  const random = createRandom(seed * 7919 + load.charCodeAt(1));
  const context = { rows, slugs, others: load.endsWith('x') };
  if (load.startsWith('D')) {
    const share = Number(load.slice(1)) / 100;
    return () => ({ filter: {}, page: pageAt(rows, share + 0.01 * random()) });
  }
  const make = makers[load.replace(/[hx]$/, '')];
  if (!load.endsWith('h')) {
    return () => make(random, context);
  }
  // The same twenty for every round and every target.
  const hotRandom = createRandom(99);
  const hot = Array.from({ length: HOT }, () => make(hotRandom, context));
  return () => hot[Math.floor(random() * HOT)];
}
