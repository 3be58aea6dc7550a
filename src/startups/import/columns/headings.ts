import { foldText } from '../../../lib/text/words.ts';
import { type StartupFieldPath, storedStartupFields } from '../../model/fields.ts';
import { withoutUnits } from '../notation/notations.ts';
import { missingFields } from './field-names.ts';

/**
 * What tables call a field, in the form of {@link toWords}, in English, German and French. After `?` are names that do not
 * say all that the field is, such as its period: these are asked.
 */
const otherNames: Readonly<Partial<Record<StartupFieldPath, string>>> = {
  name: 'company,startup,startup name,company name,product,product name,firma,firmenname,unternehmen,produkt,entreprise,societe,nom,produit?title,titel,titre',
  slug: 'permalink?identifier,kennung',
  icon: 'logo,icon url,logo url?image,bild',
  description:
    'about,summary,tagline,pitch,one liner,beschreibung,kurzbeschreibung,resume,startupInsights description',
  website:
    'url,domain,homepage,site,web site,webseite,internetseite,site web,adresse web,startup url,company url?link',
  country: 'country code,land,pays,headquarters country,hq country?location,standort',
  foundedDate:
    'founded,founded on,founded at,founding date,founding year,year founded,gegrundet,grundung,' +
    'grundungsjahr,grundungsdatum,fondee,date de creation,annee de creation?cree,launched,launch date,' +
    'start date,year,jahr,annee',
  category: 'category code,industry,sector,vertical,niche,kategorie,branche,categorie,secteur',
  paymentProvider:
    'provider,verified by,zahlungsanbieter,zahlungsdienst,prestataire de paiement?payment,payments,zahlung',
  targetAudience: 'audience,customer type,zielgruppe,public cible,cible?business model',
  'revenue.last30Days':
    'revenue 30 days,revenue 30d,revenue last 30d,revenue last 30 days,revenue past 30 days,30 day revenue,' +
    '30d revenue,umsatz 30 tage,umsatz letzte 30 tage,sales last 30 days,chiffre affaires 30 jours,ca 30 jours,' +
    'revenu 30 jours,revenus 30 derniers jours?revenue,sales,turnover,umsatz,chiffre affaires,ca,revenu,' +
    'revenus,last 30 days,last 30d',
  'revenue.mrr':
    'mrr,monthly recurring revenue,monatlich wiederkehrender umsatz,revenu recurrent mensuel,' +
    'revenu mensuel recurrent?monthly revenue,monthly recurring,monthly,revenue month,revenue per month,' +
    'revenue monthly,umsatz monat,monatsumsatz,umsatz pro monat,revenu mensuel',
  'revenue.total':
    'total revenue,all time revenue,revenue all time,lifetime revenue,revenue lifetime,revenue to date,' +
    'gesamtumsatz,umsatz gesamt,revenu total,chiffre affaires total?total,lifetime,total sales',
  customers:
    'customer count,paying customers,paying users,kunden,kundenzahl,zahlende kunden,clients,clients payants?users,user count',
  activeSubscriptions:
    'active subs,active subscribers,aktive abos,aktive abonnenten,abonnements actifs,' +
    'abonnes actifs?subs,subscriptions,subscribers,abos,abonnenten,abonnements,abonnes',
  askingPrice:
    'asking,ask,sale price,list price,kaufpreis,verkaufspreis,prix demande,prix de vente?price,preis,prix',
  profitMarginLast30Days:
    'profit margin 30 days,profit margin 30d?profit margin,margin,marge,gewinnmarge,umsatzrendite,marge beneficiaire',
  growth30d:
    'growth 30 days,revenue growth 30 days,mom growth,mom revenue growth,growth month over month,' +
    'wachstum 30 tage,croissance 30 jours?growth,growth rate,revenue growth,wachstum,umsatzwachstum,' +
    'croissance',
  growthMRR30d: 'mrr growth 30 days,mom mrr growth?mrr growth,mrr wachstum,croissance mrr',
  visitorsLast30Days:
    'monthly visitors,visitors 30 days,monatliche besucher,visiteurs mensuels?visitors,traffic,visits,besucher,visiteurs',
  googleSearchImpressionsLast30Days:
    'google impressions 30 days?impressions,search impressions,google impressions,impressionen',
  onSale:
    'for sale,is for sale,zum verkauf,zu verkaufen,verkauflich,steht zum verkauf,a vendre,en vente?listed,selling',
  firstListedForSaleAt:
    'first listed,first listed on,first listed at,listing date,listed since?listed on,listed at,angeboten seit',
  // Of a company or of its founder, only the latter of which is the field.
  xHandle:
    'founder x,founder twitter,founder x handle,founder twitter handle,twitter fondateur,twitter grunder' +
    '?x,twitter,twitter handle,x account,x profile,twitter profile,compte x',
  teamSize:
    'team,staff,team members,employees,headcount,company size,mitarbeiter,teamgrosse,effectif,employes,taille equipe',
  fundingStatus: 'funded?financing,finanzierung,financement',
  founderName: 'founder,founder full name,x founder name,grunder,fondateur',
  founderMessage: 'seller message,message from founder,message from seller',
  cofounders: 'co founders,mitgrunder,cofondateurs',
  techStack: 'stack,technologies,technology,built with,technologien',
  xFollowerCount: 'x followers,twitter followers,founder followers,founder follower count?followers,follower',
  active: '?ranked,aktiv,actif',
  valueProposition: 'startupInsights valueProposition',
  problemSolved: 'startupInsights problemSolved?problem',
  pricingModel: 'startupInsights pricingModel?pricing',
  targetPersona: 'startupInsights targetPersona?persona',
};

/** Words that say nothing about which field it is. */
const FILLERS =
  /(^| )(us|in|the|of|our|your|current|currently|now|verified|amount|number|nr|no|anzahl|nombre|aktuell|d|de|du|des|le|la|les|as)(?= |$)/g;
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

/** A heading with spaces between its words: `mrr_usd` and `mrrUsd` are `mrr usd`, `mrr Usd`. */
export function spaced(heading: string): string {
  return heading
    .replace(/\bMoM\b/g, 'mom')
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[_\s]+/g, ' ')
    .trim();
}

/** The words of a name, without case, accents and punctuation: `MRR (US$)` and `revenueMrr` are `mrr us`, `revenue mrr`. */
const toWords = (name: string): string =>
  foldText(spaced(name).replace(/(?<=[A-Za-z])(?=\d)/g, ' '))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The words that say something, whatever their order: `total revenue` is `revenue total`. */
const plain = (words: string): string =>
  words.replace(FILLERS, ' ').replace(FILLERS, ' ').trim().split(/\s+/).toSorted().join(' ');

/** What a heading says of its column. */
interface Heading {
  /** The field that it names, or may mean. */
  readonly path?: StartupFieldPath;
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

/** By the names that headings have: first their own, then those of others. */
const known = new Map<string, { readonly path: StartupFieldPath; readonly rank: 2 | 1 | 0 }>();
/** The same as they are written, the longest first. */
const names: string[] = [];
for (const rank of [2, 1, 0] as const) {
  for (const { path } of storedStartupFields) {
    const [others = '', open = ''] = (otherNames[path] ?? '').split('?');
    const named = { 2: `${path},${path.slice(path.indexOf('.') + 1)}`, 1: others, 0: open }[rank];
    for (const words of named.split(',').map(toWords)) {
      known.set(plain(words), known.get(plain(words)) ?? { path, rank });
      names.push(words);
    }
  }
}
known.delete('');
names.sort((one, other) => other.length - one.length);

/** Fields that every startup has; its name is asked in any case. */
const REQUIRED: ReadonlySet<string> = new Set(missingFields((path) => path === 'name', {}));

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

export function readHeading(heading: string): Heading {
  const name = spaced(heading.slice(0, MOST_COMPARED));
  const formsOf = (text: string): [string, string] => [
    toWords(text),
    toWords(withoutUnits(CURRENCIES.reduce((rest, names) => rest.replace(names, ' '), text))),
  ];
  const find = (text: string) => {
    const [all, words] = formsOf(text);
    return known.get(plain(all)) ?? known.get(plain(words)) ?? known.get(plain(words.replace(OWNERS, ' ')));
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
    const contained = names.find((one) => ` ${rest} `.includes(` ${one} `));
    const within = contained === undefined ? undefined : known.get(plain(contained));
    if (contained !== undefined && within !== undefined && REQUIRED.has(within.path)) {
      return { path: within.path, rank: -1, contained, isCurrency };
    }
  }
  return { ...(path && { path }), rank: 0, isCurrency, ...(why !== undefined && { excluded: why }) };
}
