// Searches the reference: loaded, with its index, when the field is first used.

/** Words of questions that say nothing about their subject. */
const IGNORED = new Set(
  'a an and any are at be by can do does for from get happen happens has have how i if in into is it its make many may me mean means much my of on only or our per see should so the their them there this to use want was we what when where which who why will with you your'.split(
    ' ',
  ),
);
/** Words that readers use for those of the pages. */
const SYNONYMS = {
  a11y: 'accessibility',
  average: 'median',
  credit: 'attribution',
  cluster: 'nodes',
  crash: 'failure',
  csp: 'policy',
  chatgpt: 'agent',
  cheaper: 'reduced',
  debug: 'failed',
  discount: 'reduced',
  domain: 'website',
  excel: 'csv',
  gdpr: 'delete',
  iframe: 'embed',
  noscript: 'scripts',
  notification: 'webhook',
  notifications: 'webhook',
  outdated: 'stale',
  postman: 'openapi',
  privacy: 'delete',
  registration: 'invite',
  resell: 'license',
  rss: 'feed',
  rtl: 'right',
  sandbox: 'sample',
  spreadsheet: 'csv',
  sync: 'copy',
  synchronize: 'copy',
  timezone: 'utc',
  widget: 'component',
  yesterday: 'since',
};
/** The most letters of an extract. */
const EXTRACT = 150;

const wordsOf = (text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
/** Without its ending, so that "paged" finds "pages" and "paging". */
const stem = (word) => word.replace(/(?<=\w{3})(?:ings?|ed|es|s|e)$/, '');
const stemsOf = (text) => new Set(wordsOf(text).map(stem));
/** A name as it is and as words: "StartupSort" is also a "Startup Sort". */
const withWords = (name) => `${name} ${name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}`;

/** The name and an extract of the text of a result, each in parts: every second one is a word that was asked for. */
export function partsOf({ name, text, words }) {
  const asked = new RegExp(`(?<![a-z0-9])((?:${words.join('|')})[a-z0-9]*)`, 'gi');
  // The text of a field begins with its name.
  const whole = text.startsWith(`${name} · `) ? text.slice(name.length + 3) : text;
  return { name: name.split(asked), extract: extractOf(whole, asked, words).split(asked) };
}

/** The part of a text that has the most of the words, from the begin of their clause if that is near. */
function extractOf(text, asked, words) {
  const places = [...text.matchAll(asked)].map(({ 0: word, index }) => ({
    at: index,
    word: words.find((one) => word.toLowerCase().startsWith(one)),
  }));
  const countFrom = (from) =>
    new Set(places.filter(({ at }) => at >= from && at < from + EXTRACT * 0.6).map(({ word }) => word)).size;
  const { at = 0 } = places.toSorted((one, other) => countFrom(other.at) - countFrom(one.at))[0] ?? {};
  const begin = [...text.slice(0, at).matchAll(/[.:] /g)].at(-1)?.index + 2 || 0;
  const start = at - begin < EXTRACT * 0.4 ? begin : text.indexOf(' ', at - EXTRACT * 0.3) + 1;
  const rest = text.slice(start).replace(/^· /, '');
  const end = rest.length > EXTRACT ? `${rest.slice(0, rest.lastIndexOf(' ', EXTRACT))} …` : rest;
  return start === begin ? end : `… ${end}`;
}

/**
 * Prepares an index, and returns the search: the entries that have at least half the words of a question, the best
 * first, each with those words.
 *
 * A word counts the more, the fewer entries have it. It counts most in a name, then in the title of a page, then in a
 * text, where it counts the more, the shorter the text; and less where it is only the beginning of a word.
 */
export function prepare(index) {
  const entries = index.flatMap(([slug, title, anchors]) =>
    anchors.map(([anchor, name, text], position) => {
      const words = stemsOf(text);
      return {
        slug,
        title,
        anchor,
        name,
        text,
        /** The type or body that it belongs to. */
        under: anchors.find(([one]) => one !== '' && anchor.startsWith(`${one}.`))?.[1],
        isPage: position === 0,
        called: `${name} ${anchor}`.toLowerCase(),
        fields: [
          [4, stemsOf(withWords(`${name} ${anchor}`))],
          [2, stemsOf(`${title} ${slug}`)],
          [1 + 20 / (20 + words.size), words],
        ],
      };
    }),
  );

  /** How well an entry has a word: 0 if it has not. */
  const fitOf = ({ fields }, word) =>
    Math.max(
      ...fields.map(([weight, words]) =>
        words.has(word) ? weight : [...words].some((one) => one.startsWith(word)) ? weight * 0.6 : 0,
      ),
    );

  return (question) => {
    const asked = wordsOf(question).map((word) => (Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : word));
    const subject = asked.filter((word) => !IGNORED.has(word));
    const words = [...new Set((subject.length > 0 ? subject : asked).map(stem))].map((word) => {
      const fits = entries.map((entry) => fitOf(entry, word));
      return { word, fits, rarity: Math.log(1 + entries.length / fits.filter((fit) => fit > 0).length) };
    });
    const wanted = question.trim().toLowerCase();
    return entries
      .map((entry, at) => {
        const found = words.filter(({ fits }) => fits[at] > 0);
        const fit = found.reduce((sum, { fits, rarity }) => sum + fits[at] * rarity, 0);
        const share = found.length / words.length;
        return {
          ...entry,
          words: found.map(({ word }) => word),
          share,
          score: fit * share * (entry.called.includes(wanted) ? 2 : 1) * (entry.isPage ? 1.3 : 1),
        };
      })
      .filter(({ share }) => share >= 0.5)
      .sort((a, b) => b.score - a.score);
  };
}
