import { foldText } from '../../lib/text/words.ts';
import { type StartupFieldPath, storedStartupFields } from '../model/fields.ts';
import { withoutUnits } from './notations.ts';

/** What tables call a field, in the form of {@link toWords}, in English, German and French. */
const otherNames: Readonly<Partial<Record<StartupFieldPath, string>>> = {
  name: 'company,startup,startup name,company name,product,product name,title,firma,firmenname,unternehmen,produkt,entreprise,societe,nom,produit',
  slug: 'permalink,identifier,kennung',
  icon: 'logo,image,bild',
  description:
    'about,summary,tagline,pitch,one liner,beschreibung,kurzbeschreibung,resume,startupInsights description',
  website:
    'url,domain,homepage,link,site,web site,webseite,internetseite,site web,adresse web,startup url,company url',
  country: 'country code,location,land,pays,headquarters country,hq country',
  foundedDate:
    'founded,founded on,founding date,founding year,year founded,launched,launch date,start date,gegrundet,grundung,grundungsjahr,grundungsdatum,cree,date de creation,annee de creation,fondee',
  category: 'industry,sector,vertical,niche,kategorie,branche,categorie,secteur',
  paymentProvider:
    'provider,payment,payments,verified by,zahlung,zahlungsanbieter,zahlungsdienst,prestataire de paiement',
  targetAudience: 'audience,customer type,business model,zielgruppe,public cible,cible',
  'revenue.last30Days':
    'revenue,revenue 30 days,revenue 30d,revenue last 30d,revenue last 30 days,revenue past 30 days,30 day revenue,30d revenue,last 30 days,umsatz,umsatz 30 tage,umsatz letzte 30 tage,sales,sales last 30 days,chiffre affaires 30 jours,revenu 30 jours,revenus 30 derniers jours',
  'revenue.mrr':
    'mrr,monthly revenue,monthly recurring revenue,monthly recurring,monthly,revenue month,revenue per month,revenue monthly,umsatz monat,monatsumsatz,umsatz pro monat,monatlich wiederkehrender umsatz,revenu mensuel,revenu recurrent mensuel,revenu mensuel recurrent',
  'revenue.total':
    'total revenue,all time revenue,revenue all time,lifetime revenue,revenue to date,total,lifetime,total sales,gesamtumsatz,umsatz gesamt,revenu total,chiffre affaires total',
  customers:
    'users,clients,customer count,paying customers,paying users,kunden,kundenzahl,zahlende kunden,clients payants',
  activeSubscriptions:
    'subscriptions,subscribers,active subs,active subscribers,abos,aktive abos,abonnenten,abonnements,aktive abonnements,abonnes,abonnements actifs',
  askingPrice:
    'price,asking,ask,sale price,list price,preis,kaufpreis,verkaufspreis,prix,prix demande,prix de vente',
  profitMarginLast30Days: 'profit margin,margin,marge,gewinnmarge,umsatzrendite,marge beneficiaire',
  growth30d: 'growth,growth rate,revenue growth,growth 30 days,mom growth,wachstum,umsatzwachstum,croissance',
  growthMRR30d: 'mrr growth,mrr wachstum,croissance mrr',
  visitorsLast30Days:
    'visitors,traffic,visits,monthly visitors,visitors 30 days,besucher,monatliche besucher,visiteurs,visiteurs mensuels',
  googleSearchImpressionsLast30Days: 'impressions,search impressions,google impressions,impressionen',
  onSale:
    'for sale,is for sale,listed,selling,zum verkauf,zu verkaufen,verkauflich,steht zum verkauf,a vendre,en vente',
  firstListedForSaleAt: 'listed on,listed at,listing date,listed since,angeboten seit',
  xHandle: 'x,twitter,twitter handle,x handle,founder x,x account,x profile,twitter profile,compte x',
  teamSize: 'team,employees,headcount,company size,mitarbeiter,teamgrosse,effectif,employes,taille equipe',
  fundingStatus: 'funded,financing,finanzierung,financement',
  founderName: 'founder,grunder,fondateur',
  cofounders: 'co founders,mitgrunder,cofondateurs',
  techStack: 'stack,technologies,technology,built with,technologien',
  xFollowerCount: 'followers,x followers,twitter followers,follower',
  active: 'ranked,aktiv,actif',
  valueProposition: 'startupInsights valueProposition',
  problemSolved: 'startupInsights problemSolved,problem',
  pricingModel: 'startupInsights pricingModel,pricing',
  targetPersona: 'startupInsights targetPersona,persona',
};

/** Words that say nothing about which field it is. */
const FILLERS =
  /(^| )(us|in|the|of|our|your|current|currently|now|verified|amount|number|nr|no|anzahl|nombre|aktuell|d|de|du|des|le|la|les|as)(?= |$)/g;
/** Words beside the name of a field that say whose it is; alone they may name one. */
const OWNERS = /(^| )(company|startup|business|product|firm)(?= |$)/g;

/** Why figures of a column are none of a field, by a word of the heading: the first that fits. */
const excluded: readonly (readonly [RegExp, string])[] = [
  [
    /\b(annual|annually|yearly|year|arr|ttm|ltm|12 ?months?|12m|jahrlich|jahres\w*|jahr|annuel\w*|an|annee)\b|\b(19|20)\d\d\b/,
    'figures of a year are no monthly or current ones',
  ],
  [
    /\b(quarter\w*|q[1-4]|weekly|week|daily|day|quartal|trimestr\w*)\b/,
    'figures of another period than a month',
  ],
  [
    /\b(raised|funding|valuation|bewertung|valorisation|investment)\b/,
    'money of investors is no revenue and no price',
  ],
  [
    /\b(last|previous|prev|prior|former|old|earlier|letzte\w*|vorher\w*|vorig\w*|precedent\w*|ancien\w*)\b/,
    'a former figure is no current one',
  ],
  [/\b(new|neue|nouveaux?|nouvelles?)\b/, 'new ones are not all'],
  [
    /\b(target|goal|forecast|projected|expected|plan|ziel|prognose|objectif)\b/,
    'a plan is no verified figure',
  ],
  [/\b(average|avg|mean|median|durchschnitt\w*|moyenn\w*)\b/, 'an average is no total'],
  [/\b(per|pro|par)\b/, 'a figure per something is no total'],
];

/** The words of a name, without case, accents and punctuation: `MRR (US$)` and `revenueMrr` are `mrr us`, `revenue mrr`. */
function toWords(name: string): string {
  return foldText(
    name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Z])/g, ' '),
  )
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whatever the order: `total revenue` is `revenue total`. */
const inOrder = (words: string): string => words.trim().split(/\s+/).toSorted().join(' ');
const plain = (words: string): string => inOrder(words.replace(FILLERS, ' ').replace(FILLERS, ' '));

/** The fields by the names that headings have: first their own, then those of others. */
const known = new Map<string, StartupFieldPath>();
for (const names of [
  (path: StartupFieldPath) => [path, path.slice(path.indexOf('.') + 1)],
  (path: StartupFieldPath) => (otherNames[path] ?? '').split(',').filter((name) => name !== ''),
]) {
  for (const { path } of storedStartupFields) {
    for (const name of names(path).map((one) => plain(toWords(one)))) {
      if (!known.has(name)) {
        known.set(name, path);
      }
    }
  }
}

/** Other money than US dollars, as headings and cells name it. */
const CURRENCIES = [
  /\b(EUR|GBP|CHF|CAD|AUD|NZD|INR|JPY|CNY|RMB|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|SGD|HKD|ILS|KRW|RUB|AED|THB|IDR)\b/g,
  /(?<![A-Za-z])(CA|AU|NZ|HK|MX|[CASR])\$|(?![$¢])\p{Sc}/gu,
  /\b(eur|gbp|chf|inr|cad|aud|euros?|pounds?|sterling|francs?|franken|rupees?|yen|kronor|kroner|zloty|reais)\b/gi,
];

/** The money that a text names, other than US dollars. */
export function otherCurrencyIn(text: string): string | undefined {
  const [found] = CURRENCIES.flatMap((names) => text.match(names) ?? []);
  return found === undefined ? undefined : /^(€|eur|euros?)$/i.test(found) ? 'EUR' : found;
}

/** A heading with spaces between its words: `mrr_usd` and `mrrUsd` are `mrr usd`, `mrr Usd`. */
export function spaced(heading: string): string {
  return heading
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[_\s]+/g, ' ')
    .trim();
}

/** Longer names are not compared. */
const MOST_COMPARED = 80;

/** What a heading says of its column. */
export interface Heading {
  /** The field that it names. */
  readonly path?: StartupFieldPath;
  /** Whether that is the field's own name, or the last part of it. */
  readonly isOwn: boolean;
  /** Why its figures are none of a field. */
  readonly excluded?: string;
  /** Whether its cells name the money of the other columns. */
  readonly isCurrency: boolean;
}

const CURRENCY_NAMES: ReadonlySet<string> = new Set([
  'currency',
  'currency code',
  'wahrung',
  'devise',
  'monnaie',
]);

export function readHeading(heading: string): Heading {
  const name = spaced(heading.slice(0, MOST_COMPARED));
  const words = toWords(withoutUnits(CURRENCIES.reduce((text, names) => text.replace(names, ' '), name)));
  const whole = plain(toWords(name));
  const core = plain(words);
  const owned = plain(words.replace(OWNERS, ' '));
  const path = known.get(whole) ?? known.get(core) ?? (owned === '' ? undefined : known.get(owned));
  const why = excluded.find(([says]) => says.test(words) || says.test(toWords(name)))?.[1];
  const isCurrency = CURRENCY_NAMES.has(core) || CURRENCY_NAMES.has(whole);
  const own =
    path === undefined ? [] : [path, path.slice(path.indexOf('.') + 1)].map((one) => plain(toWords(one)));
  return path === undefined
    ? { isOwn: false, isCurrency, ...(why !== undefined && { excluded: why }) }
    : { path, isOwn: own.includes(core) || own.includes(whole), isCurrency };
}
