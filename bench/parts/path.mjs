// What a warm request costs: CPU time beside another checkout and the peers, and how many of our functions it calls.
import { peerSurfaces } from '../lib/cases.mjs';
import { ask } from '../lib/check.mjs';
import { openDatabase } from '../lib/database.mjs';
import { createStream } from '../lib/operations.mjs';
import { PROJECT } from '../lib/processes.mjs';
import { runRounds } from '../lib/rounds.mjs';
import { surfaces } from '../lib/surfaces.mjs';
import { countCalls, startCheckout, startTarget } from '../lib/targets.mjs';

const SMALL = 2_000;
/** A list and a detail. */
const LOADS = ['W1', 'W3'];
const SURFACES = ['graphql', 'rest'];

/** One result for each size, surface and load. */
export async function runPath(options) {
  const before = options.before ? `${options.before}/` : undefined;
  const results = [];
  for (const rows of new Set([SMALL, options.rows])) {
    const database = await openDatabase(rows);
    const older = before && (await openDatabase(rows, before));
    const contestants = {
      now: { database, start: (nodeOptions) => startCheckout('now', PROJECT, database, nodeOptions) },
      ...(before && {
        before: {
          database: older,
          start: (nodeOptions) => startCheckout('before', before, older, nodeOptions),
        },
      }),
      ...Object.fromEntries(
        Object.keys(peerSurfaces).map((name) => [
          name,
          { database, start: () => startTarget(name, { DATABASE_URL: database.url }) },
        ]),
      ),
    };
    const counted = {};
    for (const name of before ? ['now', 'before'] : ['now']) {
      counted[name] = await countFunctions(contestants[name]);
    }
    for (const contestant of Object.values(contestants)) {
      contestant.server = await contestant.start();
    }
    for (const surface of SURFACES) {
      for (const load of LOADS) {
        const runs = await runRounds(contestants, surface, load, options);
        const functions = Object.fromEntries(
          Object.entries(counted).map(([name, counts]) => [name, counts[`${surface}-${load}`]]),
        );
        results.push({ rows, surface, load, runs, functions });
      }
    }
    for (const { server } of Object.values(contestants)) {
      await server.stop();
    }
    await database.client.end();
    await older?.client.end();
  }
  return results;
}

const WARM_REQUESTS = 200;
const COUNTED_REQUESTS = 25;

/**
 * The functions that one warm request of each kind calls. Of several requests, the one beside the least other work; lists
 * without a record are not counted.
 */
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
        const { text } = await ask(server, surface, next(), database.key);
        const called = await server.askAbout();
        if (surfaces[surface].read(JSON.parse(text)).slugs?.length !== 0) {
          tries.push(called);
        }
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
