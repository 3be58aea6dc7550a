// Requests per second of the gateway and its peers, in alternating rounds.
import { chosenCases } from '../lib/cases.mjs';
import { median } from '../lib/random.mjs';
import { ratioOf, runRounds } from '../lib/rounds.mjs';
import { startTarget } from '../lib/targets.mjs';

/** Runs every case of the options; one result per case. */
export async function runLoads(options, open) {
  const results = [];
  for (const size of ['base', 'large']) {
    const cases = chosenCases(options).filter((one) => one.size === size);
    if (cases.length > 0) {
      const database = await open(size === 'base' ? options.rows : options.largeRows);
      const servers = {};
      for (const name of options.targets) {
        servers[name] = { database, server: await startTarget(name, { DATABASE_URL: database.url }) };
      }
      for (const { id, surface, load } of cases) {
        const runs = await runRounds(servers, surface, load, options);
        results.push({ id, surface, load, rows: database.rows, ...summarise(runs), runs });
      }
      for (const { server } of Object.values(servers)) {
        await server.stop();
      }
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
  const peers = 'revgate' in runs ? Object.keys(runs).filter((name) => name !== 'revgate') : [];
  const ratios = peers.map((peer) => [peer, ratioOf(runs, 'perSecond', 'revgate', peer)]);
  return { targets: Object.fromEntries(targets), ratios: Object.fromEntries(ratios) };
}
