// What authentication and the limit cost per request, whether the count holds under a storm, and what
// a million identities take. Run after `npm run build`: node bench/rate-limit.mjs [identities]
// Starts a redis-server of its own, on a free port; prints markdown. Takes two minutes, most of them
// waiting for windows to end; without identities (0), ten seconds.
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Redis } from 'ioredis';
import { createSessions } from '../dist/http/session.js';
import { generateToken, hashToken } from '../dist/keys/token.js';
import { createKeyVerifier } from '../dist/keys/verify.js';
import { createLimiter } from '../dist/rate-limit/limiter.js';
import { createMemoryCounter } from '../dist/rate-limit/memory-counter.js';
import { openCounter } from '../dist/rate-limit/open-counter.js';

const KEYS = 1_000;
const LIMIT = 1_000_000_000;
const now = Date.now;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const self = fileURLToPath(import.meta.url);

if (process.argv[2] === 'storm') {
  await storm(process.argv[3], process.argv[4]);
} else {
  await main(Number(process.argv[2] ?? 1_000_000));
}

async function main(identities) {
  const port = await findFreePort();
  const settings = [
    '--port',
    port,
    '--bind',
    '127.0.0.1',
    '--dir',
    tmpdir(),
    '--save',
    '',
    '--loglevel',
    'warning',
  ];
  const server = spawn('redis-server', settings.map(String), { stdio: 'ignore' });
  const redisUrl = `redis://127.0.0.1:${port}`;
  const redis = new Redis(redisUrl, { retryStrategy: () => 20 });
  redis.on('error', () => {});
  await redis.ping();
  try {
    await printCosts(redisUrl);
    await printStorms(redisUrl);
    if (identities > 0) {
      await printMemory(redisUrl, redis, identities);
    }
  } finally {
    redis.disconnect();
    server.kill('SIGKILL');
  }
}

async function printCosts(redisUrl) {
  const tokens = Array.from({ length: KEYS }, () => generateToken(randomBytes));
  const records = new Map(tokens.map((token, i) => [hashToken(token).toString('hex'), recordOf(token, i)]));
  const lookup = async (hashes) => hashes.flatMap((hash) => records.get(hash) ?? []);
  const verifier = createKeyVerifier({ lookup, now });
  const requests = tokens.map((token) => ({
    header: () => `Bearer ${token}`,
    address: '192.0.2.1',
  }));
  const remote = await open(redisUrl);
  const sessionsOf = (counter, limit = LIMIT) =>
    createSessions(verifier, createLimiter({ counter, limits: { standard: limit, premium: limit } }));
  const charge = (sessions) => async (i) => {
    const session = await sessions.begin(requests[i % KEYS]);
    await session.charge(1).catch(() => {});
  };
  const memory = sessionsOf(createMemoryCounter(now));
  const shared = sessionsOf(remote.counter);
  const spent = sessionsOf(remote.counter, 1);
  const rows = [
    ['authentication alone', '1', await time(200_000, 1, async (i) => memory.begin(requests[i % KEYS]))],
    ['authentication and limit, in memory', '1', await time(200_000, 1, charge(memory))],
    ['authentication and limit, on Redis', '1', await time(20_000, 1, charge(shared))],
    ['authentication and limit, on Redis', '100', await time(100_000, 100, charge(shared))],
    ['refused, on Redis, known to have nothing left', '1', await time(100_000, 1, charge(spent))],
  ];
  remote.close();
  printTable(['per request', 'at a time', 'µs'], rows);
}

function recordOf(token, i) {
  const hash = hashToken(token).toString('hex');
  const id = `key_${i}`;
  return {
    hash,
    id,
    family: id,
    name: id,
    tier: 'standard',
    disabled: false,
    expiresAt: null,
    policyAccepted: true,
  };
}

/** µs per piece of work, the median of five rounds after one to warm up. */
async function time(count, atATime, work) {
  const rounds = [];
  for (let round = 0; round < 6; round += 1) {
    let next = 0;
    const begun = performance.now();
    const worker = async () => {
      while (next < count / 5) {
        next += 1;
        await work(next);
      }
    };
    await Promise.all(Array.from({ length: atATime }, worker));
    rounds.push(((performance.now() - begun) * 1000) / next);
  }
  return rounds
    .slice(1)
    .sort((a, b) => a - b)[2]
    .toFixed(1);
}

async function printStorms(redisUrl) {
  const rows = [];
  for (const limit of [10, 60]) {
    const counter = createMemoryCounter(now);
    const answers = Array.from({ length: 1_000 }, () => counter.reserve('key:1', 1, limit));
    rows.push(['one process, in memory', limit, ...summary(answers)]);
  }
  for (const limit of [10, 60]) {
    const nodes = [1, 2].map(() => fork(self, ['storm', redisUrl, String(limit)]));
    await Promise.all(nodes.map((node) => once(node, 'message')));
    const reports = nodes.map((node) => once(node, 'message'));
    for (const node of nodes) {
      node.send('go');
    }
    const answers = (await Promise.all(reports)).flatMap(([report]) => report);
    rows.push(['two processes, on one Redis', limit, ...summary(answers)]);
  }
  printTable(['1,000 parallel requests', 'limit', 'admitted', 'different resets told'], rows);
}

/** One of the processes of a storm. */
async function storm(redisUrl, limit) {
  const { counter, close } = await open(redisUrl);
  process.once('message', async () => {
    const requests = Array.from({ length: 500 }, () => counter.reserve(`key:${limit}`, 1, Number(limit)));
    const answers = await Promise.all(requests);
    close();
    process.send(answers, () => process.disconnect());
  });
  process.send('ready');
}

function summary(answers) {
  const resets = new Set(answers.map(({ resetAt }) => resetAt));
  return [answers.filter(({ admitted }) => admitted).length, resets.size];
}

async function printMemory(redisUrl, redis, identities) {
  let at = 1_700_000_000_000;
  const memory = createMemoryCounter(() => at);
  const empty = heap();
  for (let i = 0; i < identities; i += 1) {
    memory.reserve(`address:${i}`, 1, 10);
  }
  const full = heap();
  at += 60_000;
  memory.reserve('address:0', 1, 10);
  const over = heap();

  const remote = await open(redisUrl);
  const emptyNode = heap();
  const emptyRedis = await usedMemory(redis);
  const begun = performance.now();
  for (let i = 0; i < identities; i += 100) {
    const batch = Array.from({ length: 100 }, (_, j) => remote.counter.reserve(`address:${i + j}`, 1, 10));
    await Promise.all(batch);
  }
  const seconds = (performance.now() - begun) / 1000;
  const fullNode = heap();
  const fullRedis = await usedMemory(redis);
  const windows = await redis.dbsize();
  // What no request comes to any more is removed by the server itself, bit by bit.
  await new Promise((resolve) => setTimeout(resolve, 75_000));
  const overRedis = await usedMemory(redis);
  const left = await redis.dbsize();
  remote.close();

  const mb = (bytes) => (bytes / 1e6).toFixed(1);
  printTable(
    [
      `${identities.toLocaleString('en')} identities seen`,
      'MB of the node',
      'MB of Redis',
      'MB when the windows are over',
    ],
    [
      ['in memory', mb(full - empty), '', mb(over - empty)],
      ['on Redis', mb(fullNode - emptyNode), mb(fullRedis - emptyRedis), mb(overRedis - emptyRedis)],
    ],
  );
  console.log(`On Redis: ${windows} windows after ${seconds.toFixed(0)} s, ${left} once they are over.\n`);
}

function heap() {
  collect();
  return process.memoryUsage().heapUsed;
}

async function usedMemory(redis) {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))[1]);
}

function open(redisUrl) {
  return openCounter({
    redisUrl,
    nodes: 2,
    now,
    onFallback: (_active, reason) => {
      throw new Error(`Redis failed: ${reason}`);
    },
    prefix: 'bench:',
  });
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function printTable(head, rows) {
  for (const cells of [head, head.map(() => '---'), ...rows]) {
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log();
}
