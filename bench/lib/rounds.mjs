import { peerSurfaces } from './cases.mjs';
import { checkAnswers } from './check.mjs';
import { measure, progress } from './measure.mjs';
import { median } from './random.mjs';

/**
 * Puts one load on several servers in alternating rounds.
 *
 * @param servers by name, each with its `server` and its `database`.
 * @returns by name, what measure() gives for each round.
 * @throws when a server answers otherwise than SQL does, before or afterwards.
 */
export async function runRounds(servers, surface, load, { rounds, secs, warm, connections }) {
  const entries = Object.entries(servers).map(([name, { server, database }]) => {
    const put = (how) =>
      measure(server, peerSurfaces[name]?.[surface] ?? surface, load, database, { connections, ...how });
    const check = () => checkAnswers(server, peerSurfaces[name]?.[surface] ?? surface, load, database);
    return { name, put, check };
  });
  for (const { put, check } of entries) {
    await check();
    // V8 compiles beside requests, on the same core: a slow one needs several seconds.
    await put({ seed: 900, secs: 8 });
  }
  const runs = Object.fromEntries(entries.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    // Whoever began the last round ends this one.
    for (const { name, put } of round % 2 === 1 ? entries : entries.toReversed()) {
      const run = await put({ secs, warm, seed: round });
      runs[name].push(run);
      const figures = `${run.perSecond.toFixed(0)}/s, ${run.cpu.toFixed(0)} µs`;
      progress(`${round}/${rounds} ${surface}-${load} ${name}: ${figures}`);
    }
  }
  for (const { check } of entries) {
    await check();
  }
  return runs;
}

/** A figure of one server divided by that of another in the same round: median, lowest and highest. */
export function ratioOf(runs, figure, name, other) {
  const values = runs[name].map((run, round) => run[figure] / runs[other][round][figure]);
  return [median(values), Math.min(...values), Math.max(...values)];
}
