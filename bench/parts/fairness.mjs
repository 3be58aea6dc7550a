// How long the lists of one key take while five other premium keys spend their whole limit on histories.
import { Agent, request } from 'node:http';
import { createKey } from '../lib/database.mjs';
import { openHistoryDatabase } from '../lib/history-database.mjs';
import { progress } from '../lib/measure.mjs';
import { delay, usageOf } from '../lib/processes.mjs';
import { startTarget } from '../lib/targets.mjs';

const OTHERS = 5;
/** The limit of a premium key, in reads. */
const LIMIT = 60;
/** Between two lists, in ms. */
const PAUSE_MS = 2;
const QUIET_MS = 3_000;

const LIST = '{ startups { meta { total } page { slug name revenue { last30Days } } } }';
const POINT =
  'fragment P on StartupPoint { day revenue { last30Days mrr total } customers activeSubscriptions askingPrice onSale }';

/** What each of the other keys sends at the same time, to its whole limit. */
const loads = {
  'one list of 59 histories': () => {
    const fields = Array.from({ length: LIMIT - 1 }, (_, index) => `h${index}: history { ...P }`);
    return [`{ startups { page { slug ${fields.join(' ')} } } } ${POINT}`];
  },
  '30 lists of a history': () =>
    Array.from(
      { length: LIMIT / 2 },
      (_, index) => `{ startups(page: ${index + 1}) { page { slug history { ...P } } } } ${POINT}`,
    ),
};

/** One result for each load, and one without any. */
export async function runFairness({ rows, rounds }) {
  const database = await openHistoryDatabase(rows);
  const keys = [];
  for (let count = 0; count < OTHERS; count += 1) {
    keys.push(await createKey({ DATABASE_URL: database.url }));
  }
  const server = await startTarget('revgate', { DATABASE_URL: database.url });
  const post = createClient(server.port);
  // On a connection of its own: Node accepts one connection in a turn of the event loop.
  const target = { pid: server.pid, post: createClient(server.port) };
  await askLists(target, database.key, delay(QUIET_MS));
  const results = [
    { load: 'nothing', rows, ...summarize(await askLists(target, database.key, delay(QUIET_MS))) },
  ];
  for (const [load, operations] of Object.entries(loads)) {
    const runs = [];
    for (let round = 0; round < rounds; round += 1) {
      const answers = keys.flatMap((key) => operations().map((query) => post(key, query)));
      runs.push(await askLists(target, database.key, Promise.all(answers)));
    }
    results.push({ load, rows, ...summarize(runs.flat()) });
  }
  for (const { load, p50, max, maxCpu } of results) {
    progress(
      `Lists beside ${load}: p50 ${p50.toFixed(1)} ms, longest ${max.toFixed(0)} ms, ${maxCpu} ms of CPU time`,
    );
  }
  await server.stop();
  await database.client.end();
  return results;
}

/**
 * Lists that are requested one after another until something else has ended: how long each takes, and how much CPU time
 * the server uses meanwhile, in ms. Other programs on the machine change only the first.
 */
async function askLists({ pid, post }, key, end) {
  let isOver = false;
  const others = end.finally(() => {
    isOver = true;
  });
  const lists = [];
  while (!isOver) {
    const { cpuMs } = usageOf(pid);
    const ms = await post(key, LIST);
    lists.push({ ms, cpu: usageOf(pid).cpuMs - cpuMs });
    await delay(PAUSE_MS);
  }
  await others;
  return lists;
}

/** Sends operations; each takes so many ms until its whole response has arrived. */
function createClient(port) {
  const agent = new Agent({ keepAlive: true });
  return (key, query) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const sent = request(
        { host: '127.0.0.1', port, path: '/graphql', method: 'POST', agent, headers },
        (response) => {
          if (response.statusCode !== 200) {
            reject(new Error(`The gateway answered with ${response.statusCode}.`));
          }
          response.resume();
          response.once('end', () => resolve(performance.now() - startedAt));
        },
      );
      sent.once('error', reject);
      sent.end(JSON.stringify({ query }));
    });
}

function summarize(lists) {
  const times = lists.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return {
    lists: lists.length,
    p50: times[times.length >> 1],
    max: times.at(-1),
    maxCpu: Math.max(...lists.map(({ cpu }) => cpu)),
  };
}
