import { distance } from 'fastest-levenshtein';
import { foldText } from '../../lib/text/words.ts';
import { type StartupFieldPath, storedStartupFields } from '../model/fields.ts';

/** What tables call a field, in the form of {@link toWords}, in English and German. */
const otherNames: Readonly<Partial<Record<StartupFieldPath, readonly string[]>>> = {
  name: ['company', 'startup', 'product', 'title', 'firma', 'unternehmen', 'firmenname', 'produkt'],
  slug: ['permalink', 'identifier', 'kennung'],
  icon: ['logo', 'image', 'bild'],
  description: ['about', 'summary', 'tagline', 'pitch', 'beschreibung', 'kurzbeschreibung'],
  website: ['url', 'domain', 'homepage', 'link', 'site', 'webseite', 'internetseite'],
  country: ['country code', 'location', 'land'],
  foundedDate: [
    'founded',
    'founded on',
    'founding date',
    'launched',
    'launch date',
    'start date',
    'gegrundet',
    'grundung',
  ],
  category: ['industry', 'sector', 'market', 'vertical', 'niche', 'kategorie', 'branche'],
  paymentProvider: [
    'provider',
    'payment',
    'payments',
    'verified by',
    'zahlung',
    'zahlungsanbieter',
    'zahlungsdienst',
  ],
  targetAudience: ['audience', 'customer type', 'business model', 'zielgruppe'],
  'revenue.last30Days': [
    'revenue',
    'revenue 30 days',
    'revenue 30d',
    '30 day revenue',
    '30d revenue',
    'revenue last month',
    'umsatz',
    'umsatz 30 tage',
    'umsatz letzte 30 tage',
    'sales',
  ],
  'revenue.mrr': [
    'mrr',
    'monthly revenue',
    'monthly recurring revenue',
    'monthly recurring',
    'recurring revenue',
    'revenue month',
    'revenue per month',
    'umsatz monat',
    'monatsumsatz',
    'umsatz pro monat',
    'wiederkehrender umsatz',
  ],
  'revenue.total': [
    'all time revenue',
    'revenue all time',
    'lifetime revenue',
    'revenue to date',
    'total sales',
    'gesamtumsatz',
    'umsatz gesamt',
    'gesamt',
  ],
  customers: [
    'users',
    'clients',
    'customer count',
    'number of customers',
    'paying customers',
    'kunden',
    'kundenzahl',
    'anzahl kunden',
  ],
  activeSubscriptions: [
    'subscriptions',
    'subscribers',
    'active subs',
    'active subscribers',
    'abos',
    'aktive abos',
    'abonnenten',
    'abonnements',
  ],
  askingPrice: ['price', 'asking', 'ask', 'sale price', 'preis', 'kaufpreis', 'verkaufspreis'],
  profitMarginLast30Days: ['profit margin', 'margin', 'profit', 'marge', 'gewinnmarge', 'umsatzrendite'],
  growth30d: [
    'growth',
    'growth rate',
    'revenue growth',
    'growth 30 days',
    'mom growth',
    'wachstum',
    'umsatzwachstum',
  ],
  growthMRR30d: ['mrr growth', 'mrr wachstum'],
  visitorsLast30Days: ['visitors', 'traffic', 'visits', 'monthly visitors', 'visitors 30 days', 'besucher'],
  googleSearchImpressionsLast30Days: [
    'impressions',
    'search impressions',
    'google impressions',
    'impressionen',
  ],
  onSale: [
    'for sale',
    'listed',
    'selling',
    'zum verkauf',
    'zu verkaufen',
    'verkauflich',
    'steht zum verkauf',
  ],
  firstListedForSaleAt: ['listed on', 'listed at', 'listing date', 'listed since', 'angeboten seit'],
  xHandle: ['x', 'twitter', 'twitter handle', 'founder x', 'x account'],
  teamSize: ['team', 'employees', 'headcount', 'mitarbeiter', 'teamgrosse'],
  fundingStatus: ['funding', 'funded', 'finanzierung'],
  active: ['ranked', 'aktiv', 'status'],
};

/** Words that say nothing about which field it is. */
const FILLERS =
  /\b(usd|us|dollars?|cents?|eur|euro|in|the|of|current|verified|percent|pct|amount|number|nr|anzahl)\b/g;

/** The words of a name, without case, accents and punctuation: `MRR (US$)` and `revenueMrr` are `mrr us`, `revenue mrr`. */
function toWords(name: string): string {
  return foldText(
    name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Z])/g, ' '),
  )
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Without fillers, and whatever the order: `total revenue` is `revenue total`. */
const plain = (words: string): string => words.replace(FILLERS, ' ').trim().split(/\s+/).toSorted().join(' ');

const known = new Map(
  storedStartupFields.map(({ path }) => [
    path,
    [path, path.slice(path.indexOf('.') + 1), ...(otherNames[path] ?? [])]
      .map(toWords)
      .map((name) => ({ name, core: plain(name) })),
  ]),
);

/** Longer names are not compared letter by letter. */
const MOST_COMPARED = 60;

/** Says how well the name of a column names a field, from 0 to 1. */
export function createNameMatcher(column: string): (path: StartupFieldPath) => number {
  const words = toWords(column.slice(0, MOST_COMPARED));
  const core = plain(words);
  const score = (field: { readonly name: string; readonly core: string }): number => {
    if (core !== '' && core === field.core) {
      return 0.95;
    }
    if (core.length > 4 && distance(core, field.core) <= Math.floor(field.name.length / 5)) {
      return 0.8;
    }
    const isPart = field.name.length > 2 && ` ${words} `.includes(` ${field.name} `);
    return isPart ? 0.5 + 0.3 * (field.name.length / words.length) : 0;
  };
  return (path) => (column === path ? 1 : Math.max(0, ...(known.get(path) ?? []).map(score)));
}

/** What a column's name says about the unit of its amounts. */
export function unitOf(column: string): 'dollars' | 'cents' | undefined {
  const words = foldText(column);
  return /\bcents?\b/.test(words) ? 'cents' : /\$|\b(usd|dollars?)\b/.test(words) ? 'dollars' : undefined;
}
