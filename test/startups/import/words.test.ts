import { expect, it } from 'vitest';
import { importFieldsFor, standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import type {
  ColumnQuestion,
  Note,
  Problem,
  Reason,
} from '../../../src/startups/import/columns/questions.ts';
import {
  canBeConfirmed,
  isOfAllAmounts,
  nameOfField,
  noteOnPage,
  noteText,
  problemOnPage,
  problemText,
  questionOnPage,
  questionText,
  readQuestion,
  readReason,
  reasonOnPage,
  reasonText,
  writtenOnPage,
} from '../../../src/startups/import/columns/words.ts';
import { unitsOf } from '../../../src/startups/import/notation/notations.ts';

const field = 'revenue.mrr';
const way = { words: ['dollars', 'point'], shown: '$1.25', reads: '1.250 is $1.25' } as const;
const questions: readonly (readonly [ColumnQuestion, string, string])[] = [
  [
    { kind: 'meaning', field, notations: [way], meanings: [{ value: '1.250', notations: [way] }] },
    'does "1.250" mean $1.25 (revenue.mrr:dollars,point)?',
    'does “1.250” mean $1.25?',
  ],
  [
    { kind: 'fraction', field, notations: [way], value: 0.125, words: ['dollars', 'round'] },
    '0.125 has a fraction of a cent: round it with revenue.mrr:dollars,round',
    '0.125 has a fraction of a cent',
  ],
  [
    { kind: 'other heading', field, notations: [], contained: 'mrr', otherwise: 'revenue.mrr:dollars' },
    'it has the name "mrr", and may mean something else; if not, revenue.mrr:dollars',
    'Is this “MRR”?',
  ],
  [
    { kind: 'taken', field, notations: [] },
    'another column is revenue.mrr: leave one of them out',
    'another column is MRR: leave one of them out',
  ],
];

it.each(questions)('asks in the words of the command and of the page: %o', (question, text, page) => {
  expect([questionText(question), questionOnPage(standardFields, question)]).toEqual([text, page]);
});

it('asks for the unit of amounts by the table of units, once for all of them', () => {
  const unit: ColumnQuestion = { kind: 'unit', field, notations: [] };
  const [, asked = ''] = /^which unit: (.+)\?$/.exec(questionText(unit)) ?? [];
  expect(asked.split(/, | or /).sort()).toEqual(unitsOf('cents').sort());
  expect(readQuestion(field, questionText(unit))).toEqual(unit);
  expect([
    isOfAllAmounts(standardFields, unit),
    isOfAllAmounts(standardFields, { ...unit, field: 'growth30d' }),
  ]).toEqual([true, false]);
});

it('takes a yes for what is not to be converted or left out', () => {
  const of = ['taken', 'choices', 'no heading'] as const;
  expect(of.map((kind) => canBeConfirmed({ kind, field, notations: [] }))).toEqual([false, true, true]);
  expect(canBeConfirmed({ kind: 'choices', field, notations: [way] })).toBe(false);
});

const reasons: readonly (readonly [Reason, string, string])[] = [
  [{ kind: 'no field' }, 'no field has this name', 'not recognized'],
  [{ kind: 'other column', field }, 'another column is revenue.mrr', 'another column is MRR'],
];

it.each(reasons)('says why a column is left out: %o', (reason, text, page) => {
  expect([
    reasonText(reason),
    reasonOnPage(standardFields, reason),
    reasonOnPage(standardFields, readReason(text)),
  ]).toEqual([text, page, page]);
});

const rows = [{ line: 3, value: 'n/a' }];
const notes: readonly (readonly [Note, string, string])[] = [
  [
    { kind: 'row left out', file: 'a.csv', line: 3, row: 'Total' },
    'a.csv: line 3 left out: "Total"',
    'a.csv, line\u00a03: “Total”',
  ],
  [
    { kind: 'counted as empty', field, rows },
    'revenue.mrr: 1 value counts as empty (line 3: "n/a").',
    'MRR: 1 value counts as empty (line 3: “n/a”).',
  ],
];

it.each(notes)('notes %o', (note, text, page) => {
  expect([noteText(note), noteOnPage(standardFields, note)]).toEqual([text, page]);
});

it('advises by options in the command, and without them on the page', () => {
  const fix = { command: 'use --encoding windows-1252', page: 'use encoding windows-1252' };
  const error = { line: 3, field: 'record', got: '"S"', allowed: 'UTF-8', fix };
  const problem: Problem = { kind: 'unreadable', file: 'a.csv', error };
  expect([problemText(problem), problemOnPage(standardFields, problem)]).toEqual([
    'a.csv: line 3: record: got "S", allowed UTF-8; use --encoding windows-1252.',
    'a.csv: line 3: record: got “S”, allowed UTF-8; use encoding windows-1252.',
  ]);
});

it('calls a declared field by its label on the page, and by its path elsewhere', () => {
  const fields = importFieldsFor([
    {
      name: 'netProfit',
      kind: 'cents',
      label: 'Profit after tax',
      description: null,
      indexed: false,
      choices: [],
    },
  ]);
  const own = 'own.netProfit';
  expect(nameOfField(fields, own)).toBe('Profit after tax');
  expect(nameOfField(standardFields, own)).toBe(own);
  const taken: ColumnQuestion = { kind: 'taken', field: own, notations: [] };
  expect([questionText(taken), questionOnPage(fields, taken)]).toEqual([
    'another column is own.netProfit: leave one of them out',
    'another column is Profit after tax: leave one of them out',
  ]);
  const note: Note = { kind: 'counted as empty', field: own, rows };
  expect(noteOnPage(fields, note)).toBe('Profit after tax: 1 value counts as empty (line 3: “n/a”).');
  const problem: Problem = { kind: 'not allowed', column: 'Net', field: own, misfits: 1, rows };
  expect(problemOnPage(fields, problem)).toContain('not allowed in Profit after tax (line 3');
  expect(writtenOnPage(fields, 'own.netProfit: 1 value')).toBe('Profit after tax: 1 value');
});
