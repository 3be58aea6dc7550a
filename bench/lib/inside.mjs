// The gateway's parts, taken from the build and put together as its own app does, to be timed one by one.
import { readFileSync } from 'node:fs';
import { openDatabase } from '../../dist/db/open.js';
import { createEngine } from '../../dist/graphql/engine.js';
import { openApp } from '../../dist/http/app.js';
import { createSessions } from '../../dist/http/session.js';
import { createKeyLookup } from '../../dist/keys/lookup.js';
import { loadPolicy } from '../../dist/keys/policy.js';
import { createKeyVerifier } from '../../dist/keys/verify.js';
import { createLifecycle } from '../../dist/lifecycle.js';
import { createLimiter } from '../../dist/rate-limit/limiter.js';
import { createMemoryCounter } from '../../dist/rate-limit/memory-counter.js';
import { createRestRecords } from '../../dist/rest/records.js';
import { openCatalogue } from '../../dist/startups/catalogue/live.js';
import { createStartupRows } from '../../dist/startups/rows.js';
import { createStartups } from '../../dist/startups/startups.js';
import { PROJECT } from './processes.mjs';

const LIMIT = 1_000_000_000;
const now = Date.now;

/** Everything but the server, on a database; of `caches` as much is kept. */
export async function openParts(url, caches) {
  const lifecycle = createLifecycle();
  const fail = (error) => {
    throw error;
  };
  const database = await openDatabase({ kind: 'server', url }, fail);
  lifecycle.onClose(() => database.close());
  const catalogue = await openCatalogue({ connect: () => database.threadConnection(), now, onFault: fail });
  lifecycle.onClose(() => catalogue.close());
  const limits = { standard: LIMIT, premium: LIMIT };
  const handle = await openApp({
    database,
    policy: loadPolicy(readFileSync(`${PROJECT}docs/policy.md`, 'utf8')),
    limits,
    embedLimit: LIMIT,
    caches,
    logger: { info() {}, warn: console.error, error: console.error },
    now,
    lifecycle,
  });
  const verifier = createKeyVerifier({ lookup: createKeyLookup(database.pool), now });
  verifier.notify('1');
  return {
    handle,
    sessions: createSessions(verifier, createLimiter({ counter: createMemoryCounter(now), limits })),
    startups: createStartups({
      reader: createStartupRows({ pool: database.pool, capacity: caches.rows }),
      catalogue,
    }),
    restStartups: createStartups({
      reader: createRestRecords({
        rows: createStartupRows({ pool: database.pool, capacity: caches.rows }),
        capacity: caches.records,
      }),
      catalogue,
    }),
    catalogue: catalogue.current(),
    execute: createEngine((error) => fail(error)),
    close: () => lifecycle.close(),
  };
}

/** What `call` asks of the startups, and what it is given: to be asked, or given, again. */
export async function recordReads(startups, call) {
  const reads = [];
  const recording = new Proxy(startups, {
    get:
      (target, method) =>
      (...args) => {
        const given = target[method](...args);
        reads.push({ method, args, given });
        return given;
      },
  });
  const result = await call(recording);
  for (const read of reads) {
    read.given = await read.given;
  }
  return { reads, result };
}

/** Startups that answer at once what they answered before. */
export function replay(reads) {
  let next = 0;
  return new Proxy({}, { get: () => async () => reads[next++ % reads.length].given });
}
