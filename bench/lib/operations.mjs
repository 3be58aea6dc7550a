// What is asked, whoever answers: endless streams of operations, the same for the same seed.
// A list is { filter, sort?, page }, of ten records; a detail is { slug }. Names and values are REST's.

// Revenue of the samples, as the logarithm of cents: bounds between 2.5 deviations below and above.
const MEAN = Math.log(180_000);
const DEVIATION = 1.9;
export const PAGE_SIZE = 10;

const makers = {
  // A category and revenue bounds; in practice no two requests are the same.
  W1: (random) => ({
    filter: {
      category: 'saas',
      minRevenue: Math.round(Math.exp(MEAN - DEVIATION * (0.5 + 2 * random()))),
      maxRevenue: Math.round(Math.exp(MEAN + DEVIATION * (0.5 + 2 * random()))),
    },
    page: 1 + Math.floor(random() * 50),
  }),
  // No filter, one of the first pages.
  W2: (random) => ({ filter: {}, page: 1 + Math.floor(random() * 50) }),
  W3: (random, slugs) => ({ slug: slugs[Math.floor(random() * slugs.length)] }),
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

/** The next operation of a load, again and again. */
export function createStream(load, { slugs, seed }) {
  const random = createRandom(seed * 7919 + load.charCodeAt(1));
  return () => makers[load](random, slugs);
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
function createRandom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
