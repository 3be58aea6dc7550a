// What a warm request costs: CPU time beside an earlier commit and the peer, and how many of our functions it calls.
import { peerSurfaces } from '../lib/cases.mjs';
import { ask, checkAnswers } from '../lib/check.mjs';
import { openCheckout } from '../lib/checkouts.mjs';
import { openDatabase } from '../lib/database.mjs';
import { measure, progress } from '../lib/measure.mjs';
import { createStream } from '../lib/operations.mjs';
import { PROJECT } from '../lib/processes.mjs';
import { median } from '../lib/random.mjs';
import { countCalls, startCheckout, startTarget } from '../lib/targets.mjs';

const SMALL = 2_000;
/** A list and a detail. */
const LOADS = ['W1', 'W3'];
const SURFACES = ['graphql', 'rest'];

/** One result for each size, surface and load. */
export async function runPath(options) {
  const before = openCheckout(options.before);
  const results = [];
  for (const rows of [SMALL, options.rows]) {
    const database = await openDatabase(rows, options.categories);
    const older = await openDatabase(rows, options.categories, before);
    const contestants = {
      now: { database, start: (nodeOptions) => startCheckout('now', PROJECT, database, nodeOptions) },
      before: {
        database: older,
        start: (nodeOptions) => startCheckout('before', before, older, nodeOptions),
      },
      'rest-sql': { database, start: () => startTarget('rest-sql', { DATABASE_URL: database.url }) },
    };
    const counted = {};
    for (const name of ['now', 'before']) {
      counted[name] = await countFunctions(contestants[name]);
    }
    for (const contestant of Object.values(contestants)) {
      contestant.server = await contestant.start();
    }
    for (const surface of SURFACES) {
      for (const load of LOADS) {
        const cpu = await measureCpu(contestants, surface, load, options);
        const functions = Object.fromEntries(
          Object.entries(counted).map(([name, counts]) => [name, counts[`${surface}-${load}`]]),
        );
        results.push({ rows, surface, load, cpu, functions });
      }
    }
    for (const { server } of Object.values(contestants)) {
      await server.stop();
    }
    await database.client.end();
    await older.client.end();
  }
  return results;
}

/** µs of CPU time per request of each contestant in each round, in turn. */
async function measureCpu(contestants, surface, load, { rounds, secs, warm, connections }) {
  const surfaceOf = (name) => (name === 'rest-sql' ? peerSurfaces['rest-sql'][surface] : surface);
  const entries = Object.entries(contestants);
  for (const [name, { server, database }] of entries) {
    await checkAnswers(server, surfaceOf(name), load, database);
    await measure(server, surfaceOf(name), load, database, { connections, seed: 900, secs: 8 });
  }
  const cpu = Object.fromEntries(entries.map(([name]) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, { server, database }] of round % 2 === 1 ? entries : entries.toReversed()) {
      const run = await measure(server, surfaceOf(name), load, database, {
        secs,
        warm,
        connections,
        seed: round,
      });
      cpu[name].push(run.cpu);
    }
    const figures = entries.map(([name]) => `${name} ${cpu[name].at(-1).toFixed(0)} µs`).join(', ');
    progress(`${round}/${rounds} ${surface}-${load}: ${figures}`);
  }
  return cpu;
}

const WARM_REQUESTS = 200;
const COUNTED_REQUESTS = 9;

/** The functions that one warm request of each kind calls. Of several requests, the one beside the least other work. */
async function countFunctions({ database, start }) {
  const server = await start(countCalls);
  const counts = {};
  for (const surface of SURFACES) {
    for (const load of LOADS) {
      const next = createStream(load, { ...database, seed: 5 });
      for (let request = 0; request < WARM_REQUESTS; request += 1) {
        await ask(server, surface, next(), database.key);
      }
      const tries = [];
      for (let request = 0; request < COUNTED_REQUESTS; request += 1) {
        await server.askAbout();
        await ask(server, surface, next(), database.key);
        tries.push(await server.askAbout());
      }
      const called = tries.sort((a, b) => a.length - b.length)[0];
      counts[`${surface}-${load}`] = {
        functions: called.length,
        files: new Set(called.map(({ file }) => file)).size,
        calls: called.reduce((sum, { count }) => sum + count, 0),
        called,
      };
    }
  }
  await server.stop();
  return counts;
}

/** The CPU time of the first contestant divided by that of the second: the median of the rounds. */
export function cpuRatio(cpu, name, other) {
  return median(cpu[name].map((micros, round) => micros / cpu[other][round]));
}
