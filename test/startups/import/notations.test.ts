import { describe, expect, it } from 'vitest';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { createCheck, showStored } from '../../../src/startups/import/notation/checks.ts';
import {
  isUnitCell,
  notations,
  readWords,
  suffixes,
  unitIn,
  unitOfValues,
  unitsOf,
  type Word,
  withoutUnits,
  wordsFor,
} from '../../../src/startups/import/notation/notations.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';

const kindNames = [...new Set(storedStartupFields.map(({ kind }) => kind))];
const units = kindNames.flatMap((kind) =>
  unitsOf(kind).map((word) => ({ kind, word, row: notations[word] })),
);
/** What an example says: `12.5` is $12,500.00. */
const examplesOf = (word: Word): (readonly [string, string])[] => {
  const text = notations[word].examples ?? '';
  const [written = '', shown] = text.split(' is ');
  return shown === undefined
    ? []
    : [...written.matchAll(/`([^`]+)`/g)].map(([, one = '']) => [one, shown] as const);
};
const fieldOfKind = {
  cents: standardFields.byPath.get('revenue.mrr'),
  percent: standardFields.byPath.get('growth30d'),
} as const;

describe.each(units)('the unit $word', ({ kind, word, row }) => {
  it('is the one that a heading with its word names', () => {
    expect([unitIn(`Figure (${word})`, kind), unitIn(`Figure in ${word}`, kind)]).toEqual([word, word]);
    expect(withoutUnits(`Figure (${word})`)).not.toContain(word);
  });

  it('is the one that a heading with its description names', () => {
    // Of percentages, headings name their word.
    expect(kind === 'cents' ? unitIn(`Figure, ${row.what}`, kind) : word).toBe(word);
  });

  it('reads the values of its description as that says', () => {
    const field = fieldOfKind[kind as keyof typeof fieldOfKind];
    const read = field && createCheck(field, new Set([word, 'point'] as const)).readCell;
    const shownAs = (text: string): string => {
      const stored = read?.(text);
      return stored === undefined || stored === null ? 'not allowed' : showStored(kind, stored);
    };
    expect(examplesOf(word).map(([written]) => [written, shownAs(written)])).toEqual(examplesOf(word));
  });

  it('has a description for errors, pages and documentation', () => {
    expect([row.what, row.examples]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/`.+`/)]);
    const field = fieldOfKind[kind as keyof typeof fieldOfKind];
    const { allowed } = createCheck(field as NonNullable<typeof field>, new Set([word]));
    expect(kind === 'cents' && row.unit?.power !== 0 ? allowed : row.what).toContain(row.what);
  });

  it('is not read from a value that is shortened in a column of it', () => {
    const field = fieldOfKind[kind as keyof typeof fieldOfKind];
    const isShort = word === 'dollars';
    const { readCell } = createCheck(field as NonNullable<typeof field>, new Set([word]));
    expect(readCell('12k') !== undefined).toBe(isShort);
  });
});

it.each(unitsOf('cents').filter((word) => word !== 'dollars'))('finds %s in a row of units', (word) => {
  expect([word, `in ${word}`, `(${word})`].map(isUnitCell)).toEqual([true, true, true]);
});

it.each(['$k', 'M$', 'usd', '%', '€'])('finds %s in a row of units', (cell) => {
  expect(isUnitCell(cell)).toBe(true);
});

it('finds no unit in a name', () => {
  expect(isUnitCell('Alder')).toBe(false);
});

it('have suffixes in the order of their powers', () => {
  const powers = suffixes.map(([, power]) => power);
  expect(powers).toEqual(powers.toSorted((one, other) => one - other));
});

it('say their unit by the values of a whole column only', () => {
  expect(unitOfValues(['$5', '7 USD'], 'cents')).toBe('dollars');
  expect(unitOfValues(['$5', '7'], 'cents')).toBeUndefined();
  expect(unitOfValues(['5%', '7 %'], 'percent')).toBe('percent');
});

it.each(Object.keys(notations) as Word[])('name %s among what a field may have', (word) => {
  const fields = storedStartupFields.filter((field) => wordsFor(field).includes(word));
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.map((field) => readWords(word, field))).toEqual(fields.map(() => [word]));
});

it('offer numbers of people for the size of a team only', () => {
  const fields = storedStartupFields.filter((field) => wordsFor(field).includes('people'));
  expect(fields.map(({ path }) => path)).toEqual(['teamSize']);
});
