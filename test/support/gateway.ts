import { randomBytes, randomUUID } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import pino from 'pino';
import type { NewKey } from '../../src/access/keys/create.ts';
import { documentId, hashDocument } from '../../src/access/keys/documents/list.ts';
import { publishDocuments } from '../../src/access/keys/documents/publish-and-remove.ts';
import type { Policy } from '../../src/access/keys/policy.ts';
import { DEFAULT_LIMITS, type TierLimits } from '../../src/access/limits/tiers.ts';
import { documentCheck } from '../../src/api/graphql/planning/check-document.ts';
import { schema } from '../../src/api/graphql/schema.ts';
import type { Database } from '../../src/db/open.ts';
import { createLifecycle } from '../../src/lib/http/lifecycle.ts';
import { listen } from '../../src/lib/http/node-server.ts';
import type { GatewayHandler } from '../../src/lib/http/request-response.ts';
import type { Mailer } from '../../src/lib/mail/open-mailer.ts';
import { type AppOptions, openApp } from '../../src/main/app.ts';
import type { DashboardSettings } from '../../src/web/dashboard/open.ts';
import { openWeb } from '../../src/web/open.ts';
import type { TestClock } from './clock.ts';
import { closeAfterwards } from './closing.ts';
import { openTestDatabase } from './database.ts';
import { createTestKey } from './keys.ts';
import { type ImportRecord, insertRecords } from './records.ts';

const checkDocument = documentCheck(() => schema);

/** An answer of the gateway, its body parsed where it is JSON. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Values of Set-Cookie. */
  cookies: readonly string[];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted, not typed.
  json: any;
}

export interface CallOptions {
  method?: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  /** An error is what reading the body ends with; a function is called when it is read, as a body that arrives later. */
  body?: string | Buffer | Error | (() => Promise<string>);
  address?: string;
  /** Whether the client has left. */
  isDisconnected?: boolean;
}

/** A server on this machine whose handlers are not to throw. */
export const LOCAL_SERVER = {
  host: '127.0.0.1',
  port: 0,
  trustedProxies: 0,
  onError: (error: unknown) => {
    throw error;
  },
};

export type TestGateway = Awaited<ReturnType<typeof openTestGateway>>;

/**
 * A whole gateway over a database of its own, called in process, and closed after the test or file that opens it. What
 * it asks the database is noted as SQL.
 */
export async function openTestGateway(
  options: {
    records?: ImportRecord[];
    /** Of each tier, or the same of all. */
    limits?: TierLimits | number;
    embedLimit?: number;
    now?: () => number;
    /** Default: the system's clock and timers. */
    clock?: TestClock;
    metricsToken?: string;
    redisUrl?: string;
    dashboard?: DashboardSettings;
    /** Of a gateway without a dashboard. */
    origin?: () => string;
    policy?: Policy;
    /** Of another gateway, which closes it. */
    database?: Database;
    /** Other settings of the app. */
    app?: Partial<AppOptions>;
  } = {},
) {
  const now = options.now ?? options.clock?.now ?? (() => Date.now());
  const { limits = DEFAULT_LIMITS } = options;
  const lifecycle = createLifecycle();
  const database = options.database ?? (await openTestDatabase());
  if (options.database === undefined) {
    lifecycle.onClose(() => database.close());
  }
  // Before the database is closed by itself.
  closeAfterwards(lifecycle.close);
  if (options.records !== undefined) {
    await insertRecords(database, options.records);
  }
  const logs: string[] = [];
  const logger = pino({ level: 'info' }, { write: (text: string) => logs.push(text) });
  const queries: string[] = [];
  watchQueries(database.pool, queries);
  const handle: GatewayHandler = await openApp({
    database,
    policy: options.policy ?? { version: '2026-11-20', text: 'Be fair.' },
    limits: typeof limits === 'number' ? { standard: limits, premium: limits } : limits,
    embedLimit: options.embedLimit,
    metricsToken: options.metricsToken,
    redisUrl: options.redisUrl,
    dashboard: options.dashboard ?? (options.origin && withoutSignIn(options.origin)),
    logger,
    now,
    schedule: options.clock?.schedule,
    monotonic: options.clock?.now,
    web: openWeb,
    ...options.app,
    lifecycle,
  });
  // The first poll of the database.
  await options.clock?.advance(0);
  const acting = { prisma: database.prisma, now, actor: 'a test', randomBytes };

  /** The response as it is handed to the server, with its headers by their names. */
  const raw = async (
    target: string,
    {
      method = 'GET',
      key,
      headers = {},
      body = '',
      address = '192.0.2.1',
      isDisconnected = false,
    }: CallOptions = {},
  ) => {
    const [path = '', ...rest] = target.split('?');
    const sent: Record<string, string> =
      key === undefined ? headers : { authorization: `Bearer ${key}`, ...headers };
    const response = await handle({
      id: randomUUID(),
      method,
      path,
      query: rest.join('?'),
      header: (name) => sent[name],
      headers: () => new Headers(sent),
      address,
      body: async () => {
        if (body instanceof Error) {
          throw body;
        }
        return Buffer.from(typeof body === 'function' ? await body() : body);
      },
      async *receive() {
        if (body instanceof Error) {
          throw body;
        }
        yield Buffer.from(typeof body === 'function' ? await body() : body);
      },
      isDisconnected,
      disconnected: () => (isDisconnected ? AbortSignal.abort() : new AbortController().signal),
    });
    const given = new Headers();
    for (let at = 0; at < response.headers.length; at += 2) {
      given.append(response.headers[at] ?? '', response.headers[at + 1] ?? '');
    }
    const { 'set-cookie': _, ...answered } = Object.fromEntries(given);
    return { ...response, headers: answered as Record<string, string>, cookies: given.getSetCookie() };
  };
  const call = async (target: string, options: CallOptions = {}): Promise<Answer> => {
    const { status, headers, cookies, body, stream } = await raw(target, options);
    const text = stream === undefined ? String(body) : await textOf(stream);
    return { status, headers, cookies, text, json: parse(text) };
  };
  const publish = (keyId: string, texts: string[], withFeeds?: boolean) => {
    const documents = texts.map((text) => ({ id: documentId(hashDocument(text)), text }));
    return publishDocuments({ ...acting, check: checkDocument }, keyId, documents, withFeeds);
  };
  /** POSTs JSON to /graphql, or a text as it is. */
  const post = (body: object | string, more: CallOptions = {}): Promise<Answer> =>
    call('/graphql', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...more,
      headers: { 'content-type': 'application/json', ...more.headers },
    });

  return {
    database,
    handle,
    logs,
    queries,
    /** Those that read data: others, such as the look-up of a key, depend on the requests before. */
    rowQueries: () =>
      queries.filter((sql) => /\bFROM ("public"\.)?"?(startups|startup_points|market_days)\b/.test(sql)),
    call,
    raw,
    close: () => lifecycle.close(),
    /** Serves it, or what is around it, on this machine until the test or the file ends, and returns the URL. */
    async listen(around: GatewayHandler = handle): Promise<string> {
      const server = await listen(around, LOCAL_SERVER);
      closeAfterwards(() => server.close());
      return server.url;
    },
    /** Who changes keys, accounts and documents in tests. */
    acting,
    /** A new key. */
    key: (input?: Partial<NewKey>) => createTestKey(acting, input),
    /** Publishes documents for a key. */
    publish: (keyId: string, ...texts: string[]) => publish(keyId, texts),
    /** The same, with feeds. */
    publishFeeds: (keyId: string, ...texts: string[]) => publish(keyId, texts, true),
    post,
    /** POSTs an operation. */
    graphql: (query: string, variables: object = {}, more: CallOptions & { operationName?: string } = {}) =>
      post({ query, variables, operationName: more.operationName }, more),
  };
}

function withoutSignIn(origin: () => string): DashboardSettings {
  const mailer: Mailer = {
    kind: 'none',
    send: async () => {},
    check: async () => {},
    close: () => {},
  };
  return { origin, secret: undefined, github: undefined, mailer };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Notes SQL; the poll of revisions is left out, and so are the counts of use. */
function watchQueries(pool: { query: unknown }, queries: string[]): void {
  const query = pool.query as (...args: unknown[]) => unknown;
  pool.query = function (this: unknown, ...args: unknown[]) {
    const sql = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
    if (!sql.includes('FROM revisions') && !sql.includes('key_usage') && !sql.includes('key_failures')) {
      queries.push(sql);
    }
    return query.apply(pool, args);
  };
}
