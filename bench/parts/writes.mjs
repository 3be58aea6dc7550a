// With one change a second: how long requests take, and what the process holds.
import { startWrites } from '../lib/database.mjs';
import { measure, progress } from '../lib/measure.mjs';
import { startTarget } from '../lib/targets.mjs';

const LOADS = ['W1', 'W2', 'W3'];
// A hundredth of the requests of so long is more than what one refresh or collection delays.
const LATENCY_SECS = 5;
// After so long the code is compiled, and memory knows what it will know.
const WARMING_SECS = 8;

/** Latency and memory at each number of rows. */
export async function runWrites(options, open) {
  const sizes = [options.rows, options.largeRows].filter((rows) => rows !== undefined);
  const latency = [];
  for (const rows of sizes) {
    latency.push(...(await runLatency(options, await open(rows))));
  }
  // What the machine makes of an answer that costs nothing.
  const server = await startTarget('constant', {});
  const { secs, connections } = options;
  const how = { secs, connections, warm: 2 };
  const floor = await measure(server, 'constant', 'W1', await open(options.rows), how);
  await server.stop();
  return { latency, floor };
}

async function runLatency({ secs: shortest, connections }, database) {
  const results = [];
  const { url, rows } = database;
  const secs = Math.max(shortest, LATENCY_SECS);
  for (const surface of ['graphql', 'rest']) {
    for (const load of LOADS) {
      const put = (server, how) => measure(server, surface, load, database, { connections, secs, ...how });
      const withWrites = async (work) => {
        const writes = startWrites(url, rows);
        const result = await work();
        await writes.stop();
        return result;
      };
      const server = await startTarget('revgate', { DATABASE_URL: url });
      const known = {
        ...(await withWrites(async () => ({
          // The code is compiled, and none of the lists that are asked for then has been asked for before.
          cold: await put(server, { before: `${load}x`, warm: WARMING_SECS, seed: 2 }),
          writing: await put(server, { warm: WARMING_SECS, seed: 3 }),
        }))),
        quiet: await put(server, { warm: 1, seed: 4 }),
      };
      await server.stop();
      results.push({ rows, surface, load, ...known });
      const reported = { cold: known.cold, warm: known.writing };
      const p99 = Object.entries(reported).map(([name, run]) => `${name} ${run.p99.toFixed(1)}`);
      progress(`${rows} rows, ${surface} ${load}, a write a second: p99 in ms: ${p99.join(', ')}`);
    }
  }
  return results;
}
