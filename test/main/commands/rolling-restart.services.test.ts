import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createKey } from '../../../src/access/keys/create.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { startRedis } from '../../access/limits/redis-server.ts';
import { createTestDatabase } from '../../support/database.ts';
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
  await insertRecords(
    database,
    Array.from({ length: 20 }, (_, i) => record(`startup-${i}`)),
  );
  const { id, key } = await createKey(
    { prisma: database.prisma, now: Date.now, actor: 'a test', randomBytes },
    { name: 'test', tier: 'standard', policyVersion: '2026-11-20', acceptedBy: 'a test' },
  );
  const env = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    RATE_LIMIT_STANDARD: '1000000',
    DRAIN_DELAY: String(DRAIN_SECONDS),
  };
  return {
    key,
    startNode: (): Promise<BuiltServer> => serveBuilt(env),
    /** How many requests with the key nodes have stored, by status. */
    async countUse() {
      const used = await database.prisma.keyUsage.groupBy({
        by: ['status'],
        where: { keyId: id },
        _sum: { requests: true },
      });
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

/**
 * A load balancer such as nginx or HAProxy: looks at `/ready` twice a second, gives each request to the next node that
 * is ready, over connections that it keeps, and tries none again.
 */
async function openBalancer() {
  const agent = new Agent({ keepAlive: true });
  const backends = new Set<Backend>();
  let turn = 0;
  const check = async (backend: Backend): Promise<void> => {
    const asked = await fetch(`http://127.0.0.1:${backend.port}/ready`).catch(() => undefined);
    await asked?.arrayBuffer();
    backend.isReady = asked?.status === 200;
  };
  let isOpen = true;
  // One after the other: the answer to an earlier check never comes after that to a later one.
  const checking = (async () => {
    for (; isOpen; await wait(CHECK_MS)) {
      await Promise.all([...backends].map(check));
    }
  })();
  const server = createServer((incoming, outgoing) => {
    const ready = [...backends].filter(({ isReady }) => isReady);
    turn += 1;
    const backend = ready[turn % ready.length];
    if (backend === undefined) {
      outgoing.writeHead(503).end('no node is ready');
      return;
    }
    forward(incoming, outgoing, backend, agent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    isOpen = false;
    server.close().closeAllConnections();
    agent.destroy();
    await checking;
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Adds a node, and waits until it is seen to be ready. */
    async add({ port }: BuiltServer): Promise<Backend> {
      const backend = { port, isReady: false, answered: 0 };
      backends.add(backend);
      await expect.poll(() => backend.isReady).toBe(true);
      return backend;
    },
    remove: (backend: Backend) => void backends.delete(backend),
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, backend: Backend, agent: Agent): void {
  const { method, url, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port: backend.port, agent, method, path: url, headers });
  const fail = (error: NodeJS.ErrnoException): void => {
    if (outgoing.headersSent) {
      outgoing.destroy();
    } else {
      outgoing.writeHead(502).end(error.code ?? error.message);
    }
  };
  onward.on('error', fail);
  onward.on('response', (answer) => {
    backend.answered += 1;
    const { connection: _, 'keep-alive': __, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.on('error', fail).pipe(outgoing);
  });
  incoming.pipe(onward);
}

const QUERY = '{ startups(limit: 2) { nodes { slug } meta { total } } }';

/** Clients that ask over REST and GraphQL in turn, until it is told to finish and enough was asked. */
function startLoad(port: number, key: string) {
  const agent = new Agent({ keepAlive: true });
  const outcomes = new Map<string, number>();
  let asked = 0;
  let isOver = false;
  let isAborted = false;
  const ask = async (count: number): Promise<string> => {
    const [method, path] =
      count % 2 === 0 ? ['GET', `/api/v1/startups?limit=2&page=${(count % 10) + 1}`] : ['POST', '/graphql'];
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers });
    sent.end(method === 'GET' ? undefined : JSON.stringify({ query: QUERY }));
    try {
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await text(answer);
      const isWhole = answer.statusCode === 200 && body.includes('"total":20');
      return isWhole ? '200' : `${answer.statusCode} ${body.slice(0, 200)}`;
    } catch (error) {
      return String(error);
    }
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isAborted && (!isOver || asked < REQUESTS)) {
      asked += 1;
      const outcome = await ask(asked);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await wait(PAUSE_MS);
    }
  });
  onTestFinished(async () => {
    isAborted = true;
    await Promise.all(clients);
    agent.destroy();
  });
  return {
    /** How often each outcome was met. */
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
  const balancer = await openBalancer();
  const logs: (() => string)[] = [];
  const startBehind = async () => {
    const node = await startNode();
    logs.push(node.stderr);
    return { node, backend: await balancer.add(node) };
  };
  const first = await Promise.all([startBehind(), startBehind()]);
  const load = startLoad(balancer.port, key);
  const next = [];
  for (const { node, backend } of first) {
    await expect.poll(() => backend.answered).toBeGreaterThan(100);
    node.child.kill('SIGTERM');
    expect(await node.exit).toBe(0);
    balancer.remove(backend);
    const started = await startBehind();
    await expect.poll(() => started.backend.answered).toBeGreaterThan(100);
    next.push(started.node);
  }
  const outcomes = await load.finish();
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
