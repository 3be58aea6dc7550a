import { readAnswer } from '../../../startups/import/columns/answers.ts';
import type { ColumnProof } from '../../../startups/import/columns/prove.ts';
import { ASKED, fieldOf } from '../../../startups/import/values/checks.ts';
import { notations, unitsOf, type Word } from '../../../startups/import/values/notation-words.ts';
import { storedStartupFields } from '../../../startups/model/fields.ts';
import { Badge, capitalized } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { type Options, SelectField } from '../forms.tsx';
import {
  isAboutNotation,
  MAY_BE_ANOTHER,
  nameOfField,
  notationsOf,
  numbered,
  reasonText,
} from './mapping-form.ts';

const SAMPLE_LENGTH = 40;
/** Part of a text of the file. */
export const cut = (text: string): string =>
  text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text;

const allFields: Options = storedStartupFields.map(({ path }) => [path, nameOfField(path)] as const);

/** What a notation reads, in short: of a unit, without examples. */
export const readsOf = (word: Word): string =>
  capitalized(notations[word].reads.replace(/: `.*/, '').replaceAll('`', ''));
const FORMATS: Readonly<Record<string, string>> = {
  point: 'decimal point: 1,250.00',
  comma: 'decimal comma: 1.250,00',
  round: 'rounded to cents',
};
export const formatText = (format: string): string =>
  capitalized(
    format
      .split(',')
      .map((word) => FORMATS[word])
      .join(', '),
  );

/** The notation that a question about decimals offers first. */
const DECIMALS_ASKED = /(?:\(|round it with )[\w.]+:((?:cents|dollars|thousands|millions),[\w,]+)/;

/** A column with the proof of its answer, and the fields that change the answer. */
export function ColumnAnswer({
  column,
  index,
}: {
  readonly column: ColumnProof;
  readonly index: number;
}): Html {
  const { name, answer, field, state, reason, misfits } = column;
  const names = numbered('column', index);
  const isAsked = state === 'question';
  const path = field ?? '';
  // A question about decimals names the unit, which is known then.
  const [, asked = ''] = (isAsked && !MAY_BE_ANOTHER.test(reason) && DECIMALS_ASKED.exec(reason)) || [];
  const words = isAsked ? (asked.split(',').slice(0, 1) as Word[]) : readAnswer(answer, name).words;
  const { units, formats } = notationsOf(state === 'left out' ? '' : path);
  const isUnitNeeded =
    isAsked || words.length > 0 || misfits > 0 || unitsOf(fieldOf(path)?.kind ?? 'string').length > 0;
  const isFormatNeeded =
    asked !== '' || misfits > 0 || words.some((word) => formats.join().split(',').includes(word));
  return (
    <div class="stack">
      {reason !== '' &&
        (state === 'left out' ? (
          <p class="soft small">{reasonText(reason)}</p>
        ) : (
          <p class="asked small">{reasonText(reason, path)}</p>
        ))}
      <input type="hidden" name={names.key} value={name} />
      <input type="hidden" name={names.is} value={answer} />
      <SelectField
        name={names.value}
        label={`Field of ${name}`}
        value={isAsked && !isAboutNotation(path) ? ASKED : state === 'left out' ? '' : path}
        options={[
          ...(isAsked ? [[ASKED, 'Choose a field …'] as const] : []),
          ['', 'Leave out'],
          ...allFields,
        ]}
        isHidden
      />
      {units.length > 0 && isUnitNeeded && (
        <SelectField
          name={names.notation}
          label={`Unit of ${name}`}
          value={words.find((word) => units.includes(word)) ?? ''}
          options={[
            ['', isAsked ? 'Choose …' : 'Standard format'],
            ...units.map((word) => [word, readsOf(word)] as const),
          ]}
          isHidden
        />
      )}
      {formats.length > 0 && isFormatNeeded && (
        <SelectField
          name={names.format}
          label={`Decimals of ${name}`}
          value={words.filter((word) => !units.includes(word)).join()}
          options={[
            ['', asked === '' ? 'Any decimals' : 'Choose …'],
            ...formats.map((format) => [format, formatText(format)] as const),
          ]}
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
  readonly column: ColumnProof;
  /** Whether one value is enough. */
  readonly isShort?: boolean;
}): Html {
  const first = firstMisfits.map(({ line, written }) => `line ${line}: ${cut(written)}`).join(', ');
  return (
    <div class="small">
      {cells
        .slice(0, isShort ? 1 : cells.length)
        .map(({ written, shown }, index) => [
          index > 0 && ' · ',
          cut(written),
          state === 'field' && shown !== written && (
            <> → {shown === null ? <Badge tone="warn">not allowed</Badge> : cut(shown)}</>
          ),
        ])}
      {!isShort && (
        <div class="soft">
          {smallest !== null && `${smallest} to ${largest}; `}
          {count(empty)} empty
          {misfits > 0 && `; ${count(misfits)} not allowed: ${first}`}
        </div>
      )}
    </div>
  );
}
