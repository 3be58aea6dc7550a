// Requests per second of the gateway and its peers, in alternating rounds.
import { PROJECT, startGateway, startPeer } from '../lib/processes.mjs';
import { median, ratioOf, runRounds } from '../lib/rounds.mjs';

const CASES = 'graphql-W1 graphql-W2 graphql-W3 graphql-W5 rest-W1 rest-W2 rest-W3'.split(' ');
const LARGE_CASES = 'graphql-W1 graphql-W2 graphql-W3 rest-W3'.split(' ');

/** Runs every case of the options; one result per case. */
export async function runLoads(options, open) {
  const results = [];
  for (const [index, ids] of [CASES, LARGE_CASES].entries()) {
    const rows = [options.rows, options.largeRows][index];
    const isChosen = (id) => options.loads.length === 0 || options.loads.some((load) => id.endsWith(load));
    const chosen = rows === undefined ? [] : ids.filter(isChosen);
    const database = chosen.length > 0 && (await open(rows));
    const start = async () => ({
      revgate: { database, server: await startGateway('revgate', PROJECT, database, { LOG_LEVEL: 'warn' }) },
      'rest-sql': { database, server: await startPeer(database) },
    });
    const servers = database ? await start() : {};
    for (const id of chosen) {
      const [surface, load] = id.split('-');
      const runs = await runRounds(servers, surface, load, options);
      results.push({ id, surface, load, rows, ...summarise(runs), runs });
    }
    for (const { server } of Object.values(servers)) {
      await server.stop();
    }
  }
  return results;
}

/** The medians of each target, and the ratios to each peer. */
function summarise(runs) {
  const medianOf = (own, figure) => median(own.map((run) => run[figure]));
  const targets = Object.entries(runs).map(([name, own]) => [
    name,
    Object.fromEntries(Object.keys(own[0]).map((figure) => [figure, medianOf(own, figure)])),
  ]);
  const ratios = { 'rest-sql': ratioOf(runs, 'perSecond', 'revgate', 'rest-sql') };
  return { targets: Object.fromEntries(targets), ratios };
}
