import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Counter, Registry } from 'prom-client';
import { createDocumentStore } from '../access/keys/documents/store.ts';
import { createKeyLookup } from '../access/keys/lookup.ts';
import { recordPolicyAcceptance } from '../access/keys/policy.ts';
import { createKeyVerifier } from '../access/keys/verify.ts';
import { createLimiter } from '../access/limits/limiter.ts';
import { openCounter } from '../access/limits/open-counter.ts';
import { DEFAULT_EMBED_LIMIT } from '../access/limits/tiers.ts';
import { createFailureStore } from '../access/usage/failures/store.ts';
import { createUsageRecorder } from '../access/usage/recorder.ts';
import { createUsageStore } from '../access/usage/store.ts';
import { FEED_BASE, feedSurface } from '../api/feeds/surface.ts';
import { createGateway } from '../api/gateway/gateway.ts';
import { type NodeState, watchProcess, watchState } from '../api/gateway/metrics/state.ts';
import { countTraffic } from '../api/gateway/metrics/traffic.ts';
import { describeSchema } from '../api/graphql/describe-schema.ts';
import { createEngine } from '../api/graphql/execution/engine.ts';
import { checkDocument } from '../api/graphql/planning/check-document.ts';
import { schema, schemaText } from '../api/graphql/schema.ts';
import { sessionSurface } from '../api/graphql/session-surface.ts';
import { graphqlSurface } from '../api/graphql/surface.ts';
import { createImportRoute, IMPORT_BOUNDS, IMPORT_PATH } from '../api/import/route.ts';
import { MCP_PATH, mcpSurface } from '../api/mcp/surface.ts';
import { REST_BASE } from '../api/rest/endpoints.ts';
import { openApiDocument } from '../api/rest/openapi.ts';
import { SNAPSHOT_PATH, snapshotSurface } from '../api/rest/snapshot-surface.ts';
import { restSurface } from '../api/rest/surface.ts';
import type { GatewayHandler } from '../lib/http/request-response.ts';
import { DEFAULT_SERVICE } from '../lib/text/service.ts';
import { openCatalogue } from '../startups/catalogue/live-catalogue.ts';
import { createImporter, IMPORT_SILENCE_MS } from '../startups/import/importer.ts';
import { DEFAULT_HISTORY_DAYS } from '../startups/model/retention.ts';
import { SESSION_GRAPHQL_PATH } from '../web/dashboard/graphql.ts';
import { openDashboard } from '../web/dashboard/open.ts';
import { openDocs } from '../web/docs/docs.ts';
import { readDocuments } from '../web/docs/documents.ts';
import { resourcesOf } from '../web/docs/resources.ts';
import { readRecordedResponses } from '../web/docs/sample-requests.ts';
import { brandOf } from '../web/shared/brand.ts';
import { hashFiles } from '../web/shared/static-files.ts';
import { openGraphiQL } from '../web/site/graphiql.tsx';
import { createLandingPage } from '../web/site/landing-page.tsx';
import { createMetricsPage } from '../web/site/metrics-page.ts';
import { createPages } from '../web/site/pages.tsx';
import { followDatabase } from './follow-database.ts';
import type { AppOptions } from './options.ts';
import { createAnswerRecorder } from './record-answer.ts';

/** Opens everything that requests need. The returned handler answers every path. */
export async function openApp(options: AppOptions): Promise<GatewayHandler> {
  const { database, policy, service = DEFAULT_SERVICE, limits, logger, now, lifecycle } = options;
  const { isStarting = () => false, isDraining = () => false } = options;
  const { maxStaleness = 600, monotonic = performance.now.bind(performance) } = options;
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
  const usage = createUsageRecorder({
    addUsage: createUsageStore(background, now),
    addFailures: createFailureStore(background, now),
    now,
    onError: (error) => logger.error({ err: error }, 'the use of keys could not be stored yet'),
  });
  lifecycle.onClose(() => usage.close());
  const silence = followDatabase({
    ...{ database, catalogue, verifier, documents, builds, historyDays, logger, now, monotonic, lifecycle },
    schedule: options.schedule,
  });
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
  const assets = hashFiles(new URL('../../assets/', import.meta.url), '/assets/');
  const assetUrl = (name: string): string => {
    const file = assets.get(name);
    if (file === undefined) {
      throw new Error(`assets/${name} does not exist`);
    }
    return file.path;
  };
  const engine = createEngine({ catalogue, prisma, report, now });
  // A long statement of an import keeps the one session of the embedded engine from answering.
  const isLost = (): boolean => database.kind === 'server' && silence() > IMPORT_SILENCE_MS;
  const importer = createImporter(() => database.threadConnection('import'), isLost);
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
  const quiet = new Set([
    ...['/embed.js', '/client.js', '/favicon.svg', '/favicon.ico'],
    ...files.map(({ path }) => path),
  ]);
  const rest = restSurface(engine);
  const snapshot = snapshotSurface(catalogue, verifier, counter, now);
  const origin = options.dashboard?.origin ?? (() => 'http://localhost:4000');
  const responses = readRecordedResponses();
  const { pages: docs, reference } = openDocs({
    openApi: openApiDocument(limits),
    limits,
    embedLimit: options.embedLimit ?? DEFAULT_EMBED_LIMIT,
    types: describeSchema(schema),
    responses,
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
    title: service.name,
    now,
  });
  const feeds = feedSurface({ engine, verifier, documents, origin, title: service.name });
  const pages = createPages({
    policy: policy.text,
    service,
    assetUrl,
    schema: schemaText,
    openApi: () => openApiDocument(limits, origin(), responses(origin()), service),
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
  // Loaded only where they are on.
  const badges = options.badges && (await openBadges({ engine, counter, now, report, ...options.badges }));
  return createGateway({
    verifier,
    limiter,
    findSurface(path) {
      if (path === '/graphql') {
        return graphql;
      }
      if (path === MCP_PATH || path === `${MCP_PATH}/`) {
        return mcp;
      }
      if (path === SESSION_GRAPHQL_PATH) {
        return sessionGraphql;
      }
      if (path === SNAPSHOT_PATH) {
        return snapshot;
      }
      if (path.startsWith(FEED_BASE)) {
        return feeds;
      }
      return path === REST_BASE || path.startsWith(`${REST_BASE}/`) ? rest : undefined;
    },
    pages(request) {
      const { path } = request;
      const isBadge = badges !== undefined && path.startsWith(badges.base);
      return path === IMPORT_PATH ? importRoute(request) : isBadge ? badges.answer(request) : pages(request);
    },
    keySource: () =>
      authenticateSession === undefined
        ? 'Ask the operator of this service for a key'
        : `Create a key at ${origin()}/dashboard`,
    isHttps: options.isHttps ?? false,
    now,
    report,
    onAnswer: createAnswerRecorder({ logger, quiet, count, usage }),
  });
}

type BadgesOptions = Parameters<typeof import('../api/feeds/badges.ts')['createBadges']>[0];

async function openBadges(options: BadgesOptions) {
  const { BADGE_BASE, createBadges } = await import('../api/feeds/badges.ts');
  return { base: BADGE_BASE, answer: createBadges(options) };
}
