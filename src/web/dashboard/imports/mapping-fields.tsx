import { amount } from '../../../lib/text/amount.ts';
import type { Examination } from '../../../startups/import/columns/examine.ts';
import { createFieldNames } from '../../../startups/import/columns/field-names.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import type { ColumnProof } from '../../../startups/import/columns/prove.ts';
import { ASKED } from '../../../startups/import/values/checks.ts';
import { unitsOf } from '../../../startups/import/values/notation-words.ts';
import { showDefault } from '../../../startups/import/values/preview.ts';
import {
  type StartupField,
  type StartupFieldPath,
  startupFields,
  storedStartupFields,
} from '../../../startups/model/fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { Badge, ListTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { type Options, SelectField } from '../forms.tsx';
import {
  choiceOf,
  type ImportSettings,
  isAboutNotation,
  nameOfField,
  notationsOf,
  numbered,
} from './mapping-form.ts';

const SAMPLE_LENGTH = 40;
/** Part of a text of the file. */
const cut = (text: string): string =>
  text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text;

const allFields: Options = storedStartupFields.map(({ path }) => [path, nameOfField(path)] as const);

/** A column with the proof of its answer, and the fields that change the answer. */
function ColumnAnswer({ column, index }: { readonly column: ColumnProof; readonly index: number }): Html {
  const { name, answer, field, state, reason } = column;
  const names = numbered('column', index);
  const isAsked = state === 'question';
  const path = field ?? '';
  const written = state === 'field' ? answer.slice(path.length + 1) : '';
  const offered = state === 'left out' ? [] : notationsOf(path);
  return (
    <div class="stack">
      <input type="hidden" name={names.key} value={name} />
      <input type="hidden" name={names.is} value={answer} />
      <SelectField
        name={names.value}
        label={`Field of ${name}`}
        value={isAsked && !isAboutNotation(path) ? ASKED : state === 'left out' ? '' : path}
        options={[...(isAsked ? [[ASKED, 'To be answered'] as const] : []), ['', 'Leave out'], ...allFields]}
        isHidden
      />
      {offered.length > 0 && (
        <SelectField
          name={names.notation}
          label={`Notation of ${name}`}
          value={written}
          options={[
            ['', isAsked ? 'Choose …' : 'as documented'],
            ...[...new Set([...offered, written])]
              .filter((words) => words !== '')
              .map((words) => [words, words.replaceAll(',', ', ')] as const),
          ]}
          isHidden
        />
      )}
      {isAsked ? (
        <Badge tone="warn">{reason}</Badge>
      ) : (
        reason !== '' && <span class="soft small">{reason}</span>
      )}
    </div>
  );
}

/** What the values of a column become. */
function Proof({
  column: { cells, state, smallest, largest, empty, misfits, firstMisfits },
}: {
  readonly column: ColumnProof;
}): Html {
  const first = firstMisfits.map(({ line, written }) => `line ${line}: ${cut(written)}`).join(', ');
  return (
    <span class="two-lines">
      {cells.map(({ written, shown }) => (
        <span>
          {cut(written)}
          {state === 'field' && (
            <> → {shown === null ? <Badge tone="warn">not allowed</Badge> : cut(shown)}</>
          )}
        </span>
      ))}
      <span class="soft">
        {smallest !== null && `${smallest} to ${largest}; `}
        {count(empty)} empty
        {misfits > 0 && `; ${count(misfits)} not allowed: ${first}`}
      </span>
    </span>
  );
}

/** What the texts of a column mean that are no values of its field. */
function Meanings({ texts, path }: { readonly texts: Mapping['defaults']; readonly path: string }): Html {
  return (
    <div class="stack">
      {Object.entries(texts ?? {}).map(([text, value], index) => {
        const names = numbered(path, index);
        return (
          <>
            <input type="hidden" name={names.key} value={text} />
            <ValueField
              name={names.value}
              label={`“${cut(text)}”`}
              path={path}
              value={choiceOf(value)}
              isText
            />
          </>
        );
      })}
    </div>
  );
}

/** A value of a field: of startups that have none, or what a text of the file means. Nothing is chosen for an operator. */
function ValueField({
  name,
  label,
  path,
  value,
  isText = false,
  isWrong = false,
}: {
  readonly name: string;
  readonly label: Content;
  readonly path: string;
  readonly value: string;
  readonly isText?: boolean;
  readonly isWrong?: boolean;
}): Html {
  const { kind, nullable, values = [] }: StartupField = startupFields[path as StartupFieldPath];
  const allowed = kind === 'boolean' ? ['true', 'false'] : values;
  const mark = value === '' ? 'missing' : isWrong ? `${value} is not allowed` : undefined;
  const marked = (
    <>
      {label} {mark !== undefined && <Badge tone="warn">{mark}</Badge>}
    </>
  );
  const others: Options = [...(nullable ? [['none', 'No value'] as const] : []), ['invalid', 'An error']];
  return allowed.length > 0 ? (
    <SelectField
      name={name}
      label={marked}
      value={value}
      options={[
        ['', 'Choose …'],
        ...(isText ? others : []),
        ...allowed.map((one) => [one, labelOf(one) ?? one] as const),
      ]}
    />
  ) : (
    <div class="field short">
      <label for={name}>{marked}</label>
      <input id={name} name={name} value={value} maxlength="200" />
      {isText && (
        <p class="hint">{others.map(([word, text]) => `${word}: ${text.toLowerCase()}`).join('; ')}</p>
      )}
    </div>
  );
}

/** What each column is, with its proof and what is to be answered; then what no column has. */
export function MappingFields({
  mapping,
  examination: { columns },
}: {
  readonly mapping: Mapping;
  readonly examination: Examination;
}): Html {
  const { values = {}, rows = {}, defaults = {} } = mapping;
  const names = createFieldNames(mapping);
  /** In what a value is written that no column has, such as ` (thousands)`; empty for a field without units. */
  const unitText = (path: StartupFieldPath): string => {
    const [documented, ...others] = unitsOf(startupFields[path].kind);
    const unit = others.find((one) => names.notationOf(path).has(one)) ?? documented;
    return unit === undefined ? '' : ` (${unit})`;
  };
  return (
    <>
      <input type="hidden" name="columns" value="chosen" />
      <ListTable
        caption="Columns"
        isCaptionHidden
        rows={columns.map((column, index) => ({ column, index }))}
        columns={[
          ['Column', ({ column: { name } }) => name, 'wrap'],
          ['Field and notation', ({ column, index }) => <ColumnAnswer column={column} index={index} />],
          ['In the file → as stored', ({ column }) => <Proof column={column} />, 'wrap'],
          [
            'Meaning of values',
            ({ column: { field, state } }) =>
              field !== null &&
              state === 'field' &&
              values[field] !== undefined && <Meanings texts={values[field]} path={field} />,
          ],
        ]}
      />
      {Object.keys(rows).length > 0 && (
        <fieldset class="card">
          <legend>Rows that seem to be no startups</legend>
          <div class="columns">
            {Object.entries(rows).map(([name, answer], index) => (
              <>
                <input type="hidden" name={numbered('row', index).key} value={name} />
                <SelectField
                  name={numbered('row', index).value}
                  label={name}
                  value={answer}
                  options={[
                    [ASKED, 'Choose …'],
                    ['leave out', 'Leave out'],
                    ['keep', 'Keep: it is a startup'],
                  ]}
                />
              </>
            ))}
          </div>
        </fieldset>
      )}
      {Object.keys(defaults).length > 0 && (
        <fieldset class="card">
          <legend>Required fields that no column has for each startup</legend>
          <p class="hint">
            Choose a column above, or give these startups the same value. A number is shown as a verified
            figure, 0 too.
          </p>
          <div class="columns">
            {Object.entries(defaults).map(([path, value], index) => (
              <>
                <input type="hidden" name={numbered('default', index).key} value={path} />
                <ValueField
                  name={numbered('default', index).value}
                  label={`${nameOfField(path)}${unitText(path as StartupFieldPath)}`}
                  path={path}
                  value={value === ASKED ? '' : value}
                  isWrong={showDefault(path as StartupFieldPath, mapping) === undefined}
                />
              </>
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
}

/** Which records are imported, and which startups are removed. */
export function RuleFields({ settings: { replace, yes } }: { readonly settings: ImportSettings }): Html {
  return (
    <fieldset>
      <legend>Rules</legend>
      <label class="choice">
        <input type="checkbox" name="replace" checked={replace} /> Remove the startups that are not in the
        file
      </label>
      <label class="choice">
        <input type="checkbox" name="yes" checked={yes} /> … also if these are more than half of all
      </label>
    </fieldset>
  );
}

/** How many questions there are. */
export function QuestionCount({ questions: { length } }: Pick<Examination, 'questions'>): Html {
  return (
    <div>
      <h2>{length === 0 ? 'Nothing to answer' : `${count(length)} to answer`}</h2>
      <p class="hint">
        {length === 0
          ? 'Every column has an answer, and every required field a value.'
          : `Nothing is assumed: ${amount(length, 'question')} that the file does not answer.`}
      </p>
    </div>
  );
}
