// How long the history of one startup and of ten takes, and what it costs, beside SQL written by hand.
import { peerSurfaces } from '../lib/cases.mjs';
import { checkAnswers } from '../lib/check.mjs';
import { openHistoryDatabase } from '../lib/history-database.mjs';
import { measure, progress } from '../lib/measure.mjs';
import { median } from '../lib/random.mjs';
import { startTarget } from '../lib/targets.mjs';

/** Of one startup, and of ten. */
const LOADS = ['H1', 'H10'];
/** Fewer than are answered, so that what is timed is not the queue. */
const STEADY_RATE = 20;
/** 1,000 requests: of 100, the p99 would be the slowest one. */
const STEADY_SECS = 50;
const FIGURES = ['perSecond', 'p50', 'p99', 'cpu', 'bytes'];

/** One result for each load and target: medians over the rounds. */
export async function runHistory({ rows, rounds, secs, warm, connections, targets }) {
  const database = await openHistoryDatabase(rows);
  const entrants = [
    { target: 'revgate', surface: 'graphql' },
    { target: 'rest-sql', surface: peerSurfaces['rest-sql'].history },
  ].filter(({ target }) => targets.includes(target));
  for (const entrant of entrants) {
    entrant.server = await startTarget(entrant.target, { DATABASE_URL: database.url });
    for (const load of LOADS) {
      await checkAnswers(entrant.server, entrant.surface, load, database);
      await measure(entrant.server, entrant.surface, load, database, { connections, seed: 900, secs: 8 });
    }
  }
  const results = [];
  for (const load of LOADS) {
    const runs = [];
    for (let round = 1; round <= rounds; round += 1) {
      for (const { target, server, surface } of entrants) {
        const run = await measure(server, surface, load, database, { secs, warm, connections, seed: round });
        runs.push({ target, ...run });
        progress(
          `${round}/${rounds} ${load} ${target}: ${run.perSecond.toFixed(0)}/s, p99 ${run.p99.toFixed(1)} ms`,
        );
      }
    }
    for (const { target, server, surface } of entrants) {
      const how = { secs: STEADY_SECS, warm, connections, rate: STEADY_RATE, seed: 99 };
      const steady = await measure(server, surface, load, database, how);
      const own = runs.filter((run) => run.target === target);
      const figures = FIGURES.map((figure) => [figure, median(own.map((run) => run[figure]))]);
      results.push({
        load,
        target,
        rows,
        ...Object.fromEntries(figures),
        steady: { rate: STEADY_RATE, p50: steady.p50, p99: steady.p99 },
      });
    }
  }
  for (const { server } of entrants) {
    await server.stop();
  }
  await database.client.end();
  return results;
}
