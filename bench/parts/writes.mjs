// With one change a second: how long requests take, what the process holds, and how long a refresh of
// the catalogue keeps the others waiting.
import { startWrites } from '../lib/database.mjs';
import { measure, progress } from '../lib/measure.mjs';
import { startTarget, watchStalls } from '../lib/targets.mjs';

const LOADS = ['W1', 'W2', 'W3'];
const FRESH_SECS = 2;
// Every row comes from the database.
const NOTHING_KEPT = { ROW_CACHE: '0', RECORD_CACHE: '0', ANSWER_CACHE: '0' };
// After so long the code is compiled, and memory knows what it will know.
const WARMING_SECS = 8;
// Few enough that requests do not wait for each other.
const LIGHT = { connections: 4, rate: 400 };
const REFRESH_SECS = 10;

/** Latency and memory at each number of rows, longest stalls at the largest. */
export async function runWrites(options, open) {
  const sizes = [options.rows, options.largeRows].filter((rows) => rows !== undefined);
  const latency = [];
  for (const rows of sizes) {
    latency.push(...(await runLatency(options, await open(rows))));
  }
  const database = await open(sizes.at(-1));
  return { latency, floor: await runFloor(options, database), stalls: await runStalls(database) };
}

/** What the machine makes of an answer that costs nothing. */
async function runFloor({ secs, connections }, database) {
  const server = await startTarget('constant', {});
  const floor = await measure(server, 'rest', 'W1', database, { secs, connections, warm: 2 });
  await server.stop();
  return floor;
}

async function runLatency({ secs, connections }, database) {
  const { url, rows } = database;
  const results = [];
  for (const surface of ['graphql', 'rest']) {
    for (const load of LOADS) {
      const put = (server, how) => measure(server, surface, load, database, { connections, ...how });
      const server = await startTarget('revgate', { DATABASE_URL: url });
      const writes = startWrites(url, rows);
      const fresh = await put(server, { secs: FRESH_SECS });
      const writing = await put(server, { secs, warm: WARMING_SECS, seed: 2 });
      await writes.stop();
      const quiet = await put(server, { secs, seed: 3 });
      await server.stop();
      const forgetful = await startTarget('revgate', { DATABASE_URL: url, ...NOTHING_KEPT });
      const moreWrites = startWrites(url, rows);
      const cold = await put(forgetful, { secs, warm: WARMING_SECS, seed: 2 });
      await moreWrites.stop();
      await forgetful.stop();
      results.push({ rows, surface, load, fresh, cold, writing, quiet });
      progress(
        `${rows} rows, ${surface} ${load}, a write a second: p99 ${writing.p99} ms, ${cold.p99} with nothing kept`,
      );
    }
  }
  return results;
}

/** The longest request and the longest turn of the event loop, without and with refreshes. */
async function runStalls(database) {
  const server = await startTarget('revgate', { DATABASE_URL: database.url }, watchStalls);
  const results = [];
  for (const surface of ['graphql', 'rest']) {
    const put = async (how) => {
      await server.longestStall();
      const { max, p99 } = await measure(server, surface, 'W1', database, { ...LIGHT, ...how });
      return { longestRequest: max, p99, longestStall: await server.longestStall() };
    };
    await measure(server, surface, 'W1', database, { secs: 3 });
    const quiet = await put({ secs: REFRESH_SECS });
    const writes = startWrites(database.url, database.rows);
    const refreshing = await put({ secs: REFRESH_SECS, seed: 2 });
    await writes.stop();
    results.push({ rows: database.rows, surface, quiet, refreshing });
    progress(`${surface}: longest request ${refreshing.longestRequest} ms while the catalogue is refreshed`);
  }
  await server.stop();
  return results;
}
