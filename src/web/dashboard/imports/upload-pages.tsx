import { Hono } from 'hono';
import { rightToImport } from '../../../access/accounts/operators.ts';
import { needsFactor } from '../../../access/accounts/second-factor.ts';
import { runAction } from '../../../access/audit/audit-log.ts';
import { ApiError, amount, OperatorError, UnknownError } from '../../../lib/errors.ts';
import { RightEndedError } from '../../../startups/import/apply.ts';
import { checkMapping } from '../../../startups/import/columns/check-mapping.ts';
import { standardFields } from '../../../startups/import/columns/import-fields.ts';
import { SeveralListsError } from '../../../startups/import/columns/sample.ts';
import { InvalidInputError } from '../../../startups/import/import.ts';
import { type ReturnQuestion, ReturnsError } from '../../../startups/import/plan.ts';
import {
  checkMappingName,
  getMapping,
  listMappings,
  removeMapping,
  saveMapping,
} from '../../../startups/import/stored-mappings.ts';
import type { ImportSummary } from '../../../startups/import/values/summary.ts';
import { limited } from '../../page/access.ts';
import { field } from '../../page/forms.tsx';
import { type NoticeName, withNotice } from '../../page/notices.ts';
import {
  FieldErrors,
  inPlace,
  type Page,
  page,
  redirect,
  type SignedInContext,
  type SignedInEnv,
} from '../../page/page.ts';
import { enterFactor, factorIfOld } from '../../page/second-factor.ts';
import { actingAsOperator, RoleEndedError, type Services } from '../../page/services.ts';
import { sampleCsv } from '../../parts/imports/sample-file.ts';
import type { Content } from '../../shared/jsx.ts';
import { SIGN_IN_PATH, UPLOAD_PATH } from '../../shared/paths.ts';
import { hasMapping, linesOnPage, readAmounts, readSettings, removalOf } from './mapping-form.ts';
import { contentOf, previewDigest, receiveUpload, type Upload } from './upload.ts';
import { ALL_IMPORTS, LIST_PATH, MAPPINGS_PATH, SAMPLE_PATH } from './upload-parts.tsx';
import { chooseStep, columnsStep, listStep, nameOf, previewStep, type UploadStep } from './upload-steps.tsx';

/** Each answer sends the file again, to be checked. */
const UPLOADS_PER_MINUTE = 60;
const WHOLE_MS = 3_600_000;

const CHANGED =
  'A setting differs from the preview, so nothing was imported. This is the preview of what you sent: check it, then import.';
const OTHER_FILE =
  'The answers are for a file with other content, so they were not used, and nothing was imported. Answer for this file.';

/** A page of an upload. */
const uploadPage = (title: string, main: Content, errors: readonly string[], status?: 200 | 400): Page => ({
  title,
  main,
  errors,
  connects: true,
  back: ALL_IMPORTS,
  scripts: [...inPlace, 'upload.js'],
  ...(status !== undefined && { status }),
});

async function choose({ prisma }: Services, errors: readonly string[] = []): Promise<Page> {
  return uploadPage('Upload startups', chooseStep(await listMappings(prisma)), errors);
}

/** The first page of an upload, a file that it can have, and the removal of what it offers. */
export function uploadPages(services: Services) {
  return [
    page({
      path: UPLOAD_PATH,
      view: () => choose(services),
      forms: {
        [MAPPINGS_PATH]: async ({ acting, form: { name = '' } }) => {
          await runAction(acting, async ({ prisma: transaction, record }) => {
            if (await removeMapping(transaction, name)) {
              await record('mapping.remove', name);
            }
          });
          return withNotice(UPLOAD_PATH, 'mapping-removed');
        },
      },
    }),
    page({
      path: SAMPLE_PATH,
      view: ({ context }) => context.body(sampleCsv(), 200, { 'Content-Type': 'text/csv' }),
    }),
  ];
}

/**
 * The upload of a file in steps, each of which sends the file again: which column is which field, a preview, and the
 * import of exactly what was previewed. Such forms are received in another way than all others.
 */
export function uploadRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now, counter, imports, operators } = services;

  const run = (context: SignedInContext, { upload, settings }: UploadStep, dryRun: boolean) => {
    const { visitor } = context.var;
    const { mapping, update, skipInvalid, returns } = settings;
    const replace = removalOf(settings);
    checkMapping(standardFields, mapping);
    return imports.importer
      .run(
        {
          name: upload.name,
          fd: upload.file.fd,
          mostUnpacked: imports.mostUnpacked,
          mapping,
          dryRun,
          skipInvalid,
          user: visitor.id,
          via: 'dashboard',
          replace,
          update,
          returns,
          historyDays: imports.historyDays,
          authorize: rightToImport({ accountId: visitor.id, by: { session: visitor.sessionId } }, operators),
        },
        signalOf(context),
      )
      .catch((error) => {
        throw error instanceof RightEndedError ? new RoleEndedError(error.message) : error;
      });
  };

  /** @throws OperatorError if the mapping cannot be stored under the name of the form: before anything is imported. */
  const checkName = async ({ upload }: UploadStep): Promise<void> => {
    const name = nameOf(upload);
    if (name !== '') {
      await checkMappingName(prisma, name);
    }
  };

  /** What an import would do without its invalid records; undefined if these cannot be left out. */
  const leaveOut = async (context: SignedInContext, of: UploadStep): Promise<ImportSummary | undefined> => {
    if (of.settings.skipInvalid) {
      return undefined;
    }
    try {
      return (await run(context, { ...of, settings: { ...of.settings, skipInvalid: true } }, true)).summary;
    } catch (error) {
      if (error instanceof InvalidInputError) {
        return undefined;
      }
      throw error;
    }
  };

  /** Shows what an import would do, or why it cannot be done; the columns again, if these are the reason. */
  const preview = async (
    context: SignedInContext,
    of: UploadStep,
    errors: readonly string[] = [],
  ): Promise<Page> => {
    const show = (summary: ImportSummary, obstacle?: string, leavingOut?: ImportSummary): Page => {
      const status = obstacle === undefined && errors.length === 0 ? 200 : 400;
      return uploadPage('Preview', previewStep(of, summary, obstacle, leavingOut), errors, status);
    };
    const { questions } = of.examination;
    if (questions.length > 0) {
      return columns(of, [
        ...errors,
        `There is no preview yet: ${amount(questions.length, 'question is', 'questions are')} left.`,
      ]);
    }
    try {
      await checkName(of);
      return show((await run(context, of, true)).summary);
    } catch (error) {
      if (error instanceof InvalidInputError) {
        return show(error.summary, error.reasonOnPage, await leaveOut(context, of));
      }
      if (error instanceof OperatorError) {
        const asked = error instanceof ReturnsError ? error.questions : [];
        return columns(of, [...errors, ...linesOnPage(error)], asked);
      }
      throw error;
    }
  };

  const apply = async (context: SignedInContext, of: UploadStep): Promise<Response> => {
    const { visitor } = context.var;
    if (of.settings.replace && needsFactor(visitor, now())) {
      await enterFactor(services, visitor, of.upload.fields);
    }
    await checkName(of);
    const { id } = await run(context, of, false);
    const name = nameOf(of.upload);
    let notice: NoticeName = 'imported';
    if (name !== '') {
      const acting = actingAsOperator(services, visitor);
      const stored = { name, mapping: of.settings.mapping, savedBy: acting.actor, savedAt: new Date(now()) };
      try {
        await runAction(acting, async ({ prisma: transaction, record }) => {
          await saveMapping(transaction, standardFields, stored);
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
    return redirect(context, withNotice(`${LIST_PATH}/${id}`, notice));
  };

  const examine = async (context: SignedInContext, upload: Upload): Promise<UploadStep> => {
    const { fields, file, name } = upload;
    const given = hasMapping(fields)
      ? readSettings(fields)
      : {
          mapping: {
            ...(fields.stored && (await getMapping(prisma, fields.stored))),
            ...(fields.path && { path: fields.path }),
          },
          replace: false,
          update: fields.update === 'on',
          yes: false,
          skipInvalid: false,
          maxRemoved: '',
          returns: {},
        };
    const examination = await imports.importer.examine(
      { name, fd: file.fd, mapping: given.mapping, amounts: readAmounts(fields), update: given.update },
      signalOf(context),
    );
    const factor = factorIfOld(services, context.var.visitor).map(field);
    return { upload, examination, factor, settings: { ...given, mapping: examination.mapping } };
  };

  /** The next step, which the button says. */
  const next = async (context: SignedInContext, shown: UploadStep): Promise<Page | Response> => {
    const { fields } = shown.upload;
    const isValidOnly = fields.act === 'import-valid';
    const of = isValidOnly ? { ...shown, settings: { ...shown.settings, skipInvalid: true } } : shown;
    if (fields.act === 'columns' || (!hasMapping(fields) && !fields.stored)) {
      return columns(of);
    }
    if (fields.act !== 'import' && !isValidOnly) {
      return preview(context, of);
    }
    return fields.previewed === previewDigest(of.upload, of.settings)
      ? apply(context, of)
      : preview(context, of, [CHANGED]);
  };

  const upload = async (context: SignedInContext): Promise<Response> => {
    const { id } = context.var.visitor;
    const reservation = await counter.reserve(`dashboard:uploads:${id}`, 1, UPLOADS_PER_MINUTE);
    if (!reservation.admitted) {
      throw limited('Too many uploads in a minute.', reservation, now());
    }
    let received: Upload | undefined;
    let of: UploadStep | undefined;
    try {
      received = await receiveUpload(context.env.request, imports.stagingDirectory, id);
      // The right may have ended while the file arrived.
      const { visitor: sender } = await services.auth.visitor(context.env.request);
      if (sender === undefined) {
        return redirect(context, withNotice(SIGN_IN_PATH, 'expired'));
      }
      if (!sender.isOperator) {
        throw new RoleEndedError();
      }
      const { fields } = received;
      const isOther = hasMapping(fields) && fields.content !== contentOf(received);
      of = await examine(context, isOther ? { ...received, fields: {} } : received);
      const answer = isOther ? columns(of, [OTHER_FILE]) : await next(context, of);
      return answer instanceof Response ? answer : context.render(answer);
    } catch (error) {
      if (error instanceof SeveralListsError && received !== undefined) {
        return context.render(uploadPage('Choose a list', listStep(received, error.lists), [], 400));
      }
      const isKnown = error instanceof OperatorError && !(error instanceof UnknownError);
      if (!isKnown && !(error instanceof FieldErrors)) {
        throw error;
      }
      const told = error instanceof FieldErrors ? new OperatorError(error.fields.factor ?? '') : error;
      return context.render(
        of === undefined ? await choose(services, told.lines) : await preview(context, of, linesOnPage(told)),
      );
    } finally {
      await received?.file.close();
    }
  };

  return new Hono<SignedInEnv>().post(UPLOAD_PATH, upload);
}

const columns = (
  of: UploadStep,
  errors: readonly string[] = [],
  returns: readonly ReturnQuestion[] = [],
): Page => uploadPage('Assign columns', columnsStep(of, returns), errors);

function signalOf({ env }: SignedInContext): AbortSignal {
  return AbortSignal.any([env.request.disconnected(), AbortSignal.timeout(WHOLE_MS)]);
}
