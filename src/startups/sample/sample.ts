import type { ImportRecord } from '../import/values/record.ts';
import { countries } from '../model/countries.ts';
import {
  type Category,
  categories,
  paymentProviders,
  targetAudiences,
  teamSizes,
} from '../model/vocabulary.ts';
import { type SampleRandom, sampleRandom } from './sample-random.ts';

/** What the sample has of a startup; a field that it does not know is left out. */
type SampleRecord = ReturnType<typeof sampleStartup>;

/** The sample to generate. The same values generate the same records; a smaller count generates the first of them. */
export interface SampleOptions {
  /** How many records, a non-negative integer. */
  count: number;
  /** Any safe integer. */
  seed: number;
  /** When the last figures were verified, in ms since 1970. The default makes the same records on every day. */
  verifiedBefore?: number;
}

/**
 * Plainly fictional startups in the import format, one after another: invented names, addresses under the
 * reserved top-level domain `example`, revenue spread log-normally, a tenth on sale, slugs never repeated.
 */
export function* sampleStartups({
  count,
  seed,
  verifiedBefore = LATEST,
}: SampleOptions): Generator<SampleRecord> {
  for (let index = 0; index < count; index += 1) {
    yield sampleStartup(seed, index, verifiedBefore);
  }
}

/**
 * The same records as NDJSON text, in blocks of some 64,000 characters that each end with a line.
 */
export function* sampleNdjson(options: SampleOptions): Generator<string> {
  let block = '';
  for (const record of sampleStartups(options)) {
    block += `${JSON.stringify(record)}\n`;
    if (block.length > 64_000) {
      yield block;
      block = '';
    }
  }
  if (block !== '') {
    yield block;
  }
}

// Names are three syllables of two letters and a word: every combination can be split in one way only, so
// that different numbers give different slugs.
const syllables = [...'bdfgklmnprtvz'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel));
const nouns = 'Works Labs Cloud Desk Flow Base Kit Loop Mint Nest Pilot Stack'.split(' ');
const nameCount = syllables.length ** 3 * nouns.length;
// Prime, and no factor of the count above: stepping by it visits every name before any comes again.
const NAME_STEP = 1_299_709;

// Most founders are from few countries; the first counts several times.
const commonCountries = 'US US US US GB GB DE FR IN IN CA AU NL ES BR SE PL SG'.split(' ');

/** Invented dates lie before this, whenever the sample is made. */
const LATEST = Date.UTC(2026, 5, 30);
const DAY_MS = 86_400_000;

const pitches: Readonly<Record<Category, string>> = {
  ai: 'An assistant that drafts the first version of everything',
  saas: 'One place for the paperwork of a small company',
  'developer-tools': 'Continuous checks that explain what broke and why',
  fintech: 'Ledgers that balance themselves before the month ends',
  marketing: 'Campaigns planned, sent and measured on one page',
  ecommerce: 'A storefront that is ready in an afternoon',
  productivity: 'A calm list of what matters today',
  'design-tools': 'Shared canvases that keep every draft',
  'no-code': 'Internal tools without writing a line',
  analytics: 'Numbers that answer the question that was asked',
  'crypto-web3': 'Readable statements for on-chain accounts',
  education: 'Short lessons that adapt to what was forgotten',
  'health-fitness': 'Training plans that bend around a busy week',
  'social-media': 'Posts queued once and published everywhere',
  'content-creation': 'From rough recording to finished episode',
  sales: 'A pipeline that tells whom to call next',
  'customer-support': 'Answers found before the ticket is written',
  recruiting: 'Fair interviews with half the scheduling',
  'real-estate': 'Viewings, offers and contracts in one folder',
  travel: 'Itineraries that survive a missed connection',
  legal: 'Contracts compared clause by clause',
  security: 'Alerts that only ring when it matters',
  'iot-hardware': 'Small sensors with a very long battery life',
  'green-tech': 'Energy bills turned into a plan',
  entertainment: 'Quiz nights for people far apart',
  games: 'Tiny puzzles for the way to work',
  community: 'A home for clubs, with dues and dates',
  'news-magazines': 'Local stories, paid for by their readers',
  utilities: 'The converter that was missing',
  marketplace: 'Second-hand tools, inspected and delivered',
  'mobile-apps': 'A pocket journal that writes half of itself',
};
const endings = [
  '.',
  ', for teams that would rather build.',
  ' — without the spreadsheet.',
  ', in twelve languages, from Åland to 日本.',
  '. Made with care, and a little ☕️.',
];

function sampleStartup(seed: number, index: number, verifiedBefore: number) {
  const random = sampleRandom(seed, index);
  const { name, slug, handle } = invent(seed, index);
  const category = random.pick(categories);
  const revenue = inventRevenue(random);
  const dollars = revenue.last30Days / 100;
  const customers = Math.floor(dollars * random.next()) + random.below(60);
  const onSale = random.chance(0.1);
  const founded = LATEST - random.below(12 * 365) * DAY_MS;
  const invented = {
    name,
    slug,
    icon: orNull(random, 0.15, () => `https://icons.example/${slug}.png`),
    description: orNull(random, 0.08, () => sentenceOn(random, name, category)),
    website: orNull(random, 0.05, () => `https://${slug}.example`),
    country: orNull(random, 0.12, () => random.pick(random.chance(0.8) ? commonCountries : countries)),
    foundedDate: orNull(random, 0.1, () => isoDate(founded)),
    category: orNull(random, 0.04, () => category),
    paymentProvider: random.pick(paymentProviders),
    targetAudience: orNull(random, 0.2, () => random.pick(targetAudiences)),
    revenue,
    customers,
    activeSubscriptions: random.below(customers + 1),
    askingPrice: onSale ? orNull(random, 0.05, () => inventPrice(random, revenue.last30Days)) : null,
    profitMarginLast30Days: orNull(random, 0.3, () => random.below(1001) / 10),
    growth30d: orNull(random, 0.1, () => inventGrowth(random)),
    growthMRR30d: orNull(random, 0.2, () => inventGrowth(random)),
    visitorsLast30Days: orNull(random, 0.35, () =>
      random.chance(0.02) ? 0 : Math.floor(dollars * 8 * random.next()) + random.below(2000),
    ),
    googleSearchImpressionsLast30Days: orNull(random, 0.6, () => random.below(2_000_000)),
    onSale,
    firstListedForSaleAt:
      onSale || random.chance(0.05)
        ? isoDate(founded + Math.floor((LATEST - founded) * random.next()))
        : null,
    xHandle: orNull(random, 0.25, () => handle),
    teamSize: orNull(random, 0.3, () => random.pick(teamSizes)),
    fundingStatus: orNull(random, 0.35, () => (random.chance(0.85) ? 'bootstrapped' : 'vc-funded')),
    active: !random.chance(0.03),
    ...inventDetails(random, slug, verifiedBefore),
  } satisfies ImportRecord;
  return { ...invented, ...agreeing(invented) };
}

/** The figures that follow from others: what is 0 has not grown, and MRR grows about as revenue does. */
function agreeing({
  revenue,
  activeSubscriptions,
  growth30d,
  growthMRR30d: own,
}: Required<Pick<ImportRecord, 'revenue' | 'activeSubscriptions' | 'growth30d' | 'growthMRR30d'>>) {
  return {
    activeSubscriptions: revenue.mrr === 0 ? 0 : activeSubscriptions,
    growth30d: revenue.last30Days === 0 ? null : growth30d,
    growthMRR30d:
      revenue.mrr === 0 || own === null ? null : Math.round(9 * (growth30d ?? own) + own) / 10 + 0,
  };
}

const technologies =
  'Next.js,React,Vue,Svelte,Rails,Django,Laravel,Go,Rust,PostgreSQL,Redis,Tailwind CSS,Swift,Kotlin'.split(
    ',',
  );
const pricings = [
  'A monthly subscription',
  'One payment, then updates for a year',
  'Free, with paid plans for teams',
  'A price for each seat',
];
const personas = [
  'Founders of small companies',
  'Teams of two to ten developers',
  'Freelancers with several clients',
  'Shop owners without a developer',
];
const firstNames = ['Alma', 'Bo', 'Chidi', 'Dana', 'Emre', 'Freya', 'Goran', 'Hana', 'Ines', 'João'];

/** What only a detail record has. After all others, so that these keep their values. */
function inventDetails(random: SampleRandom, slug: string, verifiedBefore: number) {
  const isDescribed = random.chance(0.6);
  const ifDescribed = <T>(make: () => T): T | null => (isDescribed ? make() : null);
  const [word = ''] = slug.split('-');
  return {
    // Most within a month, and some that nobody has confirmed for long.
    verifiedAt: orNull(random, 0.1, () =>
      isoDate(verifiedBefore - Math.floor((random.chance(0.85) ? 20 : 200) * DAY_MS * random.next())),
    ),
    techStack: isDescribed
      ? [...new Set(Array.from({ length: 1 + random.below(5) }, () => random.pick(technologies)))]
      : [],
    cofounders: random.chance(0.2) ? [`${word}_two_sample`] : [],
    founderName: ifDescribed(() => `${random.pick(firstNames)} Sample`),
    founderMessage: ifDescribed(
      () => 'I am invented, and so are my customers. Ask me anything that a made-up founder can answer.',
    ),
    xFollowerCount: ifDescribed(() => random.below(50_000)),
    isMerchantOfRecord: ifDescribed(() => random.chance(0.3)),
    valueProposition: ifDescribed(() => `Saves ${1 + random.below(9)} hours a week.`),
    problemSolved: ifDescribed(() => 'Work that is done by hand each week, and forgotten each month.'),
    pricingModel: ifDescribed(() => random.pick(pricings)),
    targetPersona: ifDescribed(() => random.pick(personas)),
  } satisfies Partial<ImportRecord>;
}

function invent(seed: number, index: number): { name: string; slug: string; handle: string } {
  // Before the first record's numbers, so that neighbouring seeds begin far apart.
  const start = sampleRandom(seed, -1).below(nameCount);
  let number = (start + index * NAME_STEP) % nameCount;
  const round = Math.floor(index / nameCount);
  const noun = nouns[number % nouns.length] as string;
  number = Math.floor(number / nouns.length);
  let word = '';
  for (let syllable = 0; syllable < 3; syllable += 1) {
    word += syllables[number % syllables.length];
    number = Math.floor(number / syllables.length);
  }
  const again = round === 0 ? '' : String(round + 1);
  return {
    name: `${word[0]?.toUpperCase()}${word.slice(1)} ${noun}${again && ` ${again}`}`,
    slug: `${word}-${noun.toLowerCase()}${again && `-${again}`}`,
    // Without the noun, so that one founder has several startups now and then.
    handle: `${word}_sample`,
  };
}

/** Cents. A few earn nothing yet; the others spread over five orders of magnitude around 1,800 USD a month. */
function inventRevenue(random: SampleRandom): ImportRecord['revenue'] {
  const last30Days = random.chance(0.06) ? 0 : Math.round(180_000 * Math.exp(1.9 * random.normal()));
  const mrr = random.chance(0.15) ? 0 : Math.round(last30Days * (0.4 + 0.7 * random.next()));
  return {
    last30Days,
    mrr,
    total: last30Days + Math.round(last30Days * 40 * random.next()) + random.below(50_000),
  };
}

/** Cents, in whole hundreds of dollars: between half a year and five years of revenue. */
function inventPrice(random: SampleRandom, last30Days: number): number {
  return 50_000 + Math.round((last30Days * 12 * (0.5 + 4.5 * random.next())) / 10_000) * 10_000;
}

/** A percentage with one decimal, mostly between -60 and 80, never below -100. */
function inventGrowth(random: SampleRandom): number {
  // Plus 0, which makes a negative zero a plain one, as JSON does.
  return Math.max(-1000, Math.round(80 + 300 * random.normal())) / 10 + 0;
}

function sentenceOn(random: SampleRandom, name: string, category: Category): string {
  const pitch = `${pitches[category]}${random.pick(endings)}`;
  // A few are longer than lists show, with a character of several code points near the cut.
  return random.chance(0.05)
    ? `${pitch} ${`${name} is invented, and so is its team 👩🏽‍🚀. `.repeat(4)}`.trim()
    : pitch;
}

function orNull<T>(random: SampleRandom, probability: number, make: () => T): T | null {
  return random.chance(probability) ? null : make();
}

function isoDate(ms: number): string {
  return new Date(ms).toISOString();
}
