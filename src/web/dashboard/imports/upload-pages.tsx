import { Hono } from 'hono';
import { rightToImport } from '../../../access/accounts/operators.ts';
import { needsFactor } from '../../../access/accounts/second-factor.ts';
import { runAction } from '../../../access/audit/audit-log.ts';
import { ApiError, amount, OperatorError, quote, UnknownError } from '../../../lib/errors.ts';
import { RightEndedError } from '../../../startups/import/apply.ts';
import { checkMapping } from '../../../startups/import/columns/check-mapping.ts';
import { createFieldNames } from '../../../startups/import/columns/field-names.ts';
import { importFieldsFor } from '../../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import { SeveralListsError } from '../../../startups/import/columns/sample.ts';
import type { AmountsAnswer } from '../../../startups/import/examine.ts';
import { ImportRunningError, InvalidInputError } from '../../../startups/import/import.ts';
import { type ImportResult, UploadGoneError } from '../../../startups/import/import-log.ts';
import { type ReturnQuestion, ReturnsError } from '../../../startups/import/plan.ts';
import {
  checkMappingName,
  getMapping,
  listMappings,
  removeMapping,
  saveMapping,
} from '../../../startups/import/stored-mappings.ts';
import type { ImportSummary } from '../../../startups/import/values/summary.ts';
import { readOwnFields } from '../../../startups/own/declarations.ts';
import { limited } from '../../page/access.ts';
import { ButtonForm, field } from '../../page/forms.tsx';
import { type NoticeName, withNotice } from '../../page/notices.ts';
import {
  type Form,
  inPlace,
  OtherPage,
  type Page,
  page,
  redirect,
  type SignedInContext,
  type SignedInEnv,
  type Visit,
} from '../../page/page.ts';
import { enterFactor, factorIfOld } from '../../page/second-factor.ts';
import { type Acting, actingAsOperator, RoleEndedError, type Services } from '../../page/services.ts';
import { sampleCsv } from '../../parts/imports/sample-file.ts';
import type { Content } from '../../shared/jsx.ts';
import { SIGN_IN_PATH, UPLOAD_PATH } from '../../shared/paths.ts';
import {
  ALL_IMPORTS,
  type Answers,
  findKept,
  gone,
  type KeptFile,
  nextPath,
  otherFields,
  pathOfStep,
  requireKept,
} from './kept-file.tsx';
import {
  type ImportSettings,
  linesOnPage,
  noSettings,
  readAmounts,
  readReturns,
  readSettings,
  removalOf,
} from './mapping-form.ts';
import { afterOthers } from './others.ts';
import { takeOwnFields } from './own-columns.ts';
import { previewDigest, receiveAnswers, receiveUpload, type Upload } from './upload.ts';
import { LIST_PATH, MAPPINGS_PATH, SAMPLE_PATH } from './upload-parts.tsx';
import {
  chooseStep,
  columnsStep,
  countOpen,
  type ExaminedFile,
  IMPORT,
  isExamined,
  listStep,
  previewStep,
} from './upload-steps.tsx';

/** Files that an account can upload in a minute; each answer, which is checked, counts as one. */
const UPLOADS_PER_MINUTE = 60;
const WHOLE_MS = 3_600_000;
/** When another one has most likely ended. */
const RETRY_SECONDS = 10;

const CHANGED =
  'A setting differs from the preview, so nothing was imported. This is the preview of what you sent: check it, then import.';

/** A page of an upload. @param kept which file; undefined before there is one. */
const uploadPage = (
  title: string,
  kept: KeptFile | undefined,
  main: Content,
  errors: readonly string[] = [],
): Page => ({
  title,
  main,
  errors,
  connects: true,
  back: ALL_IMPORTS,
  scripts: [...inPlace, 'upload.js'],
  ...(kept && { action: <ButtonForm action={pathOfStep(kept, 'remove')}>Cancel upload</ButtonForm> }),
});

/** The page of the second step; its status is 400 with errors. */
const columns = (
  kept: ExaminedFile,
  errors: readonly string[] = [],
  returns: readonly ReturnQuestion[] = [],
): Page => uploadPage('Assign columns', kept, columnsStep(kept, returns), errors);

const questionsLeft = (kept: ExaminedFile): string =>
  `There is no preview yet: ${amount(countOpen(kept), 'question is', 'questions are')} left.`;

/** Who takes a step, and with which request. */
interface Sender {
  readonly context: SignedInContext;
  readonly acting: Acting;
}

/** What the steps of an upload do with its file. */
function createUploads(services: Services) {
  const { prisma, now, counter, imports, operators } = services;

  /** Counts what examines or imports a file. */
  const meter = async ({ var: { visitor } }: SignedInContext): Promise<void> => {
    const name = `dashboard:uploads:${visitor.id}`;
    const reservation = await counter.reserve(name, 1, UPLOADS_PER_MINUTE);
    if (!reservation.admitted) {
      throw limited('Too many uploads in a minute.', reservation, now());
    }
  };

  const load = ({ var: { visitor } }: SignedInContext, digest: string): Promise<KeptFile> =>
    requireKept(imports.uploads, visitor.id, digest);

  /**
   * Finds a file of which it is known what is in it.
   *
   * @returns the file before that is known, too. @throws OtherPage if it is gone, or names fields that are other ones now.
   */
  const loadExamined = async (context: SignedInContext, digest: string): Promise<KeptFile | ExaminedFile> => {
    const kept = await load(context, digest);
    const { examination } = kept;
    if (examination === undefined) {
      return kept;
    }
    const { mapping } = kept.answers.settings;
    const declared = await readOwnFields(prisma);
    try {
      const fields = importFieldsFor(declared, mapping);
      const paths = [
        ...examination.columns.map(({ field: path }) => path),
        ...Object.keys(mapping.defaults ?? {}),
      ];
      const missing = paths.find((path) => path !== null && !fields.byPath.has(path));
      if (missing) {
        throw new OperatorError(`The field ${quote(missing)} was removed.`);
      }
      // Of a field that was declared anew, another notation may be allowed.
      createFieldNames(fields, mapping);
      return { ...kept, examination, fields };
    } catch (error) {
      throw error instanceof OperatorError ? new OtherPage(otherFields(kept, error)) : error;
    }
  };

  /** @throws OtherPage if the file is gone. */
  const withFile = async <Result,>(kept: KeptFile, use: (fd: number) => Promise<Result>): Promise<Result> => {
    const file = await imports.uploads.open(kept);
    if (file === undefined) {
      throw new OtherPage(gone);
    }
    try {
      return await use(file.fd);
    } finally {
      await file.close();
    }
  };

  const examine = async (
    context: SignedInContext,
    { name, fd }: { readonly name: string; readonly fd: number },
    mapping: Mapping,
    update: boolean,
    amounts?: AmountsAnswer,
  ) => {
    const declared = await readOwnFields(prisma);
    const job = { name, fd, declared, mapping, amounts, update };
    return {
      examination: await imports.importer.examine(job, signalOf(context)),
      fields: importFieldsFor(declared, mapping),
    };
  };

  /**
   * Keeps answers about a file, after it was examined with them.
   *
   * @returns the file with what was found. @throws OtherPage if it is gone; OperatorError for a file that is no table.
   */
  const answer = async (
    { context, acting }: Sender,
    kept: KeptFile,
    given: Answers,
    amounts?: AmountsAnswer,
  ): Promise<ExaminedFile> => {
    const { mapping, update } = given.settings;
    const { examination, fields } = await withFile(kept, (fd) =>
      examine(context, { name: kept.name, fd }, mapping, update, amounts),
    );
    const answers = { ...given, settings: { ...given.settings, mapping: examination.mapping } };
    if (!(await imports.uploads.update(kept, { answers, examination }, acting.authorize))) {
      throw new OtherPage(gone);
    }
    return { ...kept, answers, examination, fields };
  };

  /** Runs an import, or says what it would do. @throws OtherPage if its file is gone. */
  const run = async (
    { context, acting }: Sender,
    kept: ExaminedFile,
    fd: number,
    settings: ImportSettings,
    dryRun: boolean,
  ): Promise<ImportResult> => {
    const { visitor } = context.var;
    const { mapping, update, skipInvalid, returns } = settings;
    const replace = removalOf(settings);
    checkMapping(kept.fields, mapping);
    const job = {
      name: kept.name,
      fd,
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
      kept: { accountId: visitor.id, digest: kept.digest },
    } as const;
    const signal = signalOf(context);
    try {
      return await afterOthers(
        () => imports.importer.run(job, signal),
        () => load(context, kept.digest),
        signal,
      );
    } catch (error) {
      if (error instanceof RightEndedError) {
        // Says which right.
        await acting.authorize?.(prisma);
        throw new RoleEndedError(error.message);
      }
      if (error instanceof UploadGoneError) {
        throw new OtherPage(gone);
      }
      throw error instanceof ImportRunningError
        ? new ApiError('IMPORT_RUNNING', error.message, [], RETRY_SECONDS)
        : error;
    }
  };

  /** What an import would do without its invalid records; undefined if these cannot be left out. */
  const leaveOut = async (
    sender: Sender,
    kept: ExaminedFile,
    fd: number,
  ): Promise<ImportSummary | undefined> => {
    const { settings } = kept.answers;
    if (settings.skipInvalid) {
      return undefined;
    }
    try {
      return (await run(sender, kept, fd, { ...settings, skipInvalid: true }, true)).summary;
    } catch (error) {
      if (error instanceof InvalidInputError) {
        return undefined;
      }
      throw error;
    }
  };

  return { meter, load, loadExamined, examine, answer, run, leaveOut, withFile };
}

/** The pages of an upload: its file, and what is kept of it from step to step. */
export function uploadPages(services: Services) {
  const { prisma, now, imports } = services;
  const { meter, load, loadExamined, answer, run, leaveOut, withFile } = createUploads(services);

  /** @throws OperatorError if the mapping cannot be stored under its name: before anything is imported. */
  const checkName = async (name: string): Promise<void> => {
    if (name !== '') {
      await checkMappingName(prisma, name);
    }
  };

  /** Shows what an import would do, or why it cannot be done; the columns again, if these are the reason. */
  const preview = async (visit: Visit, kept: ExaminedFile, errors: readonly string[] = []): Promise<Page> => {
    if (countOpen(kept) > 0) {
      return columns(kept, [...errors, questionsLeft(kept)]);
    }
    const { settings, save } = { ...kept.answers, ...savedIn(visit.sent.values) };
    const factor = factorIfOld(services, visit.visitor).map((one) => field({ ...one, sent: visit.sent }));
    const show = (summary: ImportSummary, obstacle?: string, leavingOut?: ImportSummary): Page => {
      const shown = { ...kept, answers: { ...kept.answers, save } };
      const main = previewStep(shown, summary, obstacle, leavingOut, factor);
      return {
        ...uploadPage('Preview', kept, main, errors),
        ...(obstacle !== undefined && { status: 400 }),
      };
    };
    return withFile(kept, async (fd) => {
      try {
        return show((await run(visit, kept, fd, settings, true)).summary);
      } catch (error) {
        if (error instanceof InvalidInputError) {
          return show(error.summary, error.reasonOnPage, await leaveOut(visit, kept, fd));
        }
        if (error instanceof OperatorError) {
          const asked = error instanceof ReturnsError ? error.questions : [];
          return columns(kept, [...new Set([...errors, ...linesOnPage(error)])], asked);
        }
        throw error;
      }
    });
  };

  /** Keeps the options of the preview, with which the file is examined again where they change what is asked. */
  const keepOptions = async (visit: Visit, kept: ExaminedFile, settings: ImportSettings) =>
    answer(visit, kept, { ...kept.answers, settings, ...savedIn(visit.form) });

  const importKept = async (visit: Visit, kept: ExaminedFile): Promise<string | Page> => {
    const { form, visitor, acting } = visit;
    const isValidOnly = form.act === 'import-valid';
    const options = readSettings(kept.fields, form, kept.answers.settings);
    const settings = { ...options, skipInvalid: options.skipInvalid || isValidOnly };
    if (form.previewed !== previewDigest(kept, settings)) {
      return preview(visit, await keepOptions(visit, kept, settings), [CHANGED]);
    }
    if (settings.replace && needsFactor(visitor, now())) {
      await enterFactor(services, visitor, form);
    }
    const { save } = { ...kept.answers, ...savedIn(form) };
    let id: number | undefined;
    try {
      await checkName(save);
      ({ id } = await withFile(kept, (fd) => run(visit, kept, fd, settings, false)));
    } catch (error) {
      if (!(error instanceof OperatorError) || error instanceof UnknownError) {
        throw error;
      }
      return preview(visit, kept, linesOnPage(error));
    }
    // What is left of it is removed an hour after it was uploaded.
    await imports.uploads.tidy().catch(() => {});
    let notice: NoticeName = 'imported';
    if (save !== '') {
      const { mapping } = settings;
      const stored = { name: save, mapping, savedBy: acting.actor, savedAt: new Date(now()) };
      try {
        await runAction(acting, async ({ prisma: transaction, record }) => {
          await saveMapping(transaction, kept.fields, stored);
          await record('mapping.save', save);
        });
      } catch (error) {
        // Others stored mappings meanwhile, or the right ended: the import is done in any case.
        if (!(error instanceof OperatorError || error instanceof ApiError)) {
          throw error;
        }
        notice = 'imported-alone';
      }
    }
    return withNotice(`${LIST_PATH}/${id}`, notice);
  };

  return [
    page({
      path: UPLOAD_PATH,
      view: ({ visitor }) => choose(services, visitor.id),
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
    page({
      path: `${UPLOAD_PATH}/:id/list`,
      load: ({ context, id }) => load(context, id),
      view: (_, kept) =>
        kept.answers.lists.length === 0 ? nextPath(kept) : uploadPage('Choose a list', kept, listStep(kept)),
      act: async (visit, kept) => {
        const { path = '' } = visit.form;
        if (path === '') {
          throw new OperatorError('Choose the list that has the startups.');
        }
        await meter(visit.context);
        const { settings } = kept.answers;
        const mapping = { ...settings.mapping, path };
        return nextPath(await answer(visit, kept, { ...kept.answers, settings: { ...settings, mapping } }));
      },
    }),
    page({
      path: `${UPLOAD_PATH}/:id/columns`,
      load: ({ context, id }) => loadExamined(context, id),
      view: (_, kept) => (isExamined(kept) ? columns(kept) : nextPath(kept)),
    }),
    page({
      path: `${UPLOAD_PATH}/:id/preview`,
      load: ({ context, id }) => loadExamined(context, id),
      view: async (visit, kept) => {
        if (!isExamined(kept) || countOpen(kept) > 0) {
          return isExamined(kept) ? pathOfStep(kept, 'columns') : nextPath(kept);
        }
        await meter(visit.context);
        return preview(visit, kept);
      },
      act: async (visit, kept) => {
        if (!isExamined(kept)) {
          return nextPath(kept);
        }
        const { save } = { ...kept.answers, ...savedIn(visit.form) };
        await checkName(save);
        await keepOptions(visit, kept, readSettings(kept.fields, visit.form, kept.answers.settings));
        return pathOfStep(kept, 'preview');
      },
      forms: {
        [IMPORT]: async (visit, kept) => {
          await meter(visit.context);
          return isExamined(kept) ? importKept(visit, kept) : nextPath(kept);
        },
      },
    }),
    page({
      path: `${UPLOAD_PATH}/:id/remove`,
      load: ({ context, id }) => load(context, id),
      act: async ({ acting }, kept) => {
        await imports.uploads.remove(kept, acting.authorize);
        return withNotice(UPLOAD_PATH, 'upload-removed');
      },
    }),
  ];
}

/** The name under which a form stores the mapping; empty if it is not; nothing of a form without that field. */
const savedIn = ({ save }: Form): { readonly save?: string } =>
  save === undefined ? {} : { save: save.trim() };

/** The first step. */
async function choose(
  { prisma, imports }: Services,
  accountId: string,
  errors: readonly string[] = [],
): Promise<Page> {
  const kept = await findKept(imports.uploads, accountId);
  return uploadPage('Upload startups', undefined, chooseStep(await listMappings(prisma), kept), errors);
}

/** The forms of an upload that are received in another way than all others: that of the file, and that of its columns. */
export function uploadRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, imports } = services;
  const { meter, load, loadExamined, examine, answer } = createUploads(services);

  /** Finds the right again, which may have ended while a form arrived; undefined if nobody is signed in any more. */
  const findSender = async (context: SignedInContext): Promise<Sender | undefined> => {
    const { visitor } = await services.auth.visitor(context.env.request);
    if (visitor === undefined) {
      return undefined;
    }
    if (!visitor.isOperator) {
      throw new RoleEndedError();
    }
    return { context, acting: actingAsOperator(services, visitor) };
  };
  const toSignIn = (context: SignedInContext): Response =>
    redirect(context, withNotice(SIGN_IN_PATH, 'expired'));

  /** Keeps a file that has arrived, after a look at what is in it. @throws OperatorError for one that is no table. */
  const keep = async ({ context, acting }: Sender, { name, file, fields }: Upload): Promise<KeptFile> => {
    const { stored = '' } = fields;
    const mapping = stored === '' ? {} : await getMapping(prisma, stored);
    const settings = { ...noSettings, mapping, update: fields.update === 'on' };
    const answers: Answers = { settings, sent: {}, returns: [], save: stored, lists: [] };
    const keepWith = async (more: Pick<KeptFile, 'answers' | 'examination'>) => {
      const of = { accountId: context.var.visitor.id, name, file, ...more };
      return { ...(await imports.uploads.keep(of, acting.authorize)), answers: more.answers };
    };
    try {
      const { examination } = await examine(context, { name, fd: file.fd }, mapping, settings.update);
      const examined = { ...answers, settings: { ...settings, mapping: examination.mapping } };
      return await keepWith({ answers: examined, examination });
    } catch (error) {
      if (error instanceof SeveralListsError) {
        return keepWith({ answers: { ...answers, lists: error.lists }, examination: undefined });
      }
      throw error;
    }
  };

  const receiveFile = async (context: SignedInContext): Promise<Response> => {
    const { id } = context.var.visitor;
    await meter(context);
    let received: Upload | undefined;
    try {
      received = await receiveUpload(context.env.request, imports.stagingDirectory, id);
      const sender = await findSender(context);
      return sender === undefined
        ? toSignIn(context)
        : redirect(context, nextPath(await keep(sender, received)));
    } catch (error) {
      if (!(error instanceof OperatorError) || error instanceof UnknownError) {
        throw error;
      }
      return context.render(await choose(services, id, error.lines));
    } finally {
      await received?.file.close();
    }
  };

  const receiveColumns = async (context: SignedInContext): Promise<Response> => {
    await meter(context);
    const digest = context.req.param('id') ?? '';
    await load(context, digest);
    const { act, ...form } = await receiveAnswers(context.env.request, context.var.visitor.id);
    const sender = await findSender(context);
    if (sender === undefined) {
      return toSignIn(context);
    }
    const kept = await loadExamined(context, digest);
    if (!isExamined(kept)) {
      return redirect(context, nextPath(kept));
    }
    try {
      const own = takeOwnFields(form, kept.fields, kept.answers.settings.mapping);
      const before = { ...kept.answers.settings, mapping: own.mapping };
      const settings = readSettings(own.fields, own.form, before);
      const answers = { ...kept.answers, settings, sent: own.form, returns: readReturns(form) };
      const answered = await answer(sender, kept, answers, readAmounts(own.fields, own.form));
      return act === 'preview' && countOpen(answered) > 0
        ? context.render(columns(answered, [questionsLeft(answered)]))
        : redirect(context, pathOfStep(kept, act === 'preview' ? 'preview' : 'columns'));
    } catch (error) {
      if (!(error instanceof OperatorError) || error instanceof UnknownError) {
        throw error;
      }
      return context.render(columns(kept, linesOnPage(error)));
    }
  };

  return new Hono<SignedInEnv>()
    .post(UPLOAD_PATH, receiveFile)
    .post(`${UPLOAD_PATH}/:id/columns`, receiveColumns);
}

function signalOf({ env }: SignedInContext): AbortSignal {
  return AbortSignal.any([env.request.disconnected(), AbortSignal.timeout(WHOLE_MS)]);
}
