import { Hono } from 'hono';
import { rightToImport } from '../../../access/accounts/operators.ts';
import { needsFactor } from '../../../access/accounts/second-factor/check.ts';
import { runAction } from '../../../access/audit/run-action.ts';
import { ApiError, OperatorError, UnknownError } from '../../../lib/errors.ts';
import { checkMapping } from '../../../startups/import/columns/check-mapping.ts';
import {
  checkMappingName,
  getMapping,
  listMappings,
  removeMapping,
  saveMapping,
} from '../../../startups/import/columns/stored-mappings.ts';
import { InvalidInputError, RightEndedError } from '../../../startups/import/import.ts';
import type { ImportSummary } from '../../../startups/import/summary.ts';
import { sampleCsv } from '../../docs/import-format.ts';
import { operatorPage } from '../operator/list-page.tsx';
import {
  FieldErrors,
  inPlace,
  type Page,
  redirect,
  type SignedInContext,
  type SignedInEnv,
} from '../page.ts';
import { enterFactor, factorFieldIfOld } from '../second-factor/factor-form.tsx';
import { actingAsOperator, type Services } from '../services.ts';
import { hasMapping, readSettings } from './mapping-form.ts';
import { previewDigest, receiveUpload, type Upload } from './upload.ts';
import { LIST_PATH, MAPPINGS_PATH, SAMPLE_PATH, UPLOAD_PATH } from './upload-link.tsx';
import { chooseStep, columnsStep, previewStep, type UploadStep } from './upload-steps.tsx';
import { inForm } from './upload-views.tsx';

const UPLOADS_PER_MINUTE = 20;
const WHOLE_MS = 3_600_000;

const CHANGED =
  'The file or a setting differs from the preview, so nothing was imported. This is the preview of what you sent: check it, then import.';

/** What all steps of an upload have. */
const look = {
  back: { path: LIST_PATH, label: 'All imports' },
  scripts: [...inPlace, 'upload.js'],
  connects: true,
};

/**
 * The upload of a file in steps, each of which sends the file again: which column is which field, a preview, and the
 * import of exactly what was previewed.
 */
export function uploadRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now, counter, imports } = services;

  const choose = async (errors: readonly string[] = []): Promise<Page> =>
    operatorPage(LIST_PATH, 'Upload startups', chooseStep(await listMappings(prisma)), { ...look, errors });

  const columns = (of: UploadStep, errors: readonly string[] = []): Page =>
    operatorPage(LIST_PATH, 'Assign columns', columnsStep(of), { ...look, errors });

  const rightOf = ({ var: { visitor } }: SignedInContext) =>
    rightToImport({ accountId: visitor.id, by: { session: visitor.sessionId } }, services.operators);

  const run = (context: SignedInContext, { upload, settings }: UploadStep, dryRun: boolean) => {
    const { mapping, replace, yes, skipInvalid } = settings;
    checkMapping(mapping);
    return imports.importer
      .run(
        {
          ...{
            name: upload.name,
            fd: upload.file.fd,
            mostUnpacked: imports.mostUnpacked,
            mapping,
            dryRun,
            skipInvalid,
          },
          replace: replace ? { yes } : undefined,
          user: context.var.visitor.id,
          via: 'dashboard',
          authorize: rightOf(context),
        },
        signalOf(context),
      )
      .catch((error) => {
        throw error instanceof RightEndedError ? new ApiError('NOT_FOUND', error.message) : error;
      });
  };

  /** @throws OperatorError if the mapping cannot be stored under the name of the form: before anything is imported. */
  const checkName = async ({ upload }: UploadStep): Promise<void> => {
    const name = nameOf(upload);
    if (name !== '') {
      await checkMappingName(prisma, name);
    }
  };

  /** Shows what an import would do, or why it cannot be done; the columns again, if these are the reason. */
  const preview = async (
    context: SignedInContext,
    of: UploadStep,
    errors: readonly string[] = [],
  ): Promise<Page> => {
    const page = (summary: ImportSummary, obstacle?: string): Page =>
      operatorPage(LIST_PATH, 'Preview', previewStep(of, summary, obstacle), {
        ...look,
        errors,
        status: obstacle === undefined && errors.length === 0 ? 200 : 400,
      });
    try {
      const { questions } = of.examination;
      if (questions.length > 0) {
        return columns(of, [...errors, `Answer the questions below: ${questions.join('; ')}.`]);
      }
      await checkName(of);
      return page((await run(context, of, true)).summary);
    } catch (error) {
      if (error instanceof InvalidInputError) {
        return page(error.summary, error.reason);
      }
      if (error instanceof OperatorError) {
        return columns(of, [...errors, ...error.lines.map(inForm)]);
      }
      throw error;
    }
  };

  const apply = async (context: SignedInContext, of: UploadStep): Promise<Response> => {
    if (of.settings.replace && needsFactor(context.var.visitor, now())) {
      await enterFactor(services, context.env.request, context.var.visitor, of.upload.fields);
    }
    await checkName(of);
    const { id } = await run(context, of, false);
    const name = nameOf(of.upload);
    let notice = 'imported';
    if (name !== '') {
      const acting = actingAsOperator(services, context.var.visitor);
      const stored = { name, mapping: of.settings.mapping, savedBy: acting.actor, savedAt: new Date(now()) };
      try {
        await runAction(acting, async ({ prisma: transaction, record }) => {
          await saveMapping(transaction, stored);
          await record('mapping.save', name);
        });
      } catch (error) {
        // Others stored mappings meanwhile, or the right ended: the import is done in any case.
        if (!(error instanceof OperatorError || error instanceof ApiError)) {
          throw error;
        }
        notice = 'imported-alone';
      }
    }
    return redirect(context, `${LIST_PATH}/${id}?notice=${notice}`);
  };

  const upload = async (context: SignedInContext): Promise<Response> => {
    const { visitor } = context.var;
    if (!(await counter.reserve(`dashboard:uploads:${visitor.id}`, 1, UPLOADS_PER_MINUTE)).admitted) {
      throw new ApiError('RATE_LIMITED', 'Too many uploads in a minute. Wait a moment, then try again.');
    }
    let received: Upload;
    try {
      received = await receiveUpload(context.env.request, imports.stagingDirectory, visitor.id);
    } catch (error) {
      if (error instanceof OperatorError) {
        return context.render(await choose(error.lines));
      }
      throw error;
    }
    try {
      // The right may have ended while the file arrived.
      const { visitor: sender } = await services.auth.visitor(context.env.request);
      if (sender?.isOperator !== true) {
        return sender === undefined
          ? redirect(context, '/dashboard/sign-in?notice=expired')
          : context.notFound();
      }
      const { fields, file, name } = received;
      let of: UploadStep;
      try {
        const given = hasMapping(fields)
          ? readSettings(fields)
          : {
              mapping: fields.stored ? await getMapping(prisma, fields.stored) : {},
              ...{ replace: false, yes: false, skipInvalid: false },
            };
        const examination = await imports.importer.examine(
          { name, fd: file.fd, mapping: given.mapping, asksTexts: !hasMapping(fields) },
          signalOf(context),
        );
        const factor = factorFieldIfOld(services, visitor);
        of = { upload: received, examination, factor, settings: { ...given, mapping: examination.mapping } };
      } catch (error) {
        if (error instanceof OperatorError && !(error instanceof UnknownError)) {
          return context.render(await choose(error.lines));
        }
        throw error;
      }
      const isFirst = !hasMapping(fields) && !fields.stored;
      if (isFirst || fields.act === 'columns') {
        return context.render(columns(of));
      }
      if (fields.act !== 'import') {
        return context.render(await preview(context, of));
      }
      if (fields.previewed !== previewDigest(received, of.settings)) {
        return context.render(await preview(context, of, [CHANGED]));
      }
      try {
        return await apply(context, of);
      } catch (error) {
        if (error instanceof FieldErrors) {
          return context.render(await preview(context, of, [error.fields.factor ?? '']));
        }
        if (error instanceof OperatorError) {
          return context.render(await preview(context, of, error.lines.map(inForm)));
        }
        throw error;
      }
    } finally {
      await received.file.close();
    }
  };

  return new Hono<SignedInEnv>()
    .get(UPLOAD_PATH, async (context) => context.render(await choose()))
    .get(SAMPLE_PATH, (context) => context.body(sampleCsv(), 200, { 'Content-Type': 'text/csv' }))
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

/** The name under which the mapping is to be stored; empty if it is not. */
const nameOf = ({ fields }: Upload): string => (fields.save ?? '').trim();

function signalOf({ env }: SignedInContext): AbortSignal {
  return AbortSignal.any([env.request.disconnected(), AbortSignal.timeout(WHOLE_MS)]);
}
