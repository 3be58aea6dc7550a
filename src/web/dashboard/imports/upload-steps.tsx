import { amount } from '../../../lib/errors.ts';
import { missingFields } from '../../../startups/import/columns/field-names.ts';
import { type ImportFields, standardFields } from '../../../startups/import/columns/import-fields.ts';
import type { Note } from '../../../startups/import/columns/questions.ts';
import { isLeftOut, nameOfField, noteOnPage, problemOnPage } from '../../../startups/import/columns/words.ts';
import type { Examination } from '../../../startups/import/examine.ts';
import { importOptions, USUAL_MOST_REMOVED } from '../../../startups/import/options.ts';
import type { ReturnQuestion } from '../../../startups/import/plan.ts';
import type { StoredMapping } from '../../../startups/import/stored-mappings.ts';
import { type ImportSummary, leftOutTexts } from '../../../startups/import/values/summary.ts';
import { ButtonForm, checkbox, field, SelectField } from '../../page/forms.tsx';
import { buttonLink, capitalized, Facts, Figures, ListTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { UPLOAD_PATH } from '../../shared/paths.ts';
import { Steps } from '../../shared/steps.tsx';
import { time } from '../../shared/time.tsx';
import { ErrorTable } from './error-table.tsx';
import { type KeptFile, pathOfStep, waiting } from './kept-file.tsx';
import { MappingFields, QuestionCount } from './mapping-fields.tsx';
import { type AskedReturn, type ImportSettings, numbered, quoted } from './mapping-form.ts';
import { openErrors } from './own-columns.ts';
import { previewDigest, UPLOAD_MAX } from './upload.ts';
import {
  ChangeFigures,
  FileField,
  LargeForm,
  LIST_PATH,
  MAPPINGS_PATH,
  Notes,
  omitted,
  Records,
  SAMPLE_PATH,
  startupNames,
} from './upload-parts.tsx';

/** An uploaded file of which it is known what is in it. */
export interface ExaminedFile extends KeptFile {
  /** Those that its columns can fill: those of every startup, the declared ones, and those that its mapping declares. */
  readonly fields: ImportFields;
  readonly examination: Examination;
}

/** How many questions are left about its columns, and how many errors in what was typed for new fields. */
export const countOpen = ({ examination, fields, answers }: ExaminedFile): number =>
  examination.questions.length + openErrors(fields, examination.columns, answers.sent).length;

export const isExamined = (kept: KeptFile | ExaminedFile): kept is ExaminedFile => 'fields' in kept;

const required = missingFields(standardFields, () => false, {})
  .map((path) => nameOfField(standardFields, path))
  .join('; ');

/** The first step: a file, and how to read it. @param kept the file that waits from before. */
export function chooseStep(
  mappings: readonly Omit<StoredMapping, 'mapping'>[],
  kept: KeptFile | undefined,
): Content {
  return [
    <Steps current="File" />,
    kept !== undefined && waiting(kept),
    <div class="columns">
      <section class="card">
        <LargeForm action={UPLOAD_PATH}>
          <FileField
            label="Drop a file here, or choose one"
            hint="Nothing is imported before you have seen a preview."
          />
          {mappings.length > 0 && (
            <SelectField
              name="stored"
              label="Columns"
              value=""
              options={[
                ['', 'Suggest them'],
                ...mappings.map(({ name }) => [name, `As in ${name}`] as const),
              ]}
            />
          )}
          {checkbox('update', ruleText('update'), false)}
          <div class="actions">
            <button>Continue</button>
            {buttonLink(LIST_PATH, 'Cancel', 'second')}
          </div>
        </LargeForm>
      </section>
      <section class="card">
        <h2>Accepted files</h2>
        <Facts
          facts={[
            ['Format', 'CSV, JSON or NDJSON, plain or gzip'],
            ['Size', `Up to ${UPLOAD_MAX / 1024 ** 2} MB`],
            ['Required', required],
          ]}
        />
        <p>
          You can match columns of other names next.{' '}
          <a href={SAMPLE_PATH} download="startups.csv">
            Download a sample file
          </a>
          , or see <a href="/docs/import-format">all columns</a>.
        </p>
      </section>
    </div>,
    mappings.length > 0 && (
      <ListTable
        layout="entries"
        caption="Stored mappings"
        rows={mappings}
        columns={[
          ['Mapping', ({ name }) => name],
          ['Stored', ({ savedAt }) => time(savedAt, 'minute')],
          ['By', ({ savedBy }) => savedBy],
          [
            <span class="hidden">Actions</span>,
            ({ name }) => (
              <ButtonForm action={MAPPINGS_PATH} hidden={{ name }}>
                Remove
              </ButtonForm>
            ),
            'aside',
          ],
        ]}
      />
    ),
  ];
}

/** Between the first two steps: which list of a JSON document has the startups. */
export function listStep(kept: KeptFile): Content {
  const { lists, settings } = kept.answers;
  return [
    <Steps current="File" file={kept} />,
    <section class="card">
      <form class="stack" method="post" action={pathOfStep(kept, 'list')}>
        <SelectField
          name="path"
          label="Which list has the startups?"
          value={settings.mapping.path ?? ''}
          options={[['', 'Choose …'] as const, ...lists.map((list) => [list, list] as const)]}
        />
        <div class="actions">
          <button>Continue</button>
          {buttonLink(UPLOAD_PATH, 'Back to the file', 'second')}
        </div>
      </form>
    </section>,
  ];
}

/** What the path of the preview ends with where its form imports. */
export const IMPORT = '/import';

/** The choices of what an import does with startups. */
const rules = ['update', 'replace', 'yes'] as const;

const ruleText = (name: (typeof rules)[number]): string => capitalized(importOptions[name].about);

/** Which records are imported, and which startups are removed: in the words of the command. */
const RuleFields = ({ settings }: { readonly settings: ImportSettings }): Html => (
  <fieldset>
    <legend>Rules</legend>
    {rules.map((name) => checkbox(name, ruleText(name), settings[name]))}
    {field({
      name: 'maxRemoved',
      label: 'The most startups to remove',
      value: settings.maxRemoved,
      isRequired: false,
      maxLength: 10,
      autocomplete: 'off',
      hint: `A number, or percent of all, such as 20 or 5%. If more would be removed, nothing is imported. By default ${USUAL_MOST_REMOVED.number}%.`,
    })}
  </fieldset>
);

/** Whether startups that return are the removed ones with their slugs: what was asked before, and what is asked now. */
const returnsIn = ({ answers }: KeptFile, asked: readonly ReturnQuestion[]): readonly AskedReturn[] => {
  const known = new Set(answers.returns.map(({ slug }) => slug));
  const added = asked.filter(({ slug }) => !known.has(slug)).map((one) => ({ ...one, answer: '' as const }));
  return [...answers.returns, ...added];
};

const ReturnFields = ({ returns }: { readonly returns: readonly AskedReturn[] }): Html | null =>
  returns.length === 0 ? null : (
    <fieldset class="card">
      <legend>Startups that return</legend>
      <p class="hint">These slugs are of removed startups with another name and website.</p>
      {returns.map(({ slug, text, answer }, index) => {
        const names = numbered('return', index);
        return [
          <input type="hidden" name={names.key} value={slug} />,
          <input type="hidden" name={names.is} value={text} />,
          <SelectField
            name={names.value}
            label={`${slug}: ${quoted(text)}`}
            value={answer}
            options={[
              ['', 'Choose …'],
              ['same', 'Yes: it continues, with its history'],
              ['new', 'No: it is new'],
            ]}
          />,
        ];
      })}
    </fieldset>
  );

/**
 * The second step: which column is which field.
 *
 * @param asked about startups that return, after a preview found them.
 */
export function columnsStep(kept: ExaminedFile, asked: readonly ReturnQuestion[] = []): Content {
  const returns = returnsIn(kept, asked);
  const { examination, fields } = kept;
  const { settings, sent } = kept.answers;
  const { records } = examination;
  const notes = [
    ...examination.problems.map((problem) => problemOnPage(fields, problem)),
    // Each column that is kept as a new field says so itself.
    ...examination.notes.filter(({ kind }) => kind !== 'declared').map((note) => noteOnPage(fields, note)),
  ];
  return [
    <Steps current="Columns" file={kept} />,
    <Notes notes={notes} />,
    <LargeForm action={pathOfStep(kept, 'columns')}>
      <QuestionCount
        fields={fields}
        mapping={settings.mapping}
        examination={examination}
        others={[
          ...returns.flatMap(({ slug, answer }, index) =>
            answer === '' ? [[numbered('return', index).value, slug] as const] : [],
          ),
          ...openErrors(fields, examination.columns, sent),
        ]}
      />
      <ReturnFields returns={returns} />
      {settings.replace || settings.maxRemoved !== '' ? (
        <RuleFields settings={settings} />
      ) : (
        rules.map((rule) => settings[rule] && <input type="hidden" name={rule} value="on" />)
      )}
      <MappingFields
        fields={fields}
        mapping={settings.mapping}
        sent={sent}
        examination={examination}
        isUpdate={settings.update}
      />
      <div class="actions">
        <button name="act" value="preview">
          Preview
        </button>
        <button name="act" value="columns" class="second" data-recheck="">
          Check again
        </button>
        {buttonLink(UPLOAD_PATH, 'Back to the file', 'second')}
      </div>
    </LargeForm>,
    <Records fields={fields} records={records} columns={examination.columns} isUpdate={settings.update} />,
  ];
}

/**
 * The third step: what the import would do, the button that does it, and below it what that is based on.
 *
 * @param obstacle why it cannot be done; undefined if it can.
 * @param leavingOut what it would do without its invalid records; undefined if it cannot.
 * @param factor asks for the second factor before an import that removes startups.
 */
export function previewStep(
  kept: ExaminedFile,
  summary: ImportSummary,
  obstacle: string | undefined,
  leavingOut: ImportSummary | undefined,
  factor: readonly Html[],
): Content {
  const { examination, fields } = kept;
  const { settings, save } = kept.answers;
  const { records, rejected, examples, notes, sets } = summary;
  const isValid = obstacle === undefined;
  const importPath = `${pathOfStep(kept, 'preview')}${IMPORT}`;
  const isRejected = !isValid && !settings.skipInvalid && rejected > 0;
  const canLeaveOut = leavingOut !== undefined;
  /** What the button does. */
  const changes = isValid ? summary : leavingOut;
  const removedSample = changes?.removedSample ?? 0;
  const told = [
    ...(isValid ? [] : ['Correct the file, or answer under the columns what these values mean.']),
    ...(sets === null ? [] : [`Sets ${setsOnPage(fields, sets)}. All else stays.`]),
    ...(removedSample > 0
      ? [`This import also removes the ${amount(removedSample, 'sample startup')}.`]
      : []),
  ];
  const onPage = (note: Note): string => noteOnPage(fields, note);
  const rowsLeftOut = notes.filter(isLeftOut).map(onPage);
  const leftOut = <Facts facts={omitted(leftOutTexts(summary), rowsLeftOut)} />;
  const previewed =
    changes === undefined
      ? ''
      : previewDigest(kept, { ...settings, ...(canLeaveOut && { skipInvalid: true }) });
  return [
    <Steps current="Preview" file={kept} />,
    changes !== undefined ? (
      <ChangeFigures of={{ ...changes, removed: changes.removed + changes.removedSample }} />
    ) : (
      <Figures
        figures={[
          ['Records', count(records)],
          ['Valid', count(records - rejected)],
          ['Invalid', count(rejected)],
        ]}
      />
    ),
    changes !== undefined && changes.returned + changes.removed > 0 && (
      <Facts
        facts={[
          changes.returned > 0 && [
            'Return, with their history',
            startupNames(changes.firstReturned, changes.returned),
          ],
          changes.removed > 0 && ['Are removed', startupNames(changes.firstRemoved, changes.removed, true)],
        ]}
      />
    ),
    <Notes notes={notes.filter((note) => !isLeftOut(note)).map(onPage)} />,
    <section class={isValid ? 'card' : 'card danger'}>
      <h2>{isValid ? 'Ready to import' : isRejected ? rejectedText(summary) : obstacle}</h2>
      <form class="stack" method="post" action={pathOfStep(kept, 'preview')}>
        <input type="hidden" name="previewed" value={previewed} />
        {settings.skipInvalid && <input type="hidden" name="skipInvalid" value="on" />}
        {told.length > 0 && <p>{told.join(' ')}</p>}
        {changes !== undefined && settings.replace && factor}
        <div class="actions">
          {isValid && (
            <button name="act" value="import" formaction={importPath}>
              Import {amount(records - rejected, 'record')}
            </button>
          )}
          {canLeaveOut && (
            <button name="act" value="import-valid" formaction={importPath}>
              Import {count(records - rejected)}, leave out {count(rejected)}
            </button>
          )}
          {buttonLink(
            pathOfStep(kept, 'columns'),
            'Back to the columns',
            changes === undefined ? undefined : 'second',
          )}
        </div>
        <details open={!isValid && !isRejected}>
          <summary>Options</summary>
          <div class="columns">
            <RuleFields settings={settings} />
            {field({
              name: 'save',
              label: 'Store the mapping as',
              value: save,
              isRequired: false,
              maxLength: 100,
              autocomplete: 'off',
              hint: 'Optional, for the next file of this kind: also as ?mapping=NAME of POST /import.',
            })}
          </div>
          <button name="act" value="preview" class="second">
            Preview again
          </button>
        </details>
      </form>
    </section>,
    summary.errorCount > 0 && <ErrorTable fields={fields} {...summary} />,
    examples.length === 0 ? (
      leftOut
    ) : (
      <Records fields={fields} records={examples} columns={examination.columns} isUpdate={settings.update}>
        {leftOut}
      </Records>
    ),
  ];
}

/** What an update in part sets, such as `MRR (500 values), Asking price (3 cleared)`. */
function setsOnPage(fields: ImportFields, sets: NonNullable<ImportSummary['sets']>): string {
  const shown = sets.map(({ field: path, values, cleared }) => {
    const counts = [values > 0 && amount(values, 'value'), cleared > 0 && `${count(cleared)} cleared`];
    return `${nameOfField(fields, path)} (${counts.filter(Boolean).join(', ')})`;
  });
  return shown.length === 0 ? 'nothing' : shown.join(', ');
}

/** Counts what the figures above it count: records, of which one can have several errors. */
const rejectedText = ({ rejected, records }: ImportSummary): string =>
  `${count(rejected)} of ${amount(records, 'record')} ${rejected === 1 ? 'is' : 'are'} invalid.`;
