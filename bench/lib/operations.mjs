// What is asked, whoever answers: endless streams of operations, the same for the same seed.
// A list is { filter, sort?, page }, of ten records; a detail is { slug }. Names and values are REST's.
import { createRandom } from './random.mjs';

// Revenue of the samples, as the logarithm of cents: bounds between 2.5 deviations below and above.
const MEAN = Math.log(180_000);
const DEVIATION = 1.9;
export const PAGE_SIZE = 10;

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
    const sort = random() < 0.5 ? 'revenue-desc' : 'listed-desc';
    return { filter, sort, page: 1 + Math.floor(random() * 5) };
  },
};

/**
 * The next operation of a load, again and again.
 *
 * @param load a name from the makers; with `x` at its end, lists of other startups; `D` and a number, pages around that
 *   percentage of an unfiltered list.
 */
export function createStream(load, { rows, slugs, seed }) {
  const random = createRandom(seed * 7919 + load.charCodeAt(1));
  if (load.startsWith('D')) {
    const pageAt = (share) => Math.max(1, Math.floor((rows / PAGE_SIZE) * share));
    const share = Number(load.slice(1)) / 100;
    return () => ({ filter: {}, page: pageAt(share + 0.01 * random()) });
  }
  const make = makers[load.replace('x', '')];
  const context = { slugs, others: load.endsWith('x') };
  return () => make(random, context);
}
