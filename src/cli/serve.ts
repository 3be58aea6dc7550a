import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { keepSnapshots } from '../backup/snapshots.ts';
import { type Config, isPrivate } from '../config/config.ts';
import { type Database, type DatabaseLocation, openDatabase } from '../db/open.ts';
import { keepSecret } from '../db/secret-file.ts';
import { listen } from '../http/node-server.ts';
import { createKey } from '../keys/create.ts';
import type { Policy } from '../keys/policy.ts';
import { isPublished, publishPolicy } from '../keys/publish-policy.ts';
import { createLifecycle } from '../lifecycle.ts';
import { hostOf, isLoopback } from '../loopback.ts';
import { openMailer } from '../mail/open-mailer.ts';
import type { Schedule } from '../schedule.ts';
import { loadSample } from '../startups/import/load-sample.ts';
import { line } from './command.ts';
import { openLog } from './log.ts';

interface ServeOptions {
  readonly config: Config;
  readonly policy: Policy;
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
  /** Whether standard error may be coloured. */
  readonly hasColors: boolean;
  readonly now: () => number;
  /** How repeated work is scheduled; by the timers of this process by default. */
  readonly schedule?: Schedule | undefined;
  /** ms of a monotonic clock; that of this process by default. */
  readonly monotonic?: (() => number) | undefined;
  /** Aborted when the server is to stop. */
  readonly signal: AbortSignal;
}

/** The actor of automatic actions. */
const SERVER = 'revgate serve';

const SAMPLE = { count: 500, seed: 1 };

/** `revgate serve`: serves until stopped, then finishes requests in progress. */
export async function runServe(options: ServeOptions): Promise<void> {
  const { config, policy, version, stdout, stderr, now, schedule, monotonic, signal } = options;
  const { isTerminal, hasColors } = options;
  const logger = await openLog({ ...config, stream: stderr, isTerminal, hasColors });
  const lifecycle = createLifecycle();
  const onUnhandled = (error: unknown): void => logger.error({ err: error }, 'an unhandled rejection');
  process.on('unhandledRejection', onUnhandled);
  lifecycle.onClose(() => void process.off('unhandledRejection', onUnhandled));
  try {
    const loading = import('../app.ts');
    // The error is reported where the promise is awaited.
    loading.catch(() => {});
    if (config.database.kind === 'server') {
      // It would delay this thread's handling of the server's answer. The embedded one opens in another thread.
      await loading;
    }
    const onError = (error: Error): void => logger.warn({ err: error }, 'a database connection failed');
    const database = await openDatabase(config.database, onError, signal);
    lifecycle.onClose(() => database.close());
    const place =
      config.database.kind === 'server'
        ? 'PostgreSQL'
        : `the embedded database in ${config.database.directory}`;
    line(stdout, `revgate ${version} on ${place}`);
    if (
      config.database.kind === 'embedded' &&
      config.database.directory !== undefined &&
      config.snapshotInterval > 0
    ) {
      const snapshots = await keepSnapshots({
        database,
        directory: config.database.directory,
        intervalMs: config.snapshotInterval * 1000,
        now,
        schedule,
        onError: (error) => logger.error({ err: error }, 'cannot write a snapshot of the embedded database'),
      });
      lifecycle.onClose(() => snapshots.close());
    }
    if (!(await isPublished(database.pool, policy))) {
      await publishPolicy({ prisma: database.prisma, now, actor: SERVER }, policy);
    }
    const demoKey = await prepareFirstStart(database, config, policy, now, stdout);
    const { limits, embedLimit, redisUrl, nodes, metricsToken } = config;
    let url = config.publicUrl;
    const mailer = openMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      print: isPrivate(config) ? (text) => line(stdout, text) : undefined,
    });
    lifecycle.onClose(() => mailer.close());
    const secret = config.authSecret ?? findSecret(config.database);
    const { openApp } = await loading;
    // While the catalogue is read in its thread.
    const loadingAuth = secret === undefined ? undefined : loadAuth();
    loadingAuth?.catch(() => {});
    const handle = await openApp({
      ...{ database, policy, limits, embedLimit, redisUrl, nodes, metricsToken },
      maxStaleness: config.maxStaleness,
      historyDays: config.historyDays,
      isDraining: () => signal.aborted,
      isPrivate: isPrivate(config),
      isHttps: config.publicUrl?.startsWith('https:') ?? false,
      dashboard: {
        // There are no requests before it listens.
        origin: () => url ?? '',
        secret,
        github: config.github,
        mailer,
      },
      ...{ logger, now, schedule, monotonic, lifecycle },
    });
    await loadingAuth;
    const steps = await findNextSteps(database);
    const server = await listen(handle, {
      ...config,
      onError: (error) => logger.error({ err: error }, 'a request got no response'),
    });
    lifecycle.onClose(() => server.close());
    url ??= server.url;
    database.share();
    if (url.startsWith('http:') && !isLoopback(hostOf(url))) {
      line(stderr, `Warning: PUBLIC_URL ${url} is not https: keys and cookies are sent unencrypted.`);
    }
    const banner = [
      `Listening on ${server.url}. Try:`,
      `  curl -H "Authorization: Bearer ${demoKey ?? '$REVGATE_KEY'}" "${url}/api/v1/startups?limit=3"`,
      'Or open in a browser:',
      `  ${url}/graphql    GraphiQL: write and run queries`,
      `  ${url}/docs       the API reference`,
      ...(secret === undefined ? [] : [`  ${url}/dashboard  the dashboard: keys, usage, data explorer`]),
      ...steps,
    ];
    line(stdout, banner.join('\n'));
    await aborted(signal);
    if (config.drainDelay > 0) {
      line(stdout, `Stopping in ${config.drainDelay} seconds: /ready returns 503 from now on …`);
      await setTimeout(config.drainDelay * 1_000);
    }
    line(stdout, 'Stopping: finishing the requests in progress …');
  } finally {
    await lifecycle.close();
  }
  line(stdout, 'Stopped.');
}

/**
 * On a first start of an empty embedded database that only this machine can reach, creates sample data
 * and a key to read it with. In no other case is a key created automatically.
 */
async function prepareFirstStart(
  database: Database,
  config: Config,
  policy: Policy,
  now: () => number,
  stdout: Writable,
): Promise<string | undefined> {
  if (database.kind !== 'embedded' || !isLoopback(config.host)) {
    return undefined;
  }
  const { rows } = await database.pool.query(
    'SELECT WHERE NOT EXISTS (SELECT FROM startups) AND NOT EXISTS (SELECT FROM api_keys)',
  );
  if (rows.length === 0) {
    return undefined;
  }
  const client = await database.connect();
  try {
    await loadSample({ client, kind: database.kind, ...SAMPLE });
  } finally {
    await client.end();
  }
  line(stdout, `Loaded ${SAMPLE.count} sample startups; your first import replaces them.`);
  const created = await createKey(
    { prisma: database.prisma, now, actor: SERVER, randomBytes },
    {
      name: 'demo',
      tier: 'standard',
      policyVersion: policy.version,
      acceptedBy: 'the first user of the demo key',
      demo: true,
    },
  );
  // At once: if this start fails later, no other start creates a key.
  line(stdout, 'Demo key, shown only once. By using it you accept the policy at /policy:');
  line(stdout, `  ${created.key}`);
  return created.key;
}

/** The missing data that clients need, and the commands to add it. */
async function findNextSteps({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ startups: boolean; keys: boolean }>(
    'SELECT EXISTS (SELECT FROM startups) AS startups, EXISTS (SELECT FROM api_keys) AS keys',
  );
  const { startups, keys } = rows[0] ?? { startups: true, keys: true };
  return [
    ...(startups ? [] : ['There are no startups yet. To import some:', '  revgate import FILE']),
    ...(keys
      ? []
      : [
          'There are no keys yet. To create one:',
          '  revgate keys create --name NAME --tier standard --accept-policy',
        ]),
  ];
}

/**
 * The secret that signs cookies if AUTH_SECRET is unset: the embedded database stores one beside it. Nodes of a
 * server share theirs by AUTH_SECRET only, so that access to the database is not enough to sign in.
 */
function findSecret(database: DatabaseLocation): string | undefined {
  return database.kind === 'embedded' ? keepSecret(database.directory) : undefined;
}

async function loadAuth(): Promise<void> {
  const { loadBetterAuth } = await import('../dashboard/better-auth.ts');
  await loadBetterAuth();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
