// How long it takes from the start of the process until /ready says 200, where data exists.
import { openDirectory } from '../lib/database.mjs';
import { progress } from '../lib/measure.mjs';
import { usageOf } from '../lib/processes.mjs';
import { median } from '../lib/random.mjs';
import { startTarget } from '../lib/targets.mjs';

const STARTS = 5;

export async function runReady({ rows, largeRows, categories }, open) {
  const places = [
    { place: 'PostgreSQL', rows, env: { DATABASE_URL: (await open(rows)).url } },
    {
      place: 'embedded',
      rows,
      env: { DATABASE_URL: '', DATA_DIR: await openDirectory(rows, categories) },
    },
  ];
  if (largeRows !== undefined) {
    places.push({ place: 'PostgreSQL', rows: largeRows, env: { DATABASE_URL: (await open(largeRows)).url } });
  }
  const results = [];
  for (const { place, rows, env } of places) {
    const times = [];
    let rss;
    for (let start = 0; start < STARTS; start += 1) {
      // Nobody works beside it.
      const server = await startTarget('revgate', env, '', null);
      times.push(server.readyMs);
      rss = usageOf(server.pid).rss;
      await server.stop();
    }
    const ms = median(times);
    results.push({ place, rows, ms, low: Math.min(...times), high: Math.max(...times), rss });
    progress(`ready on ${place} with ${rows} rows after ${ms.toFixed(0)} ms`);
  }
  return results;
}
