import { missingFields } from '../../../startups/import/mapping.ts';
import type { StoredMapping } from '../../../startups/import/stored-mappings.ts';
import type { MappingSuggestion } from '../../../startups/import/suggest-mapping.ts';
import type { ImportSummary } from '../../../startups/import/summary.ts';
import { amount } from '../../../text/amount.ts';
import { buttonLink, ListTable, Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { ButtonForm, field } from '../forms.tsx';
import { MappingFields, RuleFields } from './mapping-fields.tsx';
import { type ImportSettings, nameOfField } from './mapping-form.ts';
import { previewDigest, type Upload } from './upload.ts';
import { LIST_PATH, MAPPINGS_PATH, UPLOAD_PATH } from './upload-link.tsx';
import {
  FileField,
  FileForm,
  inForm,
  MappingChoice,
  Preview,
  SameFileField,
  Steps,
} from './upload-views.tsx';

/** An uploaded file with how it is to be imported. */
export interface UploadStep {
  readonly upload: Upload;
  readonly settings: ImportSettings;
  readonly suggestion: MappingSuggestion;
  /** Whether the settings are those that were suggested. */
  readonly isFirst?: boolean;
}

const fileOf = ({ upload: { name, file } }: UploadStep) => ({ name, bytes: file.bytes });

const required = missingFields(() => false, {})
  .map(nameOfField)
  .join('; ');

/** The first step: a file, and how to read it. */
export function chooseStep(mappings: readonly StoredMapping[]): Html {
  return (
    <>
      <Steps current="File" />
      <div class="card">
        <FileForm>
          <FileField
            hint={
              <>
                CSV, JSON or NDJSON, also compressed with gzip, up to 20 MB. Every startup needs: {required}.{' '}
                <a href="/docs/import-format">A CSV to copy</a> is in the documentation. Nothing is imported
                before you have seen a preview.
              </>
            }
          />
          <MappingChoice mappings={mappings} />
          <div class="actions">
            <button>Continue</button>
            {buttonLink(LIST_PATH, 'Cancel', 'second')}
          </div>
        </FileForm>
      </div>
      {mappings.length > 0 && (
        <ListTable
          caption="Stored mappings"
          rows={mappings}
          columns={[
            ['Mapping', ({ name }) => name],
            ['Stored', ({ savedAt }) => time(savedAt, 'minute')],
            ['By', ({ savedBy }) => savedBy],
            [
              '',
              ({ name }) => (
                <ButtonForm action={MAPPINGS_PATH} hidden={{ name }}>
                  Remove
                </ButtonForm>
              ),
            ],
          ]}
        />
      )}
    </>
  );
}

/** The second step: which column is which field. */
export function columnsStep(of: UploadStep): Html {
  const { upload, settings, suggestion, isFirst = false } = of;
  return (
    <>
      <Steps current="Columns" file={fileOf(of)} />
      {isFirst && suggestion.notes.length > 0 && (
        <section class="notice warn">
          <h2>Check these</h2>
          <ul>
            {suggestion.notes.map((note) => (
              <li>{inForm(note)}</li>
            ))}
          </ul>
        </section>
      )}
      <FileForm>
        <input type="hidden" name="previewed" value="" />
        {(['replace', 'yes', 'skipInvalid'] as const).map(
          (rule) => settings[rule] && <input type="hidden" name={rule} value="on" />,
        )}
        <input type="hidden" name="save" value={nameOf(upload)} />
        <MappingFields mapping={settings.mapping} suggestion={suggestion} />
        <div class="card stack">
          <SameFileField name={upload.name} />
          <div class="actions">
            <button name="act" value="preview">
              Preview
            </button>
            <a class="button second" href={UPLOAD_PATH} data-back="">
              Back to the file
            </a>
          </div>
        </div>
      </FileForm>
    </>
  );
}

/** The third step: what the import would do, and the button that does it. */
export function previewStep(of: UploadStep, summary: ImportSummary, isValid: boolean): Html {
  const { upload, settings } = of;
  return (
    <>
      <Steps current="Preview" file={fileOf(of)} />
      <Preview summary={summary} isValid={isValid} />
      <div class="card">
        <FileForm>
          <input type="hidden" name="previewed" value={isValid ? previewDigest(upload, settings) : ''} />
          <input type="hidden" name="mapping" value={JSON.stringify(settings.mapping)} />
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
          <SameFileField name={upload.name} />
          {summary.removedSample > 0 && (
            <Notice tone="warn">
              This import also removes the {amount(summary.removedSample, 'sample startup')}.
            </Notice>
          )}
          <div class="actions">
            {isValid && (
              <button name="act" value="import">
                Import {amount(summary.records - summary.rejected, 'record')}
              </button>
            )}
            <button name="act" value="preview" class={isValid ? 'second' : undefined}>
              Preview again
            </button>
            <button name="act" value="columns" class="second">
              Back to the columns
            </button>
          </div>
        </FileForm>
      </div>
    </>
  );
}

/** The name under which the mapping is to be stored. */
const nameOf = ({ fields }: Upload): string => fields.save ?? fields.stored ?? '';
