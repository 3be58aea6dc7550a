// What a request costs as the rows grow, and as the page lies deeper.
import { peerSurfaces } from '../lib/cases.mjs';
import { measure, progress } from '../lib/measure.mjs';
import { median } from '../lib/random.mjs';
import { startTarget } from '../lib/targets.mjs';

const LOADS = ['W1', 'W2', 'W3', 'W5'];
/** Percent of an unfiltered list: the first page, its middle, almost its end. */
export const DEPTHS = [0, 50, 90];
const SECS = 2;
const ROUNDS = 3;
const surfaces = { revgate: ['graphql', 'rest'], 'rest-sql': [peerSurfaces['rest-sql'].graphql] };

export async function runGrowth({ rows, largeRows, targets, connections, secs, rounds }, open) {
  const sizes = [...new Set([10_000, rows, largeRows ?? rows])].sort((a, b) => a - b);
  const results = [];
  for (const size of sizes) {
    const database = await open(size);
    for (const target of Object.keys(surfaces).filter((name) => targets.includes(name))) {
      const server = await startTarget(target, { DATABASE_URL: database.url });
      for (const surface of surfaces[target]) {
        for (const load of [...LOADS, ...DEPTHS.map((depth) => `D${depth}`)]) {
          // The peer's slowest answers take seconds each, and differ by orders of magnitude: once will do.
          const times = target === 'rest-sql' ? 1 : Math.min(rounds, ROUNDS);
          const runs = [];
          for (let seed = 1; seed <= times; seed += 1) {
            const how = { connections, secs: Math.min(secs, SECS), warm: seed === 1 ? 1 : 0, seed };
            runs.push(await measure(server, surface, load, database, how));
          }
          const of = (figure) => median(runs.map((run) => run[figure]));
          const micros = 1e6 / of('perSecond');
          results.push({ target, surface, rows: size, load, micros, cpu: of('cpu') });
          progress(`${size} rows, ${load}, ${target} ${surface}: ${micros.toFixed(0)} µs`);
        }
      }
      await server.stop();
    }
  }
  return results;
}
