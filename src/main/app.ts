import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { removeExpired } from '../access/accounts/tidy.ts';
import { createDocumentStore, type DocumentStore } from '../access/keys/documents/store.ts';
import { type Policy, recordPolicyAcceptance } from '../access/keys/policy.ts';
import { createKeyLookup, createKeyVerifier, type KeyVerifier } from '../access/keys/verify.ts';
import { createLimiter } from '../access/limits/limiter.ts';
import { openCounter } from '../access/limits/open-counter.ts';
import { DEFAULT_EMBED_LIMIT } from '../access/limits/tiers.ts';
import { openKeyMails } from '../access/mails/key-mails.ts';
import { createUnsubscribeLinks } from '../access/mails/saved-mail-settings.ts';
import { findHold, recordMailSource } from '../access/mails/source.ts';
import { createFailureStore } from '../access/usage/failures.ts';
import { createUsageRecorder } from '../access/usage/recorder.ts';
import { createUsageStore } from '../access/usage/store.ts';
import { createGateway } from '../api/gateway/gateway.ts';
import { countMails } from '../api/gateway/metrics/mails.ts';
import { type NodeState, watchProcess, watchState } from '../api/gateway/metrics/state.ts';
import { countTraffic } from '../api/gateway/metrics/traffic.ts';
import { createEngine } from '../api/graphql/execution/engine.ts';
import { documentCheck } from '../api/graphql/planning/check-document.ts';
import { IMPORT_BOUNDS, type ImportBounds } from '../api/import-http/route.ts';
import { openSavedMails } from '../api/mails/saved-mails.ts';
import { isKnownParameter } from '../api/rest/known-parameters.ts';
import type { Database } from '../db/open.ts';
import { pollRevisions } from '../db/revisions.ts';
import { ApiError } from '../lib/errors.ts';
import type { Lifecycle } from '../lib/http/lifecycle.ts';
import type { GatewayHandler } from '../lib/http/request-response.ts';
import { repeatDaily, type Schedule } from '../lib/loop/schedule.ts';
import { DEFAULT_SERVICE, type Service } from '../lib/text/service.ts';
import { type LiveCatalogue, openCatalogue } from '../startups/catalogue/live-catalogue.ts';
import { createBuilder } from '../startups/catalogue/load/catalogue-builder.ts';
import { type KeptUploads, openKeptUploads } from '../startups/import/kept-upload.ts';
import { createImporter, IMPORT_SILENCE_MS } from '../startups/import/thread/importer.ts';
import { DEFAULT_HISTORY_DAYS, removeOldHistory } from '../startups/model/retention.ts';
import type { DashboardSettings } from '../web/dashboard/open.ts';
import type { openWeb } from '../web/open.ts';
import { createAnswerRecorder } from './record-answer.ts';
import type { Config } from './settings/config.ts';
import { bindSurfaces } from './surfaces.ts';

type OptionalSetting =
  | 'embedLimit'
  | 'redisUrl'
  | 'metricsToken'
  | 'maxStaleness'
  | 'historyDays'
  | 'badges'
  | 'publicUrl';
/** Settings, each with the default of the table of settings. Without `metricsToken`, only this machine may read the metrics. */
type OptionalSettings = { readonly [Name in OptionalSetting]?: Config[Name] | undefined };

export interface AppOptions extends OptionalSettings, Pick<Config, 'limits'> {
  readonly database: Database;
  readonly policy: Policy;
  /** What the service shows of itself; the name of the program by default. */
  readonly service?: Service | undefined;
  readonly web?: typeof openWeb | undefined;
  readonly dashboard?: DashboardSettings | undefined;
  readonly logger: Logger;
  /** The number of lines that the log has dropped; none by default. */
  readonly droppedLogLines?: () => number;
  readonly now: () => number;
  /** Where the bodies of imports wait; the directory of the system for temporary files by default. */
  readonly stagingDirectory?: string | undefined;
  /** Where the embedded database keeps uploaded files; by default a directory that is removed when the app closes. */
  readonly uploadsDirectory?: string | undefined;
  /** Other bounds of imports over HTTP than usual. */
  readonly importBounds?: Partial<ImportBounds> | undefined;
  readonly isStarting?: () => boolean;
  readonly isDraining?: () => boolean;
  /** Whether only this machine can reach the gateway, so that metrics need no token; true by default. */
  readonly isPrivate?: boolean;
  readonly isHttps?: boolean;
  /** ms of a monotonic clock, for intervals. Default: that of this process. */
  readonly monotonic?: (() => number) | undefined;
  /** How the poll of the database waits between two queries. Default: the timers of this process. */
  readonly schedule?: Schedule | undefined;
  readonly lifecycle: Lifecycle;
}

/** Opens everything that requests need: the data, who may read them, and what answers. The handler answers every path. */
export async function openApp(options: AppOptions): Promise<GatewayHandler> {
  const { database, policy, limits, embedLimit, redisUrl, logger, now, lifecycle, dashboard, publicUrl } =
    options;
  const { service = DEFAULT_SERVICE, historyDays = DEFAULT_HISTORY_DAYS, maxStaleness = 600 } = options;
  const { monotonic = performance.now.bind(performance), stagingDirectory = tmpdir() } = options;
  const { droppedLogLines = () => 0 } = options;
  const { prisma, pool, background } = database;
  const origin = dashboard?.origin ?? (() => 'http://localhost:4000');
  const report = (error: unknown, requestId: string): void =>
    logger.error({ err: error, requestId }, 'a request failed');
  const onError = (text: string) => (error: unknown) => logger.error({ err: error }, text);
  const metrics = new Registry();
  lifecycle.onClose(watchProcess(metrics));
  const addCounter = (name: string, help: string): Counter =>
    new Counter({ name, help, registers: [metrics] });

  // The data.
  const failedBuilds = addCounter('revgate_catalogue_faults_total', 'Builds of the catalogue that failed.');
  const builds = addCounter('revgate_catalogue_builds_total', 'Catalogues that were taken into use.');
  const fallbacks = addCounter('revgate_limit_fallbacks_total', 'Times that Redis was found failing.');
  const catalogue = await openCatalogue(
    createBuilder(() => database.threadConnection()),
    {
      now: monotonic,
      onError(error) {
        failedBuilds.inc();
        logger.error({ err: error }, 'the catalogue could not be rebuilt');
      },
    },
  );
  lifecycle.onClose(() => catalogue.close());
  const engine = createEngine({ catalogue, prisma, report, now });

  // Who may read them, and who did.
  const { counter, state, close } = await openCounter({
    redisUrl,
    now,
    onFallback(active, reason) {
      if (active) {
        fallbacks.inc();
        logger.warn({ reason }, 'Redis fails: this node counts in its own memory');
      } else {
        logger.info({ reason }, 'Redis answers again: limits are shared');
      }
    },
  });
  lifecycle.onClose(close);
  const limiter = createLimiter({ counter, limits, embedLimit });
  const verifier = createKeyVerifier({
    lookup: createKeyLookup(pool),
    now,
    monotonic,
    graceMs: maxStaleness * 1_000,
    onFirstUse: (id) => recordPolicyAcceptance({ prisma, now }, id),
  });
  const documents = createDocumentStore(pool);
  const usage = createUsageRecorder({
    addUsage: createUsageStore(background, now),
    addFailures: createFailureStore(background, now),
    now,
    onError: onError('the use of keys could not be stored yet'),
    schedule: options.schedule,
  });
  lifecycle.onClose(() => usage.close());
  const onMail = countMails(metrics);
  await recordMailSource(background, publicUrl);
  const mailing = {
    pool: background,
    now,
    origin,
    service,
    schedule: options.schedule,
    onOutcome: onMail,
    async isHeld() {
      await recordMailSource(background, publicUrl);
      return (await findHold(prisma, publicUrl)) !== undefined;
    },
  };
  const keyMails =
    dashboard?.mailer.kind === 'smtp'
      ? openKeyMails({
          ...mailing,
          mailer: dashboard.mailer,
          limits,
          embedLimit: embedLimit ?? DEFAULT_EMBED_LIMIT,
          onError: onError('an email about a key was not sent'),
        })
      : undefined;
  lifecycle.onClose(() => keyMails?.close());
  const savedMails =
    dashboard?.mailer.kind === 'smtp' && dashboard.secret !== undefined
      ? openSavedMails({
          ...mailing,
          mailer: dashboard.mailer,
          catalogue,
          links: createUnsubscribeLinks(dashboard.secret),
          onError: onError('an email about saved searches or a shortlist was not sent'),
        })
      : undefined;
  lifecycle.onClose(() => savedMails?.close());

  const silence = followDatabase(options, monotonic, { catalogue, verifier, documents, builds });
  const uploads = openUploads(
    options,
    stagingDirectory,
    onError('an uploaded file could not be removed yet'),
  );
  removeDaily(options, historyDays, uploads);
  const node: NodeState = { catalogue, limits: state, pool, verifier, usage, droppedLogLines, silence, now };
  watchState(metrics, node);
  const unready = () => whyUnready(options, maxStaleness, silence());
  // A long statement of an import keeps the one session of the embedded engine from answering.
  const isLost = (): boolean => database.kind === 'server' && silence() > IMPORT_SILENCE_MS;
  const importer = createImporter(() => database.threadConnection('import'), isLost);

  // What answers.
  const shared = { engine, catalogue, prisma, counter, unready, origin, now, report };
  const web = options.web?.({
    ...shared,
    dashboard,
    policy,
    service,
    limits,
    embedLimit,
    limiter,
    checkDocument: documentCheck(engine.schema),
    node,
    randomBytes,
    databaseKind: database.kind,
    badges: options.badges,
    imports: { importer, uploads, stagingDirectory, mostUnpacked: IMPORT_BOUNDS.mostUnpacked, historyDays },
    onError: onError('the dashboard failed'),
    onMail,
    publicUrl,
  });
  const find = await bindSurfaces(
    {
      ...options,
      ...shared,
      verifier,
      documents,
      importer,
      historyDays,
      stagingDirectory,
      metrics,
      title: service.name,
      operators: dashboard?.operators ?? [],
      isPrivate: options.isPrivate ?? true,
      findPage: web?.findPage,
      authenticateSession: web?.authenticateSession,
      resources: web?.resources ?? (async () => []),
    },
    web?.pages ?? { methods: [], answer: noPage },
  );
  return createGateway({
    verifier,
    limiter,
    find,
    isKnownParameter: (name, surface) => isKnownParameter(name, surface, engine.own()),
    now,
    report,
    keySource: () =>
      web?.authenticateSession === undefined
        ? 'Ask the operator of this service for a key'
        : `Create a key at ${origin()}/dashboard`,
    isHttps: options.isHttps ?? false,
    onAnswer: createAnswerRecorder({
      logger,
      usage,
      onNearLimit: keyMails?.addBusyMinute,
      quiet: new Set(web?.files),
      count: countTraffic(metrics),
    }),
  });
}

/**
 * Passes on what changes in the database until the app closes.
 *
 * @returns the ms since the database has answered.
 */
function followDatabase(
  { database, logger, lifecycle, schedule }: AppOptions,
  monotonic: () => number,
  of: { catalogue: LiveCatalogue; verifier: KeyVerifier; documents: DocumentStore; builds: Counter },
): () => number {
  let readAt: number | undefined;
  const poll = pollRevisions(database.polled, monotonic, {
    reset() {
      of.catalogue.reset();
      of.verifier.reset();
      of.documents.reset();
    },
    revisions({ dataset, keys }) {
      of.catalogue.notify(Number(dataset));
      of.verifier.notify(keys);
      of.documents.notify(keys);
      if (readAt !== of.catalogue.current().readAt) {
        readAt = of.catalogue.current().readAt;
        of.builds.inc();
      }
    },
    failure: (error) => logger.error({ err: error }, 'the database does not answer'),
    recovery: () => logger.info('the database answers again'),
    schedule,
  });
  lifecycle.onClose(() => poll.stop());
  return () => monotonic() - poll.answeredAt;
}

/** Opens the files that operators have uploaded in the dashboard, until the app closes. */
function openUploads(
  { database, uploadsDirectory, lifecycle, now, schedule }: AppOptions,
  stagingDirectory: string,
  onError: (error: unknown) => void,
): KeptUploads {
  const { prisma, kind } = database;
  const directory = uploadsDirectory ?? join(stagingDirectory, `uploads-${randomUUID()}`);
  const uploads = openKeptUploads({ prisma, kind, directory, stagingDirectory, now, schedule, onError });
  lifecycle.onClose(async () => {
    await uploads.close();
    if (uploadsDirectory === undefined) {
      await rm(directory, { recursive: true, force: true });
    }
  });
  return uploads;
}

/** Removes what is too old once a day, until the app closes. */
function removeDaily(
  { database, logger, lifecycle, now, schedule }: AppOptions,
  historyDays: number,
  uploads: KeptUploads,
): void {
  const retention = repeatDaily({
    async work(signal) {
      await removeExpired({ prisma: database.prisma, now });
      await uploads.tidy();
      const removed = await removeOldHistory({ pool: database.background, historyDays, now }, signal);
      if (removed.points + removed.removals + removed.market > 0) {
        logger.info(removed, 'old history was removed');
      }
    },
    schedule,
    onError: (error) => logger.error({ err: error }, 'old data could not be removed yet'),
  });
  lifecycle.onClose(() => retention.stop());
}

/** Why this process cannot answer now; empty if it can. @param silence ms since the database has answered. */
function whyUnready({ isStarting, isDraining }: AppOptions, maxStaleness: number, silence: number): string[] {
  return [
    ...(isStarting?.() ? ['starting: this process has not started completely'] : []),
    ...(isDraining?.() ? ['draining: this process is about to stop'] : []),
    ...(silence > maxStaleness * 1_000
      ? [`the database has not answered for ${Math.floor(silence / 1_000)} seconds`]
      : []),
  ];
}

const noPage: GatewayHandler = async ({ path }) => {
  throw new ApiError('NOT_FOUND', `No such path: ${path.slice(0, 200)}`);
};
