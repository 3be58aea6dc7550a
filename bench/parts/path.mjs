// What a warm request costs: CPU time beside another checkout and the peers, and how many of our functions it calls.
import { createStream } from '../lib/operations.mjs';
import { PROJECT, startGateway, startPeer } from '../lib/processes.mjs';
import { ask, runRounds } from '../lib/rounds.mjs';
import { surfaces } from '../lib/surfaces.mjs';

const SMALL = 2_000;
/** A list and a detail over each surface. */
const CASES = ['graphql', 'rest'].flatMap((surface) => ['W1', 'W3'].map((load) => ({ surface, load })));
const WARM_REQUESTS = 200;
const COUNTED_REQUESTS = 25;
/** Node options that let a server tell which of its functions were called. */
const COUNT_CALLS = `--import=${new URL('../lib/called-functions.mjs', import.meta.url).href}`;

/** One result for each size, surface and load. */
export async function runPath(options, open) {
  const checkouts = { now: PROJECT, ...(options.before && { before: `${options.before}/` }) };
  const results = [];
  for (const rows of new Set([SMALL, options.rows])) {
    const servers = {};
    const counted = {};
    for (const [name, project] of Object.entries(checkouts)) {
      const database = await open(rows, project);
      const counting = await startGateway(name, project, database, { NODE_OPTIONS: COUNT_CALLS });
      counted[name] = await countFunctions(database, counting);
      servers[name] = { database, server: await startGateway(name, project, database) };
    }
    const { database } = servers.now;
    servers['rest-sql'] = { database, server: await startPeer(database) };
    for (const { surface, load } of CASES) {
      const runs = await runRounds(servers, surface, load, options);
      const [now, before] = ['now', 'before'].map((name) => counted[name]?.[`${surface}-${load}`]);
      results.push({ rows, surface, load, runs, functions: { now, before } });
    }
    for (const { server } of Object.values(servers)) {
      await server.stop();
    }
  }
  return results;
}

/**
 * The functions that one warm request of each kind calls. Of several requests, the one beside the least other work; lists
 * without a record are not counted.
 */
async function countFunctions(database, server) {
  const counts = {};
  for (const { surface, load } of CASES) {
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
  await server.stop();
  return counts;
}
