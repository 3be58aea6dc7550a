import { amount } from '../../../lib/errors.ts';
import { type ImportFields, standardFields } from '../../../startups/import/columns/import-fields.ts';
import type { Way } from '../../../startups/import/columns/questions.ts';
import type { ColumnReport } from '../../../startups/import/columns/report.ts';
import { canBeConfirmed, nameOfField, questionOnPage } from '../../../startups/import/columns/words.ts';
import { ASKED } from '../../../startups/import/notation/checks.ts';
import { notations, unitsOf, type Word } from '../../../startups/import/notation/notations.ts';
import { type Options, SelectField } from '../../page/forms.tsx';
import { Badge, capitalized } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { withWholeDates } from '../../shared/time.tsx';
import { notationsOf, numbered } from './mapping-form.ts';
import { newFieldOptions } from './new-field.tsx';
import { isRoomFor } from './own-columns.ts';

const SAMPLE_LENGTH = 40;
/** Part of a text of the file. */
export const shorten = (text: string): string =>
  text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text;

/** What notations read, in short: without examples. */
const readsOf = (...words: readonly Word[]): string =>
  capitalized(words.map((word) => notations[word].what.replaceAll('`', '')).join(', '));
/** The answers of a question about a notation, each with what a value of the file would be. */
export const waysIn = (ways: readonly Way[]): Options =>
  ways.map(({ words, reads }) => [
    words.join(),
    [readsOf(...words), shorten(reads)].filter(Boolean).join(': '),
  ]);

/** What is offered for words that say how decimals are written. */
const formatText = (words: string): string =>
  capitalized(
    (words.split(',') as Word[]).map((word) => notations[word].choice ?? notations[word].what).join(', '),
  );

/** A column with the proof of its answer, and the fields that change the answer. */
export function ColumnAnswer({
  fields,
  column,
  index,
  isNew,
}: {
  readonly fields: ImportFields;
  readonly column: ColumnReport;
  readonly index: number;
  /** Whether it is kept as a new field. */
  readonly isNew: boolean;
}): Html {
  const { name, answer, words, field, state, question, warning } = column;
  const ways = question?.notations ?? [];
  const told = question ?? warning;
  const names = numbered('column', index);
  const isAsked = state === 'question';
  const path = field ?? '';
  const isSuggested = question !== undefined && canBeConfirmed(question);
  const { units, formats } = notationsOf(fields, state === 'field' ? path : '');
  const optionsOf = (all: ImportFields['list']): Options =>
    all.flatMap((one) =>
      isSuggested && one.path === path ? [] : [[one.path, nameOfField(fields, one.path)] as const],
    );
  const ownOptions = optionsOf(fields.own);
  const isUnitKnown = words.length > 0 || unitsOf(fields.byPath.get(path)?.kind ?? 'string').length > 0;
  return (
    <div class="stack">
      {told !== undefined && (
        <p class="asked small">{withWholeDates(capitalized(questionOnPage(fields, told)))}</p>
      )}
      <input type="hidden" name={names.key} value={name} />
      <input type="hidden" name={names.is} value={answer} />
      <SelectField
        name={names.value}
        label={`Field of ${name}`}
        value={isAsked && ways.length === 0 ? ASKED : state === 'left out' ? '' : path}
        options={[
          ...(isAsked ? [[ASKED, 'Choose a field …'] as const] : []),
          ...(isSuggested ? [[path, `Yes: ${nameOfField(fields, path)}`] as const] : []),
          ['', 'Leave out'],
          ...optionsOf(standardFields.list),
        ]}
        groups={[
          ...(ownOptions.length > 0 ? [['Fields of your own', ownOptions] as const] : []),
          ...(isRoomFor(fields) || isNew ? [['Keep as a field of your own', newFieldOptions] as const] : []),
        ]}
        isHidden
      />
      {ways.length > 0 && (
        <SelectField
          name={names.notation}
          label={`Notation of ${name}`}
          value=""
          options={[['', 'Choose …'], ...waysIn(ways)]}
          isHidden
        />
      )}
      {units.length > 0 && isUnitKnown && (
        <SelectField
          name={names.notation}
          label={`Unit of ${name}`}
          value={words.find((word) => units.includes(word)) ?? ''}
          options={[['', 'Standard format'], ...units.map((word) => [word, readsOf(word)] as const)]}
          isHidden
        />
      )}
      {words.some((word) => formats.join().split(',').includes(word)) && (
        <SelectField
          name={names.format}
          label={`Decimals of ${name}`}
          // In the order of the choices, whatever order a mapping has.
          value={words
            .filter((word) => !units.includes(word))
            .toSorted()
            .join()}
          options={[['', 'Any decimals'], ...formats.map((format) => [format, formatText(format)] as const)]}
          isHidden
        />
      )}
    </div>
  );
}

/** What the values of a column become. */
export function Proof({
  column: { cells, state, smallest, largest, empty, misfits, firstMisfits },
  isShort = false,
}: {
  readonly column: ColumnReport;
  /** Whether one value is enough. */
  readonly isShort?: boolean;
}): Html {
  const first = firstMisfits.map(({ line, written }) => `“${shorten(written)}” in line ${line}`).join(', ');
  const facts = [
    smallest !== null && `${smallest} to ${largest}`,
    empty > 0 && `${count(empty)} empty`,
    misfits > 0 &&
      `${amount(misfits, 'invalid value')}: ${first}${misfits > firstMisfits.length ? ', …' : ''}`,
  ];
  return (
    <div class="small">
      {cells
        .slice(0, isShort ? 1 : cells.length)
        .map(({ written, shown }, index) => [
          index > 0 && ' · ',
          shorten(written),
          state === 'field' && shown !== written && (
            <> → {shown === null ? <Badge tone="warn">not allowed</Badge> : shorten(shown)}</>
          ),
        ])}
      {!isShort && <div class="soft">{facts.filter(Boolean).join('; ')}</div>}
      {isShort && misfits > 0 && (
        <>
          {' '}
          <Badge tone="warn">{amount(misfits, 'invalid value')}</Badge>
        </>
      )}
    </div>
  );
}
