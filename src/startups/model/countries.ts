import { foldText } from '../../lib/text/words.ts';

/** The 249 officially assigned country codes of ISO 3166-1 alpha-2, in alphabetical order. */
export const countries: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

const codes: ReadonlySet<string> = new Set(countries);

/** Whether `code` is an officially assigned country code, in capitals. */
export function isCountry(code: string): boolean {
  return codes.has(code);
}

const FIRST_FLAG_LETTER = 0x1f1e6;
const FLAG = /^\p{RI}{2}$/u;

/** The code of a country that is given by its code, its flag, or its name in English, German or French, in any case. */
export function findCountry(text: string): string | undefined {
  const trimmed = text.trim();
  if (FLAG.test(trimmed)) {
    const letters = [...trimmed].map(
      (letter) => 0x41 + (letter.codePointAt(0) as number) - FIRST_FLAG_LETTER,
    );
    const code = String.fromCharCode(...letters);
    return isCountry(code) ? code : undefined;
  }
  return isCountry(text) ? text : codesByName().get(simplify(text));
}

/** Usual names that Unicode does not have. */
const otherNames: Readonly<Record<string, string>> = {
  USA: 'US',
  'United States of America': 'US',
  'Great Britain': 'GB',
  Großbritannien: 'GB',
  England: 'GB',
  'The Netherlands': 'NL',
  Holland: 'NL',
  'Czech Republic': 'CZ',
  Turkey: 'TR',
  'Ivory Coast': 'CI',
  'Etats Unis d’Amérique': 'US',
  'Grande Bretagne': 'GB',
  Angleterre: 'GB',
  Hollande: 'NL',
};

let names: ReadonlyMap<string, string> | undefined;

/** Made when it is first needed, which takes some 80 ms. */
function codesByName(): ReadonlyMap<string, string> {
  if (names !== undefined) {
    return names;
  }
  const inLanguages = ['en', 'de', 'fr'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const regions = new Intl.DisplayNames(language, { type: 'region', style });
      return countries.map((code) => [regions.of(code) ?? code, code] as const);
    }),
  );
  const others = Object.entries(otherNames);
  const own = countries.map((code) => [code, code] as const);
  names = new Map([...others, ...inLanguages, ...own].map(([name, code]) => [simplify(name), code]));
  return names;
}

function simplify(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
