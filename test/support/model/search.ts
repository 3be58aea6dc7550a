import { domainToUnicode } from 'node:url';
import type { Startup } from '../../../src/db/generated/client/client.ts';

const letters = 'ßss æae œoe øo łl đd ðd þth ħh ıi ĸq ŋn ŧt ςσ'
  .split(' ')
  .map((pair) => [pair[0] as string, pair.slice(1)]);

const plainTexts = new Map<string, string>();

/** A text without case, accents and other letters for which people type a letter without an accent. Kept: oracles ask often. */
export function plain(text: string): string {
  const known = plainTexts.get(text);
  if (known !== undefined) {
    return known;
  }
  const lower = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const folded = letters.reduce(
    (folded, [letter, typed]) => folded.replaceAll(letter as string, typed as string),
    lower,
  );
  plainTexts.set(text, folded);
  return folded;
}

function siteName(website: string | null): string | null {
  const labels = website === null ? [] : domainToUnicode(new URL(website).hostname).split('.');
  return labels.slice(labels[0] === 'www' && labels.length > 2 ? 1 : 0, -1).join('.') || null;
}

/** The words of a startup, each with the number of its field. */
function fieldWords(row: Startup): [string, number][] {
  const of = (value: string | null, field: number): [string, number][] =>
    plain(value ?? '')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => [word, field]);
  return [
    ...of(row.name, 0),
    ...of(row.slug, 1),
    ...of(row.xHandle, 1),
    ...of(siteName(row.website), 1),
    ...of(row.description, 2),
  ];
}

/** Whether one letter added, left out, replaced or swapped with its neighbour makes one of the other. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]];
  if (one === other) {
    return true;
  }
  const start = a.findIndex((letter, at) => letter !== b[at]);
  const at = start === -1 ? a.length : start;
  const rest = (letters: string[], from: number): string => letters.slice(from).join('');
  return (
    rest(a, at + 1) === rest(b, at) ||
    rest(a, at) === rest(b, at + 1) ||
    rest(a, at + 1) === rest(b, at + 1) ||
    (a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, at + 2) === rest(b, at + 2))
  );
}

const matches = new Map<string, number | undefined>();

/** 0 where a word is a known one, 1 where it begins one; undefined where it does neither. Kept, as few words come often. */
function matchOf(known: string, word: string, isCorrected: boolean): number | undefined {
  const name = `${known} ${word} ${isCorrected}`;
  if (!matches.has(name)) {
    const isClose =
      isCorrected && [...word].length >= 5 && !/\p{N}/u.test(word)
        ? isNear
        : (a: string, b: string) => a === b;
    const letters = [...known];
    const isMatch = letters.some((_, at) => isClose(word, letters.slice(0, at + 1).join('')));
    matches.set(name, isMatch ? Number(!isClose(word, known)) : undefined);
  }
  return matches.get(name);
}

/** How well a word matches a startup; undefined if it does not. */
function scoreOf(words: readonly [string, number][], word: string, isCorrected: boolean): number | undefined {
  const scores = words.flatMap(([known, field]) => {
    const match = matchOf(known, word, isCorrected);
    return match === undefined ? [] : [2 * field + match];
  });
  return scores.length === 0 ? undefined : Math.min(...scores);
}

/**
 * What a search finds, by a plain reading of the rules, best matches first.
 *
 * @param rows in the order of their ids.
 * @param text folded words, separated by spaces.
 */
export function searched(rows: readonly Startup[], text: string): { isCorrected: boolean; rows: Startup[] } {
  const revenueOf = (row: Startup): number => Number(row.revenueLast30Days);
  const words = rows.map(fieldWords);
  const found = (isCorrected: boolean) =>
    rows.flatMap((row, index) => {
      const known = words[index] as [string, number][];
      const scores = text.split(' ').map((word) => scoreOf(known, word, isCorrected));
      return scores.includes(undefined)
        ? []
        : [{ row, score: (scores as number[]).reduce((sum, score) => sum + score, 0) }];
    });
  const exact = found(false);
  const corrected = exact.length === 0 ? found(true) : [];
  const matches = corrected.length > 0 ? corrected : exact;
  return {
    isCorrected: corrected.length > 0,
    rows: matches
      .sort((a, b) => a.score - b.score || revenueOf(b.row) - revenueOf(a.row))
      .map(({ row }) => row),
  };
}
