import { amount } from '../../../lib/text/amount.ts';
import type { Examination } from '../../../startups/import/columns/examine.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import type { ColumnProof } from '../../../startups/import/columns/prove.ts';
import { type StartupFieldPath, storedStartupFields } from '../../../startups/model/fields.ts';
import { Badge, ListTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { type Options, SelectField } from '../forms.tsx';
import {
  type ImportSettings,
  isChosenByNotation,
  nameOfField,
  notationsOf,
  numbered,
  OPEN,
  unitText,
} from './mapping-form.ts';
import { cut, Meanings, ValueField } from './value-fields.tsx';

const allFields: Options = storedStartupFields.map(({ path }) => [path, nameOfField(path)] as const);

/** A column with the proof of its answer, and the fields that change the answer. */
function ColumnAnswer({ column, index }: { readonly column: ColumnProof; readonly index: number }): Html {
  const { name, answer, field, state, reason } = column;
  const names = numbered.column(index);
  const isAsked = state === 'question';
  const path = field ?? '';
  const written = state === 'field' ? answer.slice(path.length + 1) : '';
  const offered = notationsOf(path);
  return (
    <div class="stack">
      <input type="hidden" name={names.name} value={name} />
      <input type="hidden" name={names.is} value={answer} />
      <SelectField
        name={names.value}
        label={`Field of ${name}`}
        value={isAsked ? (isChosenByNotation(path) ? path : OPEN) : state === 'field' ? path : ''}
        options={[...(isAsked ? [[OPEN, 'To be answered'] as const] : []), ['', 'Leave out'], ...allFields]}
        isHidden
      />
      {offered.length > 0 && state !== 'left out' && (
        <SelectField
          name={names.notation}
          label={`Notation of ${name}`}
          value={written}
          options={[
            ['', isAsked ? 'Choose …' : 'as documented'],
            ...[...new Set([...offered, ...(written === '' ? [] : [written])])].map(
              (words) => [words, words.replaceAll(',', ', ')] as const,
            ),
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
        {[
          smallest !== null && `${smallest} to ${largest}`,
          `${count(empty)} empty`,
          misfits > 0 &&
            `${count(misfits)} not allowed: ${firstMisfits.map(({ line, written }) => `line ${line}: ${cut(written)}`).join(', ')}`,
        ]
          .filter((part) => part !== false)
          .join('; ')}
      </span>
    </span>
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
  const filled = new Set(columns.flatMap(({ field, state }) => (state === 'field' ? field : [])));
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
              mapping.values?.[field] !== undefined && <Meanings mapping={mapping} path={field} />,
          ],
        ]}
      />
      {Object.keys(mapping.values ?? {}).map(
        (path) => !filled.has(path as StartupFieldPath) && <Meanings mapping={mapping} path={path} isKept />,
      )}
      {Object.keys(mapping.rows ?? {}).length > 0 && (
        <fieldset class="card">
          <legend>Rows that seem to be no startups</legend>
          <div class="columns">
            {Object.entries(mapping.rows ?? {}).map(([name, answer], index) => (
              <>
                <input type="hidden" name={numbered.row(index).name} value={name} />
                <SelectField
                  name={numbered.row(index).value}
                  label={name}
                  value={answer}
                  options={[
                    [OPEN, 'Choose …'],
                    ['leave out', 'Leave out'],
                    ['keep', 'Keep: it is a startup'],
                  ]}
                />
              </>
            ))}
          </div>
        </fieldset>
      )}
      {Object.keys(mapping.defaults ?? {}).length > 0 && (
        <fieldset class="card">
          <legend>Required fields that no column has for each startup</legend>
          <p class="hint">
            Choose a column above, or give these startups the same value. A number is shown as a verified
            figure, 0 too.
          </p>
          <div class="columns">
            {Object.entries(mapping.defaults ?? {}).map(([path, value], index) => (
              <>
                <input type="hidden" name={numbered.default(index).name} value={path} />
                <ValueField
                  name={numbered.default(index).value}
                  label={`${nameOfField(path)}${unitText(mapping, path)}`}
                  path={path}
                  value={value === OPEN ? '' : value}
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
      {(
        [
          ['replace', 'Remove the startups that are not in the file', replace],
          ['yes', '… also if these are more than half of all', yes],
        ] as const
      ).map(([name, label, isChecked]) => (
        <label class="choice">
          <input type="checkbox" name={name} checked={isChecked} /> {label}
        </label>
      ))}
    </fieldset>
  );
}

/** How many questions there are. */
export function QuestionCount({ examination: { questions } }: { readonly examination: Examination }): Html {
  return (
    <div>
      <h2>{questions.length === 0 ? 'Nothing to answer' : `${count(questions.length)} to answer`}</h2>
      <p class="hint">
        {questions.length === 0
          ? 'Every column has an answer, and every required field a value.'
          : `Nothing is assumed: ${amount(questions.length, 'question')} that the file does not answer.`}
      </p>
    </div>
  );
}
