import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/db/open.ts';
import { startRedis } from '../../access/limits/redis-server.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createTestKey } from '../../support/keys.ts';
import { insertRecords, record } from '../../support/records.ts';
import { type BuiltServer, serveBuilt } from './built-command.ts';

const REQUESTS = 10_000;
const CLIENTS = 16;
/** Of each client between two requests, in ms: some 400 requests a second of all together. */
const PAUSE_MS = 40;
const CHECK_MS = 500;
/** For how long a node that is to stop still accepts requests: many checks, also of a balancer on a busy machine. */
const DRAIN_SECONDS = 10;

/** What nodes share, with startups and a key. */
async function openShared() {
  const url = await createTestDatabase();
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const database = await openDatabase({ kind: 'server', url }, () => {});
  onTestFinished(() => database.close());
  const records = Array.from({ length: 20 }, (_, index) => record(`startup-${index}`));
  await insertRecords(database, records);
  const { prisma } = database;
  const { id, key } = await createTestKey({ prisma, now: Date.now, actor: 'a test', randomBytes });
  const limits = { RATE_LIMIT_STANDARD: '1000000', DRAIN_DELAY: String(DRAIN_SECONDS) };
  const env = { DATABASE_URL: url, REDIS_URL: redis.url, ...limits };
  return {
    key,
    startNode: (): Promise<BuiltServer> => serveBuilt(env),
    /** How many requests with the key nodes have stored, by status. */
    async countUse() {
      const where = { keyId: id };
      const used = await prisma.keyUsage.groupBy({ by: ['status'], where, _sum: { requests: true } });
      return used.map(({ status, _sum }) => [status, Number(_sum.requests)]);
    },
  };
}

interface Backend {
  readonly port: number;
  isReady: boolean;
  /** Requests that it has answered. */
  answered: number;
}

const QUERY = '{ startups(limit: 2) { nodes { slug } meta { total } } }';

/**
 * Clients behind a load balancer such as nginx or HAProxy: it looks at `/ready` twice a second, gives each request to the
 * next node that is ready, over connections that it keeps, and tries none again. They ask over REST and GraphQL in turn.
 */
function openBalanced(key: string) {
  const agent = new Agent({ keepAlive: true });
  const backends = new Set<Backend>();
  const outcomes = new Map<string, number>();
  let asked = 0;
  let isOver = false;
  let isClosed = false;
  const check = async (backend: Backend): Promise<void> => {
    const found = await fetch(`http://127.0.0.1:${backend.port}/ready`).catch(() => undefined);
    await found?.arrayBuffer();
    backend.isReady = found?.status === 200;
  };
  // One after the other: the answer to an earlier check never comes after that to a later one.
  const checking = (async () => {
    for (; !isClosed; await wait(CHECK_MS)) {
      await Promise.all([...backends].map(check));
    }
  })();
  const ask = async (count: number): Promise<string> => {
    const ready = [...backends].filter(({ isReady }) => isReady);
    const backend = ready[Math.floor(count / 2) % ready.length];
    if (backend === undefined) {
      return 'no node is ready';
    }
    const [method, path] =
      count % 2 === 0 ? ['GET', `/api/v1/startups?limit=2&page=${(count % 10) + 1}`] : ['POST', '/graphql'];
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port: backend.port, agent, method, path, headers });
    sent.end(method === 'GET' ? undefined : JSON.stringify({ query: QUERY }));
    try {
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await text(answer);
      backend.answered += 1;
      const isWhole = answer.statusCode === 200 && body.includes('"total":20');
      return isWhole ? '200' : `${answer.statusCode} ${body.slice(0, 200)}`;
    } catch (error) {
      return String(error);
    }
  };
  let clients: Promise<void>[] = [];
  onTestFinished(async () => {
    isClosed = true;
    await Promise.all([checking, ...clients]);
    agent.destroy();
  });
  return {
    /** Adds a node, and waits until it is seen to be ready. */
    async add({ port }: BuiltServer): Promise<Backend> {
      const backend = { port, isReady: false, answered: 0 };
      backends.add(backend);
      await expect.poll(() => backend.isReady).toBe(true);
      return backend;
    },
    remove: (backend: Backend) => void backends.delete(backend),
    begin() {
      clients = Array.from({ length: CLIENTS }, async () => {
        while (!isClosed && (!isOver || asked < REQUESTS)) {
          asked += 1;
          const outcome = await ask(asked);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          await wait(PAUSE_MS);
        }
      });
    },
    /** Ends once enough was asked, and says how often each outcome was met. */
    async finish(): Promise<Map<string, number>> {
      isOver = true;
      await Promise.all(clients);
      return outcomes;
    },
  };
}

// The load takes half a minute where nothing else runs.
it('nodes that are restarted one after another behind a balancer lose no request of 10,000', async () => {
  const { key, startNode, countUse } = await openShared();
  const balanced = openBalanced(key);
  const logs: (() => string)[] = [];
  const startBehind = async () => {
    const node = await startNode();
    logs.push(node.stderr);
    return { node, backend: await balanced.add(node) };
  };
  const first = await Promise.all([startBehind(), startBehind()]);
  balanced.begin();
  const next = [];
  for (const { node, backend } of first) {
    await expect.poll(() => backend.answered).toBeGreaterThan(100);
    node.child.kill('SIGTERM');
    expect(await node.exit).toBe(0);
    balanced.remove(backend);
    const started = await startBehind();
    await expect.poll(() => started.backend.answered).toBeGreaterThan(100);
    next.push(started.node);
  }
  const outcomes = await balanced.finish();
  const total = outcomes.get('200') ?? 0;
  expect(Object.fromEntries(outcomes), logs.map((log) => log()).join('')).toEqual({ 200: total });
  expect(total).toBeGreaterThanOrEqual(REQUESTS);
  // Nor does a node that ends forget what it has counted.
  for (const { child } of next) {
    child.kill('SIGTERM');
  }
  expect(await Promise.all(next.map(({ exit }) => exit))).toEqual([0, 0]);
  expect(await countUse()).toEqual([[200, total]]);
}, 300_000);
