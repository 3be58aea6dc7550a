import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createKey } from '../../access/keys/create.ts';
import { isPublished, type Policy, publishPolicy } from '../../access/keys/policy.ts';
import { loadMcp } from '../../api/mcp/load.ts';
import { keepSnapshots } from '../../db/backup/snapshots.ts';
import { loadEngine } from '../../db/embedded/embedded.ts';
import { COMMAND_WAITS, type Database, type DatabaseLocation, openDatabase } from '../../db/open.ts';
import { keepSecret } from '../../db/secret-file.ts';
import { readVersion } from '../../lib/files/built-files.ts';
import { hostOf, isLoopback } from '../../lib/http/addresses.ts';
import { createLifecycle, type Lifecycle } from '../../lib/http/lifecycle.ts';
import { listen, requirePort } from '../../lib/http/node-server.ts';
import { openMailer } from '../../lib/mail/open-mailer.ts';
import { loadSample, recordSampleHistory, recordSampleSales } from '../../startups/sample/load-sample.ts';
import type { Web } from '../../web/open.ts';
import { FIRST_REQUEST, writeSample } from '../../web/shared/code-samples.ts';
import { type CommandEnvironment, CREATE_KEY, line, mayColor } from '../command-line/command.ts';
import { describeMigrated, describeNew, describeWait } from '../command-line/database.ts';
import { openLog } from '../command-line/log.ts';
import { printSecret } from '../command-line/secrets.ts';
import { readServiceFiles } from '../command-line/service-files.ts';
import { announceReading, describeSetup, findNextSteps } from '../command-line/start-messages.ts';
import { type Config, isPrivate } from '../settings/config.ts';

/** The actor of automatic actions. */
const SERVER = 'revgate serve';

const NO_DASHBOARD = [
  'There is no dashboard, because AUTH_SECRET is not set. To generate a secret, which all nodes share:',
  '  openssl rand -base64 32',
];

const SAMPLE_COUNT = 500;

/** `revgate serve`: serves until stopped, then finishes requests in progress. */
export async function runServe(environment: CommandEnvironment, config: Config): Promise<void> {
  const { env, stdout, stderr, errorColumns, now, schedule, monotonic, signal } = environment;
  const { policy, service } = readServiceFiles(environment, config);
  const isTerminal = errorColumns !== undefined;
  const hasColors = mayColor(isTerminal, env);
  const { logger, ...log } = await openLog({ ...config, stream: stderr, isTerminal, hasColors });
  const lifecycle = createLifecycle();
  const onUnhandled = (error: unknown): void => logger.error({ err: error }, 'an unhandled rejection');
  process.on('unhandledRejection', onUnhandled);
  lifecycle.onClose(() => void process.off('unhandledRejection', onUnhandled));
  try {
    // Before a database is created.
    await requirePort(config);
    const database = await openServed(environment, config, logger, lifecycle);
    if (!(await isPublished(database.background, policy))) {
      await publishPolicy({ prisma: database.prisma, now, actor: SERVER }, policy);
    }
    const isFirstStart = await loadFirstSample(database, config, environment);

    const mailer = openMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      sender: service,
      print: isPrivate(config) ? (text) => line(stdout, text) : undefined,
    });
    lifecycle.onClose(() => mailer.close());
    // Nodes of a server share theirs by AUTH_SECRET only, so that access to the database is not enough to sign in.
    const { authSecret, database: location } = config;
    const stored = location.kind === 'embedded' ? () => keepSecret(location.directory) : () => undefined;
    const secret = authSecret ?? (await stored());
    let isStarting = true;
    let url = config.publicUrl;
    const { openApp, openWeb, loadBetterAuth } = await loadServer();
    if (secret !== undefined) {
      await loadBetterAuth();
    }
    let web: Web | undefined;
    await announceReading(database, environment);
    const handle = await openApp({
      ...config,
      database,
      policy,
      service,
      isStarting: () => isStarting,
      isDraining: () => signal.aborted,
      isPrivate: isPrivate(config),
      isHttps: config.publicUrl?.startsWith('https:') ?? false,
      web(options) {
        web = openWeb(options);
        return web;
      },
      dashboard: {
        // There are no requests before it listens.
        origin: () => url ?? '',
        secret,
        github: config.github,
        mailer,
        isInvitedOnly: config.isInvitedOnly,
        operators: config.operators,
        requiresFactor: config.requiresFactor,
      },
      droppedLogLines: log.dropped,
      logger,
      ...inDirectory(config.database),
      now,
      schedule,
      monotonic,
      lifecycle,
    });
    const server = await listen(handle, {
      ...config,
      onError: (error) => logger.error({ err: error }, 'a request got no response'),
    });
    lifecycle.onClose(() => server.close());
    url ??= server.url;

    // Only now: a start that fails before it listens would lose the key.
    const demoKey =
      isFirstStart && !signal.aborted ? await createDemoKey(database, environment, policy) : undefined;
    const steps = await findNextSteps(database);
    database.beginServing();
    isStarting = false;
    if (url.startsWith('http:') && !isLoopback(hostOf(url))) {
      line(stderr, `Warning: PUBLIC_URL ${url} is not https: keys and cookies are sent unencrypted.`);
    }
    const banner = [
      `Listening on ${server.url}. Try:`,
      `  ${writeSample.curl({ origin: url, request: FIRST_REQUEST, key: demoKey }).replaceAll(' \\\n  ', ' ')}`,
      'Or open in a browser:',
      `  ${url}/graphql    GraphiQL: write and run queries`,
      `  ${url}/docs       the documentation`,
      ...(secret === undefined
        ? NO_DASHBOARD
        : [
            `  ${url}/dashboard  the dashboard: keys, usage, data explorer`,
            ...(await describeSetup(environment, database, config, url)),
          ]),
      ...steps,
    ];
    line(stdout, banner.join('\n'));
    loadMcp()
      .then(() => web?.prepare())
      .catch(onUnhandled);
    if (!signal.aborted) {
      await once(signal, 'abort');
    }
    if (config.drainDelay > 0) {
      line(stdout, `Stopping in ${config.drainDelay} seconds: /ready returns 503 from now on …`);
      await setTimeout(config.drainDelay * 1_000);
    }
    line(stdout, 'Stopping: finishing the requests in progress …');
  } finally {
    await lifecycle.close();
    // Before an error that ends the command is written to the same stream.
    log.close();
  }
  line(stdout, 'Stopped.');
}

/** Loads what is needed only once the database is open. */
async function loadServer() {
  const { openApp } = await import('../app.ts');
  const { openWeb } = await import('../../web/open.ts');
  const { loadBetterAuth } = await import('../../access/accounts/sign-in/better-auth.ts');
  return { openApp, openWeb, loadBetterAuth };
}

/**
 * Loads all code that a server loads, now or later.
 *
 * @throws the error of Node where a package is missing or damaged.
 */
export async function loadAll(): Promise<void> {
  const { loadBetterAuth } = await loadServer();
  await Promise.all([loadBetterAuth(), loadEngine(), loadMcp(), import('../../db/prisma-adapter.ts')]);
}

/** Opens the database, says which one it is, and writes its snapshots if it is embedded. */
async function openServed(
  { stdout, stderr, now, schedule, signal }: CommandEnvironment,
  { database: configured, port, snapshotInterval }: Config,
  logger: Logger,
  lifecycle: Lifecycle,
): Promise<Database> {
  const location: DatabaseLocation =
    configured.kind === 'server' ? { ...configured, node: `${hostname()}:${port}` } : configured;
  const onError = (error: Error): void => logger.warn({ err: error }, 'a database connection failed');
  const onWait = (): void => line(stderr, describeWait(location));
  // No request waits for what a start does.
  const database = await openDatabase(location, onError, { signal, onWait, waits: COMMAND_WAITS });
  lifecycle.onClose(() => database.close());
  const place = location.kind === 'server' ? 'PostgreSQL' : `the embedded database in ${location.directory}`;
  line(stdout, `revgate ${readVersion()} on ${place}`);
  if (database.isNew) {
    line(stdout, describeNew(location));
  } else if (database.migrated.length > 0) {
    line(stdout, describeMigrated(database.migrated));
  }
  if (location.kind === 'embedded' && location.directory !== undefined && snapshotInterval > 0) {
    const snapshots = await keepSnapshots({
      database,
      directory: location.directory,
      intervalMs: snapshotInterval * 1000,
      now,
      schedule,
      onError: (error) => logger.error({ err: error }, 'cannot write a snapshot of the embedded database'),
    });
    lifecycle.onClose(() => snapshots.close());
  }
  return database;
}

/**
 * Loads the sample on the first start of an empty embedded database that only this machine can reach.
 *
 * @returns whether this is that start, and a demo key is to be created. In no other case is a key created automatically.
 */
async function loadFirstSample(
  database: Database,
  config: Config,
  { stdout, sampleCount = SAMPLE_COUNT }: CommandEnvironment,
): Promise<boolean> {
  if (database.kind !== 'embedded' || !isLoopback(config.host)) {
    return false;
  }
  const { rows } = await database.background.query<{ hasSample: boolean }>(
    // A first start that failed may have left the sample.
    `SELECT EXISTS (SELECT FROM startups) AS "hasSample"
     WHERE NOT EXISTS (SELECT FROM startups WHERE NOT sample) AND NOT EXISTS (SELECT FROM api_keys)`,
  );
  const [found] = rows;
  if (found?.hasSample === false && sampleCount > 0) {
    const client = await database.connect();
    try {
      await loadSample({
        client,
        kind: database.kind,
        count: sampleCount,
        seed: 1,
        verifiedBefore: Date.now(),
      });
      await recordSampleSales(client);
      await recordSampleHistory(client);
    } finally {
      await client.end();
    }
    line(stdout, `Loaded ${sampleCount} sample startups; your first import replaces them.`);
  }
  return found !== undefined;
}

/**
 * Creates and prints a demo key.
 *
 * @returns undefined if it created none.
 * @throws OperatorError if it cannot print the key.
 */
async function createDemoKey(
  { prisma }: Database,
  { now, stdout, stderr, isDiscarded }: CommandEnvironment,
  policy: Policy,
): Promise<string | undefined> {
  if (isDiscarded) {
    line(
      stderr,
      `Warning: Standard output is closed or discarded, so nobody could read a demo key, and none was created. To create a key, run: ${CREATE_KEY}`,
    );
    return undefined;
  }
  const demo = {
    name: 'demo',
    // Ten mistakes must not end a first try.
    tier: 'premium',
    policyVersion: policy.version,
    acceptedBy: 'the first user of the demo key',
    demo: true,
  };
  const { key } = await printSecret(
    { prisma, now, actor: SERVER, stdout },
    'demo key',
    (acting) => createKey(acting, demo),
    (created) => `Demo key, shown only once. By using it you accept the policy at /policy:\n  ${created.key}`,
  );
  return key;
}

/** Where files of uploads are: with the embedded database, beside it. */
function inDirectory(location: DatabaseLocation) {
  const directory = location.kind === 'embedded' ? location.directory : undefined;
  return directory === undefined
    ? {}
    : { stagingDirectory: directory, uploadsDirectory: join(directory, 'uploads') };
}
