import { LRUCache } from 'lru-cache';
import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';
import type { Steps } from '../../lib/loop/time-slices.ts';
import type { Content, Html } from '../shared/jsx.ts';
import { type Group, pathOf } from './contents.ts';
import { placesIn } from './places.ts';

/** Words of questions that say nothing about their subject. */
const IGNORED: ReadonlySet<string> = new Set(
  (
    'a an and any are at be by can do does for from get happen happens has have how i if in into is it its ' +
    'make many may me mean means much my of on only or our per see should so the their them there this to ' +
    'use want was we what when where which who why will with you your'
  ).split(' '),
);

/** Words that readers use, each with the one that the pages have. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  (
    'a11y=accessibility average=median credit=attribution chatgpt=agent cheaper=reduced cluster=nodes ' +
    'crash=failure csp=policy debug=failed discount=reduced domain=website excel=csv gdpr=delete iframe=embed ' +
    'notification=webhook outdated=stale postman=openapi privacy=delete registration=invite resell=license ' +
    'rss=feed rtl=right sandbox=sample sdk=client spreadsheet=csv sync=copy timezone=utc widget=component yesterday=since'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** The most letters of a question, of an extract, and the most results. */
const [LONGEST, EXTRACT, SHOWN] = [100, 150, 20];

/** The most words of a question that are searched for: pages have no rate limit, and each word takes up to 0.5 ms. */
export const MOST_WORDS = 8;

/** The fewest letters of a word that other words may begin with, and of one that is corrected: one letter begins a tenth of all. */
const [PREFIX_LETTERS, CORRECTED_LETTERS] = [3, 4];

/** Headings of the changelog below which is what was removed. */
const REMOVED = /^removed/i;

/** The most recent questions whose results are kept. */
const KEPT_QUESTIONS = 200;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
/** Without its ending, so that "paged" finds "pages" and "paging". */
const stem = (word: string): string => word.replace(/(?<=\w{3})(?:ings?|ed|es|s|e)$/, '');
/** A name as it is and as words: "StartupSort" is also a "Startup Sort". */
const withWords = (name: string): string => `${name} ${name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}`;

/** A place of a page, as the index has it. */
interface IndexedPlace {
  /** Its address. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly words: string;
  /** The title of its page, if it is not the page itself. */
  readonly under: string;
  /** The group of its page in the navigation. */
  readonly group: string;
  readonly isForOperators: boolean;
  /** What its name is made of, and its page, for the search. */
  readonly called: string;
  readonly page: string;
}

/** A place that has the words of a question. */
interface Found extends Pick<IndexedPlace, 'id' | 'name' | 'text' | 'under' | 'group'> {
  /** The stems that were found. */
  readonly words: readonly string[];
}

/** What a question finds. */
interface FoundPlaces {
  /** The best, the first before all. */
  readonly best: readonly Found[];
  /** The number of all. */
  readonly count: number;
}

/** Finds places by a question; those of pages for operators only for them. Each word is a step. */
type SearchDocs = (question: string, isOperator: boolean) => Steps<FoundPlaces>;

/** Prepares the search of all pages. */
export function* createSearch(groups: readonly Group[]): Steps<SearchDocs> {
  const index = new MiniSearch<IndexedPlace>({
    fields: ['called', 'page', 'words'],
    storeFields: ['name', 'text', 'under', 'group', 'isForOperators', 'called'],
    tokenize: wordsOf,
    processTerm: stem,
    searchOptions: {
      boost: { called: 3, page: 2 },
      boostDocument: (id) => (String(id).includes('#') ? 1 : 1.3),
      prefix: (word) => word.length >= PREFIX_LETTERS,
      weights: { prefix: 0.6, fuzzy: 0.2 },
    },
  });
  for (const { title: group, isForOperators, sections } of groups) {
    for (const section of sections) {
      for (const [anchor, name, text, rest] of placesIn(section)) {
        // Who searches for what is gone would find it as if it were there.
        if (section.slug === 'changelog' && REMOVED.test(name)) {
          continue;
        }
        index.add({
          id: `${pathOf(section)}${anchor === '' ? '' : `#${anchor}`}`,
          group,
          isForOperators,
          name,
          text: text || rest,
          words: `${text} ${rest}`,
          called: withWords(`${name} ${anchor}`),
          page: `${section.title} ${section.slug}`,
          under: anchor === '' ? '' : section.title,
        });
        yield;
      }
    }
  }
  /** Adds up what each word finds, as the library does for a question of several words. */
  function* searchWords(words: readonly string[], options: SearchOptions): Steps<SearchResult[]> {
    const found = new Map<string, SearchResult>();
    for (const word of words) {
      yield;
      for (const place of index.search(word, options)) {
        const other = found.get(place.id);
        if (other === undefined) {
          found.set(place.id, place);
        } else {
          other.score += place.score;
          other.terms.push(...place.terms);
          other.queryTerms.push(...place.queryTerms);
        }
      }
    }
    return [...found.values()];
  }

  const kept = new LRUCache<string, FoundPlaces>({ max: KEPT_QUESTIONS });
  return function* (question, isOperator) {
    const whole = question.slice(0, LONGEST).trim().toLowerCase();
    const key = `${isOperator} ${whole}`;
    const known = kept.get(key);
    if (known !== undefined) {
      return known;
    }
    const asked = wordsOf(whole).map((word) => SYNONYMS.get(word) ?? word);
    const subject = asked.filter((word) => !IGNORED.has(word));
    const words = [...new Set((subject.length > 0 ? subject : asked).map(stem))].slice(0, MOST_WORDS);
    const filter = ({ isForOperators }: SearchResult) => isOperator || isForOperators === false;
    const exact = yield* searchWords(words, { filter });
    // With typing errors only where nothing is without.
    const fuzzy = (word: string): number | false => (word.length >= CORRECTED_LETTERS ? 0.2 : false);
    const found = exact.length > 0 ? exact : yield* searchWords(words, { filter, fuzzy });
    yield;
    const places = found
      .map((place) => ({ place, terms: new Set(place.queryTerms).size }))
      .filter(({ terms }) => terms / words.length >= 0.5)
      .map(({ place, terms }) => ({
        ...(place as SearchResult & IndexedPlace),
        words: place.terms,
        score:
          place.score * terms * (terms / words.length) * (place.called.toLowerCase().includes(whole) ? 2 : 1),
      }))
      .sort((a, b) => b.score - a.score);
    const result = { best: places.slice(0, SHOWN), count: places.length };
    kept.set(key, result);
    return result;
  };
}

/** What a question finds, by the groups of the navigation: first the one with the best result. */
export function searchResults(question: string, { best, count }: FoundPlaces): Html {
  const results = `${count} ${count === 1 ? 'result' : 'results'}`;
  const groups = new Set(best.map(({ group }) => group));
  return (
    <div class="found">
      <p class="hint" role="status">
        {question.trim() !== '' &&
          (count > best.length
            ? `Top ${best.length} of ${results}`
            : count > 0
              ? results
              : `Nothing matches "${question.trim().slice(0, LONGEST)}". Try fewer or other words, or begin with one of these.`)}
      </p>
      {[...groups].map((title) => [
        <p class="group soft">{title}</p>,
        <ul class="items bare">{best.filter(({ group }) => group === title).map(resultOf)}</ul>,
      ])}
    </div>
  );
}

function resultOf({ id, name, text, under, words }: Found): Html {
  const asked = new RegExp(`(?<![a-z0-9])((?:${words.join('|')})[a-z0-9]*)`, 'gi');
  return (
    <li>
      <a href={id}>
        <strong>{marked(name, asked)}</strong>
        {under !== '' && <small>{under}</small>}
        <span>{marked(extractOf(text, asked), asked)}</span>
      </a>
    </li>
  );
}

const marked = (text: string, asked: RegExp): Content =>
  text.split(asked).map((part, at) => (at % 2 === 0 ? part : <mark>{part}</mark>));

/** The part of a text that begins with the clause of the first word that was asked for, or near that word. */
function extractOf(text: string, asked: RegExp): string {
  const at = Math.max(0, text.search(asked));
  const begin = [...text.slice(0, at).matchAll(/[.:] /g)].at(-1)?.index ?? -2;
  const start = at - begin < EXTRACT * 0.4 ? begin + 2 : text.indexOf(' ', at - EXTRACT * 0.3) + 1;
  const rest = text.slice(start).replaceAll('· ', '');
  const end = rest.length > EXTRACT ? `${rest.slice(0, rest.lastIndexOf(' ', EXTRACT))} …` : rest;
  return start === 0 || (start === begin + 2 && !/^[a-z]/.test(rest)) ? end : `… ${end}`;
}
