import { foldText } from '../../../lib/text/words.ts';
import type { ImportField, StartupFieldPath } from '../../model/fields.ts';
import { isOwnField } from './own-import-fields.ts';

/**
 * What tables call a field, in the form of {@link toWords}, in English, German and French. After `?` are names that do not
 * say all that the field is, such as its period: these are asked.
 */
const otherNames: Readonly<Record<string, string | undefined>> = {
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
} satisfies Partial<Record<StartupFieldPath, string>>;

/** Words that say nothing about which field it is. */
const FILLERS =
  /(^| )(us|in|the|of|our|your|current|currently|now|verified|amount|number|nr|no|anzahl|nombre|aktuell|d|de|du|des|le|la|les|as)(?= |$)/g;
/** A heading with spaces between its words: `mrr_usd` and `mrrUsd` are `mrr usd`, `mrr Usd`. */
export function spaced(heading: string): string {
  return heading
    .replace(/\bMoM\b/g, 'mom')
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[_\s]+/g, ' ')
    .trim();
}

/** The words of a name, without case, accents and punctuation: `MRR (US$)` and `revenueMrr` are `mrr us`, `revenue mrr`. */
export const toWords = (name: string): string =>
  foldText(spaced(name).replace(/(?<=[A-Za-z])(?=\d)/g, ' '))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The words that say something, whatever their order: `total revenue` is `revenue total`. */
export const plainWords = (words: string): string =>
  words.replace(FILLERS, ' ').replace(FILLERS, ' ').trim().split(/\s+/).toSorted().join(' ');

/** The names by which headings name fields. */
interface HeadingNames {
  /** By their words in any order. */
  readonly known: ReadonlyMap<string, { readonly path: string; readonly rank: 2 | 1 | 0 }>;
  /** The same as they are written, the longest first. */
  readonly written: readonly string[];
}

/** The names of fields in headings: first their own, then those of others. */
export function createHeadingNames(fields: readonly ImportField[]): HeadingNames {
  const known = new Map<string, { readonly path: string; readonly rank: 2 | 1 | 0 }>();
  const written: string[] = [];
  for (const rank of [2, 1, 0] as const) {
    for (const field of fields) {
      const { path } = field;
      const [others = '', open = ''] = (otherNames[path] ?? '').split('?');
      // Whoever declares a field knows better than we what the tables of this service call it.
      const label = isOwnField(field) ? [field.own.label] : [];
      const own = [path, path.slice(path.indexOf('.') + 1), ...label];
      const named = { 2: own, 1: others.split(','), 0: open.split(',') }[rank];
      for (const words of named.map(toWords)) {
        known.set(plainWords(words), known.get(plainWords(words)) ?? { path, rank });
        written.push(words);
      }
    }
  }
  known.delete('');
  written.sort((one, other) => other.length - one.length);
  return { known, written };
}
