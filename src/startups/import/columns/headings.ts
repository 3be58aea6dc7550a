import { inCommand } from '../../../lib/text/wording.ts';
import { withoutUnits } from '../notation/notations.ts';
import { plainWords, spaced, toWords } from './heading-names.ts';
import type { ImportFields } from './import-fields.ts';
import { howToDeclare } from './own-import-fields.ts';

/** Words beside the name of a field that say whose it is; alone they may name one. */
const OWNERS = /(^| )(company|startup|business|product|firm)(?= |$)/g;

/** Why figures of a column are none of a field, by words of the heading: the first that fits. */
const excluded = Object.entries({
  'a ratio is no amount, and revgate computes the multiple': 'multiples?|ratio|multiplikator|verhaltnis',
  'about a year, so no monthly or current figure':
    'annual|annually|yearly|year|arr|ttm|ltm|12 ?months?|12m|jahrlich|jahres\\w*|jahr|annuel\\w*|an|annee|(19|20)\\d\\d',
  'figures of another period than a month': 'quarter\\w*|q[1-4]|weekly|week|daily|day|quartal|trimestr\\w*',
  'money of investors is no revenue and no price':
    'raised|funding|valuation|bewertung|valorisation|investment',
  'a former figure, not the current one':
    'last(?! 30)|previous|prev|prior|former|old|earlier|vorjahr\\w*|letzte\\w*(?! 30)|vorher\\w*|vorig\\w*|precedent\\w*|ancien\\w*',
  'new ones are not all': 'new|neue|nouveaux?|nouvelles?',
  'a plan is no verified figure': 'target|goal|forecast|projected|expected|plan|ziel|prognose|objectif',
  'an average is no total': 'average|avg|mean|median|durchschnitt\\w*|moyenn\\w*',
  'a figure per something is no total': 'per|pro|par',
}).map(([why, words]) => ({ why, says: new RegExp(`\\b(${words})\\b`) }));

/** What a heading says of its column. */
interface Heading {
  /** The field that it names, or may mean. */
  readonly path?: string;
  /**
   * How well: by the field's own path, by the last part of it, in other words, so that it is to be asked, or among other
   * words, which is asked where a required field has no column.
   */
  readonly rank: 3 | 2 | 1 | 0 | -1;
  /** The name of a field among other words. */
  readonly contained?: string;
  /** Why its figures are none of a field. */
  readonly excluded?: string;
  /** Whether its cells name the money of the other columns. */
  readonly isCurrency: boolean;
}

/** Other money than US dollars, as headings and cells name it. */
const CURRENCIES = [
  /\b(EUR|GBP|CHF|CAD|AUD|NZD|INR|JPY|CNY|RMB|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|SGD|HKD|ILS|KRW|RUB|AED|THB|IDR)\b|\b[TKM]EUR\b/g,
  /(?<![A-Za-z])(CA|AU|NZ|HK|MX|[CASR])\$|(?![$¢])\p{Sc}/gu,
  /\b(eur|gbp|chf|inr|cad|aud|euros?|pounds?|sterling|francs?|franken|rupees?|yen|kronor|kroner|zloty|reais)\b/gi,
];

/** The money that a text names, other than US dollars. */
export function otherCurrencyIn(text: string): string | undefined {
  const [found] = CURRENCIES.flatMap((names) => text.match(names) ?? []);
  return found === undefined ? undefined : /^(€|[tkm]?eur|euros?)$/i.test(found) ? 'EUR' : found;
}

/** Longer names are not compared. */
const MOST_COMPARED = 80;

export function readHeading({ required, headings, byPath }: ImportFields, heading: string): Heading {
  const undeclared = byPath.has(heading) ? undefined : howToDeclare(heading);
  if (undeclared !== undefined) {
    return { rank: 0, isCurrency: false, excluded: inCommand(undeclared) };
  }
  const name = spaced(heading.slice(0, MOST_COMPARED));
  const formsOf = (text: string): [string, string] => [
    toWords(text),
    toWords(withoutUnits(CURRENCIES.reduce((rest, names) => rest.replace(names, ' '), text))),
  ];
  const find = (text: string) => {
    const [all, words] = formsOf(text);
    const { known } = headings;
    return (
      known.get(plainWords(all)) ??
      known.get(plainWords(words)) ??
      known.get(plainWords(words.replace(OWNERS, ' ')))
    );
  };
  const words = formsOf(name);
  const isCurrency = words.some((one) => /^(currency|wahrung|devise|monnaie)( code)?$/.test(one));
  const found = find(name);
  if (found !== undefined) {
    return { ...found, rank: heading === found.path ? 3 : found.rank, isCurrency };
  }
  const why = excluded.find(({ says }) => words.some((one) => says.test(one)))?.why;
  // A key of an object in JSON: whose name or figure it is, the path does not say.
  const isKey = why === undefined && heading.includes('.');
  const { path } = (isKey && find(name.slice(name.lastIndexOf('.') + 1))) || {};
  if (path === undefined && why === undefined && !isCurrency) {
    const [, rest] = words;
    // The longest name of all fields: that of a required one in it may be a part of another's.
    const contained = headings.written.find((one) => ` ${rest} `.includes(` ${one} `));
    const within = contained === undefined ? undefined : headings.known.get(plainWords(contained));
    // The name is asked in any case.
    const isRequired = within !== undefined && within.path !== 'name' && required.includes(within.path);
    if (contained !== undefined && isRequired) {
      return { path: within.path, rank: -1, contained, isCurrency };
    }
  }
  return { ...(path && { path }), rank: 0, isCurrency, ...(why !== undefined && { excluded: why }) };
}
