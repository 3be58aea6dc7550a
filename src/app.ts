import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { removeExpired } from './accounts/tidy.ts';
import { openCatalogue } from './catalogue/live-catalogue.ts';
import type { OnProgress } from './catalogue/load/catalogue-builder.ts';
import type { Database } from './db/open.ts';
import { pollRevisions } from './db/revisions.ts';
import { createDocumentStore } from './documents/store.ts';
import { repeatDaily, type Schedule } from './event-loop/schedule.ts';
import { createFailureRecorder } from './failures/recorder.ts';
import { createFailureStore } from './failures/store.ts';
import { createGateway } from './gateway/gateway.ts';
import { graphqlSurface } from './gateway/graphql-surface.ts';
import { MCP_PATH, mcpSurface } from './gateway/mcp-surface.ts';
import { restSurface } from './gateway/rest-surface.ts';
import { sessionSurface } from './gateway/session-surface.ts';
import { SNAPSHOT_PATH, SNAPSHOT_WINDOW_MS, snapshotSurface } from './gateway/snapshot-surface.ts';
import { describeSchema } from './graphql/describe-schema.ts';
import { checkDocument } from './graphql/documents/check-document.ts';
import { createEngine } from './graphql/execution/engine.ts';
import { schema, schemaText } from './graphql/schema.ts';
import { createKeyLookup } from './keys/lookup.ts';
import { type Policy, recordPolicyAcceptance } from './keys/policy.ts';
import { hideKeys } from './keys/token.ts';
import { createKeyVerifier } from './keys/verify.ts';
import { type NodeState, watchProcess, watchState } from './metrics/state.ts';
import { countTraffic } from './metrics/traffic.ts';
import { BADGE_BASE, type BadgeSettings, createBadges } from './pages/badges/badges.ts';
import { SESSION_GRAPHQL_PATH } from './pages/dashboard/graphql.ts';
import { type DashboardSettings, openDashboard } from './pages/dashboard/open.ts';
import { openDocs } from './pages/docs/docs.ts';
import { readDocuments } from './pages/docs/documents.ts';
import { resourcesOf } from './pages/docs/resources.ts';
import { readRecordedResponses } from './pages/docs/sample-requests.ts';
import { createImportRoute, IMPORT_BOUNDS, IMPORT_PATH, type ImportBounds } from './pages/import/route.ts';
import { brandOf } from './pages/shared/brand.ts';
import { hashFiles } from './pages/shared/static-files.ts';
import { openGraphiQL } from './pages/site/graphiql.tsx';
import { createLandingPage } from './pages/site/landing-page.tsx';
import { createMetricsPage } from './pages/site/metrics-page.ts';
import { createPages } from './pages/site/pages.tsx';
import { createLimiter } from './rate-limit/limiter.ts';
import { openCounter } from './rate-limit/open-counter.ts';
import { DEFAULT_EMBED_LIMIT, type TierLimits } from './rate-limit/tiers.ts';
import { REST_BASE } from './rest/endpoints.ts';
import { openApiDocument } from './rest/openapi.ts';
import type { Lifecycle } from './server/lifecycle.ts';
import { CLIENT_LEFT, type GatewayHandler } from './server/request-response.ts';
import { DEFAULT_SERVICE, type Service } from './service/service.ts';
import { createImporter } from './startups/import/importer.ts';
import { DEFAULT_HISTORY_DAYS, removeOldHistory } from './startups/retention.ts';
import { createUsageRecorder } from './usage/recorder.ts';
import { createUsageStore } from './usage/store.ts';

/** The dependencies and settings of an app. */
export interface AppOptions {
  readonly database: Database;
  readonly policy: Policy;
  /** What the service shows of itself; the name of the program by default. */
  readonly service?: Service | undefined;
  readonly limits: TierLimits;
  /** The limit of all clients of an embed key together, per window. */
  readonly embedLimit?: number | undefined;
  readonly redisUrl?: string | undefined;
  /** The token that allows reading the metrics from anywhere; undefined: only this machine may. */
  readonly metricsToken?: string | undefined;
  /** Undefined: there is none. */
  readonly dashboard?: DashboardSettings | undefined;
  readonly logger: Logger;
  /** The number of lines that the log has dropped; none by default. */
  readonly droppedLogLines?: () => number;
  readonly now: () => number;
  /** Seconds for which known keys and startups are served while the database does not answer; 600 by default. */
  readonly maxStaleness?: number | undefined;
  /** Days for which the history of startups is kept; 730 by default. */
  readonly historyDays?: number | undefined;
  /** Shows figures of startups, except of these slugs, to everyone; without it, there are no badges. */
  readonly badges?: BadgeSettings | undefined;
  /** Where the bodies of imports wait; the directory of the system for temporary files by default. */
  readonly stagingDirectory?: string | undefined;
  /** Other bounds of imports over HTTP than usual. */
  readonly importBounds?: Partial<ImportBounds> | undefined;
  /** Receives the progress of reading the startups at start. */
  readonly onReading?: OnProgress | undefined;
  /** Whether the server has not started completely; false by default. */
  readonly isStarting?: () => boolean;
  /** Whether the server is about to stop; false by default. */
  readonly isDraining?: () => boolean;
  /** Whether only this machine can reach the gateway, so that metrics need no token; true by default. */
  readonly isPrivate?: boolean;
  /** Whether clients reach it over https; false by default. */
  readonly isHttps?: boolean;
  /** ms of a monotonic clock, for intervals. Default: that of this process. */
  readonly monotonic?: (() => number) | undefined;
  /** How the poll of the database waits between two queries. Default: the timers of this process. */
  readonly schedule?: Schedule | undefined;
  /** Registers what is opened, to be closed later. */
  readonly lifecycle: Lifecycle;
}

/** The most characters of a path in the log. */
const LOGGED_PATH = 500;

/** Opens everything that requests need. The returned handler answers every path. */
export async function openApp(options: AppOptions): Promise<GatewayHandler> {
  const { database, policy, service = DEFAULT_SERVICE, limits, logger, now, lifecycle } = options;
  const { isStarting = () => false, isDraining = () => false } = options;
  const { maxStaleness = 600, monotonic = () => performance.now() } = options;
  const { prisma, pool, background } = database;
  const { historyDays = DEFAULT_HISTORY_DAYS } = options;
  const metrics = new Registry();
  lifecycle.onClose(watchProcess(metrics));
  const count = countTraffic(metrics);
  const addCounter = (name: string, help: string): Counter =>
    new Counter({ name, help, registers: [metrics] });
  const failedBuilds = addCounter('revgate_catalogue_faults_total', 'Builds of the catalogue that failed.');
  const builds = addCounter('revgate_catalogue_builds_total', 'Catalogues that were taken into use.');
  const fallbacks = addCounter('revgate_limit_fallbacks_total', 'Times that Redis was found failing.');
  const catalogue = await openCatalogue({
    connect: () => database.threadConnection(),
    onProgress: options.onReading,
    now: monotonic,
    onError: (error) => {
      failedBuilds.inc();
      logger.error({ err: error }, 'the catalogue could not be rebuilt');
    },
  });
  lifecycle.onClose(() => catalogue.close());
  const { counter, state, close } = await openCounter({
    redisUrl: options.redisUrl,
    now,
    onFallback: (active, reason) => {
      if (active) {
        fallbacks.inc();
        logger.warn({ reason }, 'Redis fails: this node counts in its own memory');
      } else {
        logger.info({ reason }, 'Redis answers again: limits are shared');
      }
    },
  });
  lifecycle.onClose(close);
  const verifier = createKeyVerifier({
    lookup: createKeyLookup(pool),
    now,
    monotonic,
    graceMs: maxStaleness * 1_000,
    onFirstUse: (id) => recordPolicyAcceptance({ prisma, now }, id),
  });
  const documents = createDocumentStore(pool);
  const failures = createFailureRecorder({ add: createFailureStore(background, now), now });
  const usage = createUsageRecorder({
    add: createUsageStore(background, now),
    alsoStore: failures.store,
    now,
    onError: (error) => logger.error({ err: error }, 'the use of keys could not be stored yet'),
  });
  lifecycle.onClose(() => usage.close());
  let readAt: number | undefined;
  const poll = pollRevisions(database, monotonic, {
    revisions: ({ dataset, keys, isContinuous }) => {
      catalogue.notify(Number(dataset), isContinuous);
      verifier.notify(keys, isContinuous);
      documents.notify(keys, isContinuous);
      if (readAt !== catalogue.current().readAt) {
        readAt = catalogue.current().readAt;
        builds.inc();
      }
    },
    failure: (error) => logger.error({ err: error }, 'the database does not answer'),
    recovery: () => logger.info('the database answers again'),
    schedule: options.schedule,
  });
  lifecycle.onClose(() => poll.stop());
  const retention = repeatDaily({
    async work(signal) {
      await removeExpired({ prisma, now });
      const removed = await removeOldHistory({ pool: background, historyDays, now }, signal);
      if (removed.points + removed.removals + removed.market > 0) {
        logger.info(removed, 'old history was removed');
      }
    },
    schedule: options.schedule,
    onError: (error) => logger.error({ err: error }, 'old data could not be removed yet'),
  });
  lifecycle.onClose(() => retention.stop());
  const silence = (): number => monotonic() - poll.answeredAt;
  const { droppedLogLines = () => 0 } = options;
  const node: NodeState = { catalogue, limits: state, pool, verifier, usage, droppedLogLines, silence, now };
  watchState(metrics, node);
  const unready = (): string[] => [
    ...(isStarting() ? ['starting: this process has not started completely'] : []),
    ...(isDraining() ? ['draining: this process is about to stop'] : []),
    ...(silence() > maxStaleness * 1_000
      ? [`the database has not answered for ${Math.floor(silence() / 1_000)} seconds`]
      : []),
  ];
  const limiter = createLimiter({ counter, limits, embedLimit: options.embedLimit });
  const report = (error: unknown, requestId: string): void =>
    logger.error({ err: error, requestId }, 'a request failed');
  const assets = hashFiles(new URL('../assets/', import.meta.url), '/assets/');
  const assetUrl = (name: string): string => {
    const file = assets.get(name);
    if (file === undefined) {
      throw new Error(`assets/${name} does not exist`);
    }
    return file.path;
  };
  const engine = createEngine({ catalogue, prisma, report, now });
  const importer = createImporter(() => database.threadConnection());
  const { stagingDirectory = tmpdir() } = options;
  const {
    pages: dashboard,
    authenticateSession,
    findOperator,
  } = openDashboard({
    engine,
    assetUrl,
    settings: options.dashboard,
    prisma,
    policy,
    service,
    limits,
    counter,
    limiter,
    checkDocument,
    node,
    unready,
    databaseKind: database.kind,
    badges: options.badges,
    imports: { importer, stagingDirectory, mostUnpacked: IMPORT_BOUNDS.mostUnpacked },
    randomBytes,
    now,
    report,
    onError: (error) => logger.error({ err: error }, 'the dashboard failed'),
  });
  const brand = brandOf(service);
  const graphiql = openGraphiQL({ hasSessions: authenticateSession !== undefined, brand, assetUrl });
  const files = [...assets.values(), ...graphiql.files];
  // Most log lines would be about static files.
  const quiet = new Set([
    ...['/embed.js', '/client.js', '/favicon.svg', '/favicon.ico'],
    ...files.map(({ path }) => path),
  ]);
  const rest = restSurface(engine);
  // Counted apart from requests, whose windows are shorter. What Redis reports is reported once, by the other.
  const hours = await openCounter({
    redisUrl: options.redisUrl,
    now,
    windowMs: SNAPSHOT_WINDOW_MS,
    prefix: 'revgate:snapshot:',
    onFallback: () => {},
  });
  lifecycle.onClose(hours.close);
  const snapshot = snapshotSurface(catalogue, hours.counter, now);
  const origin = options.dashboard?.origin ?? (() => 'http://localhost:4000');
  const recorded = readRecordedResponses();
  const { pages: docs, reference } = openDocs({
    openApi: openApiDocument(limits),
    limits,
    embedLimit: options.embedLimit ?? DEFAULT_EMBED_LIMIT,
    types: describeSchema(schema),
    schema: schemaText,
    responses: recorded,
    documents: readDocuments(),
    origin,
    findOperator,
    brand,
    assetUrl,
  });
  const graphql = graphqlSurface({ engine, documents, findPage: graphiql.findPage });
  const sessionGraphql = authenticateSession && sessionSurface(graphql, authenticateSession);
  const mcp = mcpSurface({
    engine,
    counter,
    resources: () => resourcesOf(reference(), { origin: origin(), schema: schemaText, policy: policy.text }),
    origin,
    now,
  });
  const pages = createPages({
    policy: policy.text,
    service,
    assetUrl,
    schema: schemaText,
    openApi: () => openApiDocument(limits, origin(), recorded, service),
    docs,
    landing: createLandingPage({
      engine,
      catalogue,
      now,
      origin,
      limits,
      brand,
      assetUrl,
      hidesRows: service.hidesRows ?? false,
    }),
    metrics: createMetricsPage({
      metrics,
      token: options.metricsToken,
      isPrivate: options.isPrivate ?? true,
    }),
    dashboard,
    files,
    unready,
    report,
  });
  const importRoute = createImportRoute({
    prisma,
    operators: options.dashboard?.operators ?? [],
    counter,
    importer,
    historyDays,
    stagingDirectory,
    now,
    report,
    bounds: options.importBounds,
  });
  const badges = options.badges && createBadges({ engine, counter, now, report, ...options.badges });
  return createGateway({
    verifier,
    limiter,
    findSurface(path) {
      if (path === '/graphql') {
        return graphql;
      }
      if (path === MCP_PATH) {
        return mcp;
      }
      if (path === SESSION_GRAPHQL_PATH) {
        return sessionGraphql;
      }
      if (path === SNAPSHOT_PATH) {
        return snapshot;
      }
      return path === REST_BASE || path.startsWith(`${REST_BASE}/`) ? rest : undefined;
    },
    pages(request) {
      const { path } = request;
      const isBadge = badges !== undefined && path.startsWith(BADGE_BASE);
      return path === IMPORT_PATH ? importRoute(request) : isBadge ? badges(request) : pages(request);
    },
    keySource: () =>
      authenticateSession === undefined
        ? 'Ask the operator of this service for a key'
        : `Create a key at ${origin()}/dashboard`,
    isHttps: options.isHttps ?? false,
    now,
    report,
    onAnswer: (answer) => {
      const { request, surface, status, keyId, accountId, failure } = answer;
      const { id: requestId, method, path } = request;
      const traceparent = request.header('traceparent');
      const traceId = traceparent && traceIdOf(traceparent);
      const duration = Math.round(answer.duration * 1_000) / 1_000;
      logger[quiet.has(path) ? 'debug' : 'info'](
        {
          requestId,
          traceId,
          method,
          path: hideKeys(path).slice(0, LOGGED_PATH),
          surface,
          status,
          keyId,
          accountId,
          duration,
        },
        'answered',
      );
      count(answer);
      if (keyId !== undefined) {
        usage.record(keyId, surface, status, duration, answer.origin);
        if (failure !== undefined && status !== CLIENT_LEFT) {
          failures.record(keyId, failure, status, requestId, traceId);
        }
      }
    },
  });
}

/** The id that a request has in the traces of its client. https://www.w3.org/TR/trace-context/#traceparent-header */
function traceIdOf(traceparent: string): string | undefined {
  return /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(traceparent)?.[1];
}
