import { amount } from '../../../lib/errors.ts';
import { missingFields } from '../../../startups/import/columns/field-names.ts';
import { standardFields } from '../../../startups/import/columns/import-fields.ts';
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
import { MappingFields, QuestionCount } from './mapping-fields.tsx';
import { type AskedReturn, type ImportSettings, numbered, quoted, readReturns } from './mapping-form.ts';
import { previewDigest, UPLOAD_MAX, type Upload } from './upload.ts';
import {
  ChangeFigures,
  FileField,
  FileForm,
  LIST_PATH,
  MAPPINGS_PATH,
  Notes,
  omitted,
  Records,
  SAMPLE_PATH,
  SameFileField,
  startupNames,
} from './upload-parts.tsx';

/** An uploaded file with how it is to be imported. */
export interface UploadStep {
  readonly upload: Upload;
  readonly settings: ImportSettings;
  readonly examination: Examination;
  /** Asks for the second factor before an import that removes startups. */
  readonly factor?: readonly Html[];
}

const fileOf = ({ upload: { name, file } }: UploadStep) => ({ name, bytes: file.bytes });

const required = missingFields(standardFields, () => false, {})
  .map(nameOfField)
  .join('; ');

/** The first step: a file, and how to read it. */
export function chooseStep(mappings: readonly Omit<StoredMapping, 'mapping'>[]): Content {
  return [
    <Steps current="File" />,
    <div class="columns">
      <section class="card">
        <FileForm>
          <div class="notice" data-draft="" hidden>
            <p>
              Your answers for <strong /> are kept. Choose the same file again to continue with them: they are
              not used for a file with other content.{' '}
              <button type="button" class="quiet">
                Start over
              </button>
            </p>
          </div>
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
        </FileForm>
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
export function listStep(upload: Upload, lists: readonly string[]): Content {
  const { name, file, fields } = upload;
  return [
    <Steps current="File" file={{ name, bytes: file.bytes }} />,
    <section class="card">
      <FileForm of={upload}>
        <input type="hidden" name="stored" value={fields.stored ?? ''} />
        {fields.update === 'on' && <input type="hidden" name="update" value="on" />}
        <SelectField
          name="path"
          label="Which list has the startups?"
          value=""
          options={[['', 'Choose …'] as const, ...lists.map((list) => [list, list] as const)]}
        />
        <SameFileField name={name} />
        <div class="actions">
          <button>Continue</button>
          {buttonLink(UPLOAD_PATH, 'Back to the file', 'second')}
        </div>
      </FileForm>
    </section>,
  ];
}

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

/** Whether startups that return are the removed ones with their slugs: what a page asked before, and what it asks now. */
const returnsIn = ({ upload }: UploadStep, asked: readonly ReturnQuestion[]): readonly AskedReturn[] => {
  const before = readReturns(upload.fields);
  const known = new Set(before.map(({ slug }) => slug));
  return [...before, ...asked.flatMap((one) => (known.has(one.slug) ? [] : { ...one, answer: '' as const }))];
};

/** The question of each, for the next form, too. */
const hiddenReturn = ({ slug, text }: AskedReturn, index: number): Content => {
  const names = numbered('return', index);
  return [
    <input type="hidden" name={names.key} value={slug} />,
    <input type="hidden" name={names.is} value={text} />,
  ];
};

const ReturnFields = ({ returns }: { readonly returns: readonly AskedReturn[] }): Html | null =>
  returns.length === 0 ? null : (
    <fieldset class="card">
      <legend>Startups that return</legend>
      <p class="hint">These slugs are of removed startups with another name and website.</p>
      {returns.map((one, index) => [
        hiddenReturn(one, index),
        <SelectField
          name={numbered('return', index).value}
          label={`${one.slug}: ${quoted(one.text)}`}
          value={one.answer}
          options={[
            ['', 'Choose …'],
            ['same', 'Yes: it continues, with its history'],
            ['new', 'No: it is new'],
          ]}
        />,
      ])}
    </fieldset>
  );

/**
 * The second step: which column is which field.
 *
 * @param asked about startups that return, after a preview found them.
 */
export function columnsStep(of: UploadStep, asked: readonly ReturnQuestion[] = []): Content {
  const returns = returnsIn(of, asked);
  const { upload, settings, examination } = of;
  const { records } = examination;
  const notes = [...examination.problems.map(problemOnPage), ...examination.notes.map(noteOnPage)];
  return [
    <Steps current="Columns" file={fileOf(of)} />,
    <Notes notes={notes} />,
    <FileForm of={upload}>
      <input type="hidden" name="previewed" value="" />
      <input type="hidden" name="mapping" value={JSON.stringify(settings.mapping)} />
      <QuestionCount
        mapping={settings.mapping}
        examination={examination}
        others={returns.flatMap(({ slug, answer }, index) =>
          answer === '' ? [[numbered('return', index).value, slug] as const] : [],
        )}
      />
      <ReturnFields returns={returns} />
      {settings.replace || settings.maxRemoved !== '' ? (
        <RuleFields settings={settings} />
      ) : (
        rules.map((rule) => settings[rule] && <input type="hidden" name={rule} value="on" />)
      )}
      <input type="hidden" name="save" value={nameOf(upload)} />
      <MappingFields
        mapping={settings.mapping}
        sent={upload.fields}
        examination={examination}
        isUpdate={settings.update}
      />
      <SameFileField name={upload.name} />
      <div class="actions">
        <button name="act" value="preview">
          Preview
        </button>
        <button name="act" value="columns" class="second" data-recheck="">
          Check again
        </button>
        <a class="button second" href={UPLOAD_PATH} data-back="">
          Back to the file
        </a>
      </div>
    </FileForm>,
    <Records records={records} columns={examination.columns} isUpdate={settings.update} />,
  ];
}

/**
 * The third step: what the import would do, the button that does it, and below it what that is based on.
 *
 * @param obstacle why it cannot be done; undefined if it can.
 * @param leavingOut what it would do without its invalid records; undefined if it cannot.
 */
export function previewStep(
  of: UploadStep,
  summary: ImportSummary,
  obstacle?: string,
  leavingOut?: ImportSummary,
): Content {
  const { upload, settings, examination } = of;
  const { records, rejected, examples, notes, sets } = summary;
  const isValid = obstacle === undefined;
  const isRejected = !isValid && !settings.skipInvalid && rejected > 0;
  const canLeaveOut = leavingOut !== undefined;
  /** What the button does. */
  const changes = isValid ? summary : leavingOut;
  const removedSample = changes?.removedSample ?? 0;
  const told = [
    ...(isValid ? [] : ['Correct the file, or answer under the columns what these values mean.']),
    ...(sets === null ? [] : [`Sets ${setsOnPage(sets)}. All else stays.`]),
    ...(removedSample > 0
      ? [`This import also removes the ${amount(removedSample, 'sample startup')}.`]
      : []),
  ];
  const rowsLeftOut = notes.filter(isLeftOut).map(noteOnPage);
  const leftOut = <Facts facts={omitted(leftOutTexts(summary), rowsLeftOut)} />;
  const previewed =
    changes === undefined
      ? ''
      : previewDigest(upload, { ...settings, ...(canLeaveOut && { skipInvalid: true }) });
  return [
    <Steps current="Preview" file={fileOf(of)} />,
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
    <Notes notes={notes.filter((note) => !isLeftOut(note)).map(noteOnPage)} />,
    <section class={isValid ? 'card' : 'card danger'}>
      <h2>{isValid ? 'Ready to import' : isRejected ? rejectedText(summary) : obstacle}</h2>
      <FileForm of={upload}>
        <input type="hidden" name="previewed" value={previewed} />
        <input type="hidden" name="mapping" value={JSON.stringify(settings.mapping)} />
        {returnsIn(of, []).map((one, index) => [
          hiddenReturn(one, index),
          <input type="hidden" name={numbered('return', index).value} value={one.answer} />,
        ])}
        {settings.skipInvalid && <input type="hidden" name="skipInvalid" value="on" />}
        {told.length > 0 && <p>{told.join(' ')}</p>}
        <SameFileField name={upload.name} />
        {changes !== undefined && settings.replace && of.factor}
        <div class="actions">
          {isValid && (
            <button name="act" value="import">
              Import {amount(records - rejected, 'record')}
            </button>
          )}
          {canLeaveOut && (
            <button name="act" value="import-valid">
              Import {count(records - rejected)}, leave out {count(rejected)}
            </button>
          )}
          <button name="act" value="columns" class={changes === undefined ? undefined : 'second'}>
            Back to the columns
          </button>
        </div>
        <details open={!isValid && !isRejected}>
          <summary>Options</summary>
          <div class="columns">
            <RuleFields settings={settings} />
            {field({
              name: 'save',
              label: 'Store the mapping as',
              value: nameOf(upload),
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
      </FileForm>
    </section>,
    summary.errorCount > 0 && <ErrorTable {...summary} />,
    examples.length === 0 ? (
      leftOut
    ) : (
      <Records records={examples} columns={examination.columns} isUpdate={settings.update}>
        {leftOut}
      </Records>
    ),
  ];
}

/** What an update in part sets, such as `MRR (500 values), Asking price (3 cleared)`. */
function setsOnPage(sets: NonNullable<ImportSummary['sets']>): string {
  const shown = sets.map(({ field: path, values, cleared }) => {
    const counts = [values > 0 && amount(values, 'value'), cleared > 0 && `${count(cleared)} cleared`];
    return `${nameOfField(path)} (${counts.filter(Boolean).join(', ')})`;
  });
  return shown.length === 0 ? 'nothing' : shown.join(', ');
}

/** Counts what the figures above it count: records, of which one can have several errors. */
const rejectedText = ({ rejected, records }: ImportSummary): string =>
  `${count(rejected)} of ${amount(records, 'record')} ${rejected === 1 ? 'is' : 'are'} invalid.`;

/** The name under which the mapping is to be stored; empty if it is not. */
export const nameOf = ({ fields }: Upload): string => (fields.save ?? fields.stored ?? '').trim();
