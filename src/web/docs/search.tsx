import MiniSearch, { type SearchResult } from 'minisearch';
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
    'rss=feed rtl=right sandbox=sample spreadsheet=csv sync=copy timezone=utc widget=component yesterday=since'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** The most letters of a question, of an extract, and the most results. */
const [LONGEST, EXTRACT, SHOWN] = [100, 150, 20];

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
export interface Found extends Pick<IndexedPlace, 'id' | 'name' | 'text' | 'under' | 'group'> {
  /** The stems that were found. */
  readonly words: readonly string[];
}

/** Finds places by a question, the best first; those of pages for operators only for them. */
export type SearchDocs = (question: string, isOperator: boolean) => readonly Found[];

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
      prefix: true,
      weights: { prefix: 0.6, fuzzy: 0.2 },
    },
  });
  for (const { title: group, isForOperators, sections } of groups) {
    for (const section of sections) {
      for (const [anchor, name, text, rest] of placesIn(section)) {
        index.add({
          id: `${pathOf(section)}${anchor === '' ? '' : `#${anchor}`}`,
          ...{ group, isForOperators, name },
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
  return (question, isOperator) => {
    const whole = question.trim().toLowerCase();
    const asked = wordsOf(question.slice(0, LONGEST)).map((word) => SYNONYMS.get(word) ?? word);
    const subject = asked.filter((word) => !IGNORED.has(word));
    const words = [...new Set((subject.length > 0 ? subject : asked).map(stem))];
    const filter = ({ isForOperators }: SearchResult) => isOperator || isForOperators === false;
    const exact = index.search(words.join(' '), { filter });
    // With typing errors only where nothing is without.
    const found = exact.length > 0 ? exact : index.search(words.join(' '), { filter, fuzzy: 0.2 });
    return found
      .map((place) => ({ place, share: new Set(place.queryTerms).size / words.length }))
      .filter(({ share }) => share >= 0.5)
      .map(({ place, share }) => ({
        ...(place as SearchResult & IndexedPlace),
        words: place.terms,
        score: place.score * share * (place.called.toLowerCase().includes(whole) ? 2 : 1),
      }))
      .sort((a, b) => b.score - a.score);
  };
}

/** What a question finds, by the groups of the navigation: first the one with the best result. */
export function searchResults(question: string, found: readonly Found[]): Html {
  const { length } = found;
  const results = `${length} ${length === 1 ? 'result' : 'results'}`;
  const best = found.slice(0, SHOWN);
  const groups = new Set(best.map(({ group }) => group));
  return (
    <div class="found">
      <p class="hint" role="status">
        {question.trim() !== '' &&
          (length > SHOWN
            ? `Top ${SHOWN} of ${results}`
            : length > 0
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
