import { Hono } from 'hono';
import { runAction } from '../../../audit/run-action.ts';
import { ApiError, OperatorError } from '../../../errors.ts';
import { type ImportSummary, InvalidInputError } from '../../../startups/import/import.ts';
import { checkMapping } from '../../../startups/import/mapping.ts';
import {
  getMapping,
  listMappings,
  removeMapping,
  saveMapping,
} from '../../../startups/import/stored-mappings.ts';
import type { MappingSuggestion } from '../../../startups/import/suggest-mapping.ts';
import { buttonLink, ListTable, Notice } from '../../shared/components.tsx';
import { time } from '../../shared/time.tsx';
import { ButtonForm, field } from '../forms.tsx';
import { operatorPage } from '../operator/frame.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';
import { MappingFields } from './mapping-fields.tsx';
import { asSent, hasMapping, type ImportSettings, openQuestions, readSettings } from './mapping-form.ts';
import { previewDigest, receiveUpload, type Upload } from './upload.ts';
import { LIST_PATH, UPLOAD_PATH } from './upload-link.tsx';
import { FileField, FileForm, inForm, MappingChoice, Preview, Records } from './upload-views.tsx';

const MAPPINGS_PATH = `${LIST_PATH}/mappings`;
const UPLOADS_PER_MINUTE = 20;
const WHOLE_MS = 3_600_000;

/** The upload of a file in two steps: the first previews it, the second applies exactly what was previewed. */
export function uploadRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now, counter, imports } = services;

  const choose = async (errors: readonly string[] = []): Promise<Page> => {
    const mappings = await listMappings(prisma);
    return operatorPage(
      LIST_PATH,
      'Upload startups',
      <>
        <div class="card">
          <FileForm action={UPLOAD_PATH}>
            <FileField hint="CSV, JSON or NDJSON, also compressed with gzip, up to 20 MB. Nothing is imported before you have seen a preview." />
            <MappingChoice mappings={mappings} />
            <div class="actions">
              <button>Preview</button>
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
      </>,
      { back: { path: LIST_PATH, label: 'All imports' }, errors },
    );
  };

  const preview = (
    upload: Upload,
    settings: ImportSettings,
    suggestion: MappingSuggestion,
    summary: ImportSummary | undefined,
    errors: readonly string[],
    questions: readonly string[] = [],
  ): Page => {
    const mayImport = summary !== undefined && errors.length === 0 && questions.length === 0;
    const isFirst = isFirstOf(upload);
    const page = operatorPage(
      LIST_PATH,
      `Import ${upload.name}`,
      <>
        {summary !== undefined && <Preview summary={summary} />}
        {isFirst && !mayImport && suggestion.records.length > 0 && (
          <section class="card">
            <Records records={suggestion.records} />
          </section>
        )}
        {isFirst && suggestion.notes.length > 0 && (
          <section class="card">
            <h2>Check these</h2>
            <ul>
              {suggestion.notes.map((note) => (
                <li>{inForm(note)}</li>
              ))}
            </ul>
          </section>
        )}
        <div class="card">
          <FileForm action={UPLOAD_PATH}>
            <input type="hidden" name="previewed" value={mayImport ? previewDigest(upload, settings) : ''} />
            <FileField
              hint={`Choose ${upload.name} again: browsers do not keep files from page to page. Only the file of this preview is imported.`}
            />
            {questions.length > 0 && (
              <Notice tone="wrong">Answer the questions below: {questions.join(', ')}.</Notice>
            )}
            <MappingFields settings={settings} suggestion={suggestion} />
            {field({
              name: 'save',
              label: 'Store the mapping as',
              value: upload.fields.save ?? upload.fields.stored ?? '',
              isRequired: false,
              maxLength: 100,
              autocomplete: 'off',
              hint: 'Optional, for the next file of this kind: also as ?mapping=NAME of POST /import.',
            })}
            <div class="actions">
              {mayImport && (
                <button name="act" value="import">
                  Import
                </button>
              )}
              <button name="act" value="preview" class={mayImport ? 'second' : undefined}>
                Preview again
              </button>
              {buttonLink(LIST_PATH, 'Cancel', 'second')}
            </div>
          </FileForm>
        </div>
      </>,
      { back: { path: LIST_PATH, label: 'All imports' }, errors },
    );
    return questions.length > 0 ? { ...page, status: 400 } : page;
  };

  const run = (context: SignedInContext, upload: Upload, settings: ImportSettings, dryRun: boolean) => {
    const { mapping, replace, yes, skipInvalid } = settings;
    checkMapping(mapping);
    const { fd, bytes } = upload.file;
    return imports.importer.run(
      {
        ...{ name: upload.name, fd, bytes, mostUnpacked: imports.mostUnpacked, mapping, dryRun, skipInvalid },
        replace: replace ? { yes } : undefined,
        user: context.var.visitor.id,
        via: 'dashboard',
      },
      signalOf(context),
    );
  };

  /** Shows what an import would do, with the errors that would keep it from being done. */
  const showPreview = async (
    context: SignedInContext,
    upload: Upload,
    settings: ImportSettings,
    suggestion: MappingSuggestion,
    errors: string[] = [],
  ): Promise<Page> => {
    try {
      const { summary } = await run(context, upload, settings, true);
      return preview(upload, settings, suggestion, summary, errors);
    } catch (error) {
      if (error instanceof InvalidInputError) {
        const questions = openQuestions(settings, suggestion);
        const hasRead = error.summary.records > 0 || error.summary.errorCount > 1;
        if (questions.length > 0 && (isFirstOf(upload) || !hasRead)) {
          // Without an answer nothing is wrong yet: the errors would say the same in other words.
          return preview(
            upload,
            settings,
            suggestion,
            hasRead ? error.summary : undefined,
            errors,
            questions,
          );
        }
        return preview(upload, settings, suggestion, error.summary, [...errors, inForm(error.reason)]);
      }
      if (error instanceof OperatorError) {
        return preview(upload, settings, suggestion, undefined, [...errors, ...error.lines.map(inForm)]);
      }
      throw error;
    }
  };

  const apply = async (
    context: SignedInContext,
    upload: Upload,
    settings: ImportSettings,
  ): Promise<Response> => {
    await run(context, upload, settings, false);
    const name = (upload.fields.save ?? '').trim();
    if (name !== '') {
      const acting = actingAsOperator(services, context.var.visitor);
      const stored = { name, mapping: settings.mapping, savedBy: acting.actor, savedAt: new Date(now()) };
      await runAction(acting, async ({ prisma: transaction, record }) => {
        await saveMapping(transaction, stored);
        await record('mapping.save', name);
      });
    }
    // The worker does not know its id.
    const { id } = await prisma.import.findFirstOrThrow({
      where: { importedBy: context.var.visitor.id, via: 'dashboard' },
      orderBy: { id: 'desc' },
      select: { id: true },
    });
    return redirect(context, `${LIST_PATH}/${id}?notice=imported`);
  };

  const upload = async (context: SignedInContext): Promise<Response> => {
    const { visitor } = context.var;
    if (!(await counter.reserve(`dashboard:uploads:${visitor.id}`, 1, UPLOADS_PER_MINUTE)).admitted) {
      throw new ApiError('RATE_LIMITED', 'Too many uploads in a minute. Wait a moment, then try again.');
    }
    let received: Upload;
    try {
      received = await receiveUpload(context.env.request, imports.stagingDirectory);
    } catch (error) {
      if (error instanceof OperatorError) {
        return context.render(await choose(error.lines));
      }
      throw error;
    }
    try {
      const { fields, file, name } = received;
      const suggestion = await imports.importer
        .suggest({ name, fd: file.fd, bytes: file.bytes }, signalOf(context))
        .catch((error) => {
          if (error instanceof OperatorError) {
            return error;
          }
          throw error;
        });
      if (suggestion instanceof OperatorError) {
        return context.render(await choose(suggestion.lines));
      }
      const given = hasMapping(fields)
        ? readSettings(fields)
        : {
            mapping: fields.stored ? await getMapping(prisma, fields.stored) : suggestion.mapping,
            ...{ replace: false, yes: false, skipInvalid: false },
          };
      const settings = asSent(given, suggestion.columns);
      if (fields.act !== 'import') {
        return context.render(await showPreview(context, received, settings, suggestion));
      }
      if (fields.previewed !== previewDigest(received, settings)) {
        const changed =
          'The file or a setting differs from the preview, so nothing was imported. This is the preview of what you sent: check it, then import.';
        const page = await showPreview(context, received, settings, suggestion);
        return context.render({ ...page, status: 400, errors: [changed, ...(page.errors ?? [])] });
      }
      try {
        return await apply(context, received, settings);
      } catch (error) {
        if (error instanceof OperatorError) {
          return context.render(preview(received, settings, suggestion, undefined, error.lines.map(inForm)));
        }
        throw error;
      }
    } finally {
      await received.file.close();
    }
  };

  return new Hono<SignedInEnv>()
    .get(UPLOAD_PATH, async (context) => context.render(await choose()))
    .post(UPLOAD_PATH, upload);
}

/** Removes stored mappings. */
export function mappingRoutes(services: Services): Hono<SignedInEnv> {
  const remove = async (context: SignedInContext): Promise<Response> => {
    const name = context.var.form.name ?? '';
    await runAction(
      actingAsOperator(services, context.var.visitor),
      async ({ prisma: transaction, record }) => {
        if (await removeMapping(transaction, name)) {
          await record('mapping.remove', name);
        }
      },
    );
    return redirect(context, `${UPLOAD_PATH}?notice=mapping-removed`);
  };

  return new Hono<SignedInEnv>().post(MAPPINGS_PATH, remove);
}

/** Whether nobody has chosen yet what the columns are. */
function isFirstOf({ fields }: Upload): boolean {
  return !hasMapping(fields) && !fields.stored;
}

function signalOf({ env }: SignedInContext): AbortSignal {
  return AbortSignal.any([env.request.disconnected(), AbortSignal.timeout(WHOLE_MS)]);
}
