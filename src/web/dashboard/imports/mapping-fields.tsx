import { amount } from '../../../lib/errors.ts';
import { wrongValue } from '../../../startups/import/columns/check-mapping.ts';
import { createFieldNames, missingFields } from '../../../startups/import/columns/field-names.ts';
import { type ImportFields, standardFields } from '../../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import {
  isRepeatAnswer,
  type RepeatAnswer,
  repeatAnswers,
} from '../../../startups/import/columns/repeats.ts';
import type { ColumnReport } from '../../../startups/import/columns/report.ts';
import { isOfAllAmounts, nameOfField, reasonOnPage } from '../../../startups/import/columns/words.ts';
import type { Examination } from '../../../startups/import/examine.ts';
import { ASKED } from '../../../startups/import/notation/checks.ts';
import { unitsOf } from '../../../startups/import/notation/notations.ts';
import type { ImportField } from '../../../startups/model/fields.ts';
import { MOST_INDEXED, MOST_OWN_FIELDS, type OwnField } from '../../../startups/model/own-fields.ts';
import { SelectField } from '../../page/forms.tsx';
import type { Form } from '../../page/page.ts';
import { capitalized } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { ColumnAnswer, Proof, waysIn } from './column-answer.tsx';
import { CHOSEN, numbered, quoted, shownValue, typedIn } from './mapping-form.ts';
import { NewFieldInputs } from './new-field.tsx';
import { errorsOf, isRoomFor, newFieldIn } from './own-columns.ts';
import { Meanings, ValueField, type ValuesProps } from './value-field.tsx';

/** But for the name: no two startups have the same. */
const required: ReadonlySet<string> = new Set(missingFields(standardFields, (path) => path === 'name', {}));

interface NumberedColumn {
  readonly column: ColumnReport;
  readonly index: number;
  /** The new field that it is kept as. */
  readonly added: OwnField | undefined;
}

/** Columns in the same state: those that are matched have one line each, which opens. */
function ColumnList({
  caption,
  rows,
  ...values
}: ValuesProps & {
  readonly caption: 'Answer each of these columns' | 'Needs an answer' | 'Matched' | 'Left out';
  readonly rows: readonly NumberedColumn[];
}): Html | null {
  const isOpen = caption !== 'Matched' && caption !== 'Left out';
  const { fields, sent } = values;
  const answerOf = ({ column, index, added }: NumberedColumn): Html => (
    <div class="stack">
      <ColumnAnswer fields={fields} column={column} index={index} isNew={added !== undefined} />
      {added !== undefined && <NewFieldInputs fields={fields} added={added} index={index} sent={sent} />}
      {column.state === 'field' && column.field !== null && <Meanings {...values} path={column.field} />}
    </div>
  );
  const list = rows.map((row) => (
    <div>
      <strong>{row.column.name}</strong>
      {isOpen ? (
        answerOf(row)
      ) : (
        <details open={row.added && hasErrors(fields, row.added, sent, row.index)}>
          <summary>
            {caption === 'Matched'
              ? nameOfField(fields, row.column.field ?? '')
              : leftOutText(fields, row.column) || caption}
            {row.added && <span class="soft"> · new field</span>}
          </summary>
          {answerOf(row)}
          <Proof column={row.column} />
        </details>
      )}
      <Proof column={row.column} isShort={!isOpen} />
    </div>
  ));
  return rows.length === 0 ? null : caption === 'Answer each of these columns' ? (
    <details class="card answers">
      <summary>
        <strong>{caption}</strong>
      </summary>
      {list}
    </details>
  ) : (
    <section class="card answers">
      <h2>{caption}</h2>
      {caption === 'Left out' && <KeptHint fields={fields} rows={rows} />}
      {list}
    </section>
  );
}

const hasErrors = (fields: ImportFields, added: OwnField, sent: Form, index: number): boolean =>
  Object.keys(errorsOf(fields, added, sent, index)).length > 0;

/** Of several columns that no field is for: that they can be kept. */
function KeptHint({
  fields,
  rows,
}: Pick<ValuesProps, 'fields'> & { readonly rows: readonly NumberedColumn[] }) {
  const unknown = rows.filter(({ column }) => column.reason?.kind === 'no field');
  return unknown.length < 2 ? null : (
    <p class="soft small">
      {isRoomFor(fields)
        ? `Columns that are not recognized can be kept as fields of your own: choose a kind in the list of each. At most ${MOST_OWN_FIELDS} fields, ${MOST_INDEXED} of them sortable.`
        : `There are ${MOST_OWN_FIELDS} fields of your own already, which is the most.`}
    </p>
  );
}

const leftOutText = (fields: ImportFields, { reason }: ColumnReport): string =>
  reason === undefined ? '' : capitalized(reasonOnPage(fields, reason));

/** The columns of amounts that one answer answers, with the choices; none unless several are asked. */
function amountsAsked(fields: ImportFields, columns: readonly ColumnReport[]) {
  const asked = columns.flatMap((column) => {
    const { question } = column;
    return question !== undefined && isOfAllAmounts(fields, question)
      ? [{ column, ways: question.notations }]
      : [];
  });
  /** What answers each of the questions, by the notation. */
  const answers = new Map(
    waysIn(asked.flatMap(({ ways }) => ways)).filter(([notation]) =>
      asked.every(({ ways }) =>
        ways.some(({ words }) => words.every((word) => notation.split(',').includes(word))),
      ),
    ),
  );
  return asked.length < 2 || answers.size === 0
    ? { asked: [], answers: [] }
    : { asked: asked.map(({ column }) => column), answers: [...answers] };
}

/** What each column is, with its proof and what is to be answered; then what no column has. */
export function MappingFields({
  fields,
  mapping,
  sent,
  examination: { columns },
  isUpdate,
}: ValuesProps & {
  readonly examination: Examination;
  /** Whether an empty cell of a required column is an error, so that no value is offered for it. */
  readonly isUpdate: boolean;
}): Html {
  const { values = {}, rows = {}, defaults = {} } = mapping;
  const numberedColumns = columns.map((column, index) => ({
    column,
    index,
    added: newFieldIn(fields, columns, column),
  }));
  const amounts = amountsAsked(fields, columns);
  const isOpen = ({ column: { state, field } }: NumberedColumn): boolean =>
    state === 'question' || (state === 'field' && Object.values(values[field ?? ''] ?? {}).includes(ASKED));
  const groups = [
    ['Answer each of these columns', numberedColumns.filter(({ column }) => amounts.asked.includes(column))],
    ['Needs an answer', numberedColumns.filter((one) => isOpen(one) && !amounts.asked.includes(one.column))],
    ['Matched', numberedColumns.filter((one) => !isOpen(one) && one.column.state === 'field')],
    ['Left out', numberedColumns.filter(({ column }) => column.state === 'left out')],
  ] as const;
  // A required column may have gaps: a value for those is offered, not asked.
  const gaps = columns.flatMap(({ field, state, empty }) =>
    !isUpdate && state === 'field' && field && empty > 0 && required.has(field) && !defaults[field]
      ? field
      : [],
  );
  const names = createFieldNames(fields, mapping);
  const typed = typedIn(sent, 'default');
  /** In what a value is written that no column has, such as ` (percent)`; empty for a field without units. */
  const unitText = (path: string): string => {
    const field = fields.byPath.get(path) as ImportField;
    const { kind } = field;
    const [documented, ...others] = unitsOf(kind);
    const unit = others.find((one) => names.notationOf(field).has(one)) ?? documented;
    return kind === 'cents' ? ' (US dollars)' : unit === undefined ? '' : ` (${unit})`;
  };
  return (
    <>
      <input type="hidden" name="columns" value={CHOSEN} />
      {amounts.asked.length > 0 && (
        <section class="card answers">
          <h2>How are amounts written?</h2>
          <div>
            <strong>{amounts.asked.map(({ name }) => name).join(', ')}</strong>
            <SelectField
              name="amounts"
              label="Notation of all amounts"
              value=""
              options={[['', `Choose to answer ${amounts.asked.length} questions …`], ...amounts.answers]}
              isHidden
            />
          </div>
        </section>
      )}
      {groups.map(([caption, rowsOfGroup]) => (
        <ColumnList caption={caption} rows={rowsOfGroup} fields={fields} mapping={mapping} sent={sent} />
      ))}
      {Object.keys(rows).length > 0 && (
        <fieldset class="card">
          <legend>Rows to check</legend>
          <div class="columns">
            {Object.entries(rows).map(([name, answer], index) => [
              <input type="hidden" name={numbered('row', index).key} value={name} />,
              <SelectField
                name={numbered('row', index).value}
                label={`Row “${name}”: ${rowQuestion(answer)}`}
                value={answer.startsWith(ASKED) ? ASKED : answer}
                options={[
                  [ASKED, 'Choose …'],
                  ...(answer.startsWith('? ') || isRepeatAnswer(answer)
                    ? repeatAnswers.map((one) => [one, repeatTexts[one]] as const)
                    : [['leave out', 'No: leave it out'] as const, ['keep', 'Yes: keep it'] as const]),
                ]}
              />,
            ])}
          </div>
        </fieldset>
      )}
      {Object.keys(defaults).length + gaps.length > 0 && (
        <fieldset class="card">
          <legend>Values that startups lack</legend>
          <p class="hint">
            Every startup needs these. Choose a column above, or enter one value for all that have none:
            customers see a number as a verified figure, even 0. Records without a value are invalid.
          </p>
          <div class="columns">
            {[...Object.entries(defaults), ...gaps.map((path) => [path, ''] as const)].map(
              ([path, value], index) => [
                <input type="hidden" name={numbered('default', index).key} value={path} />,
                value === '' && <input type="hidden" name={numbered('default', index).is} value="offered" />,
                <ValueField
                  fields={fields}
                  name={numbered('default', index).value}
                  label={`${nameOfField(fields, path)}${unitText(path)}`}
                  path={path}
                  value={value === ASKED ? (typed[path] ?? '') : shownValue(names, path, value)}
                  isWrong={value === ASKED || isWrongDefault(fields, mapping, path, value)}
                  isOptional={value === ''}
                />,
              ],
            )}
          </div>
        </fieldset>
      )}
    </>
  );
}

/** What is asked about a row that may be no startup, or about several that repeat a name. */
const rowQuestion = (answer: string): string =>
  answer.startsWith('? ')
    ? quoted(answer.slice(2))
    : isRepeatAnswer(answer)
      ? 'which one?'
      : 'is it a startup?';

const repeatTexts: Readonly<Record<RepeatAnswer, string>> = {
  first: 'Keep the first, leave out the others',
  last: 'Keep the last, leave out the others',
  none: 'Leave out all of them',
};

/** Whether a default has a value that is not allowed. */
function isWrongDefault(fields: ImportFields, mapping: Mapping, path: string, value: string): boolean {
  const field = fields.byPath.get(path);
  return (
    value !== '' &&
    field !== undefined &&
    wrongValue(createFieldNames(fields, mapping), field, value) !== undefined
  );
}

/** The questions that are open: the id of the field that answers each, and what it is about. */
function openFields(fields: ImportFields, mapping: Mapping, columns: readonly ColumnReport[]) {
  const { values = {}, rows = {}, defaults = {} } = mapping;
  const open = (kind: string, of: Mapping['defaults'], isOpen: (text: string, value: string) => boolean) =>
    Object.entries(of ?? {}).flatMap(([text, value], index) =>
      isOpen(text, value) ? [[numbered(kind, index).value, nameOfField(fields, text)] as const] : [],
    );
  const { asked } = amountsAsked(fields, columns);
  return [
    ...(asked.length > 0 ? [['amounts', 'How are amounts written?'] as const] : []),
    ...columns.flatMap((column, index) => {
      const { name, state, field, question } = column;
      const names = numbered('column', index);
      const path = field ?? '';
      return asked.includes(column)
        ? []
        : state === 'question'
          ? [[question?.notations.length ? names.notation : names.value, name] as const]
          : open(path, values[path], (_, value) => value === ASKED);
    }),
    ...open('row', rows, (_, value) => value.startsWith(ASKED)),
    ...open(
      'default',
      defaults,
      (path, value) => value === ASKED || isWrongDefault(fields, mapping, path, value),
    ),
  ];
}

/** How many questions there are, which stays in sight, and where the next one is answered. */
export function QuestionCount({
  fields,
  mapping,
  examination: { columns, questions },
  others,
}: {
  readonly fields: ImportFields;
  readonly mapping: Mapping;
  readonly examination: Examination;
  /** Open questions that are not about the table: the id of the field of each, and what it is about. */
  readonly others: readonly (readonly [id: string, about: string])[];
}): Html {
  const length = questions.length + others.length;
  const [next] = [...others, ...openFields(fields, mapping, columns)];
  return (
    <div class="questions">
      <div>
        <h2>{length === 0 ? 'Nothing to answer' : `${amount(length, 'question')} left`}</h2>
        {next !== undefined && (
          <p class="hint">
            Next: <a href={`#${next[0]}`}>{next[1]}</a>
          </p>
        )}
      </div>
      <button name="act" value="preview">
        Preview
      </button>
    </div>
  );
}
