// Requests per second of the gateway and its peers, in alternating rounds.
import { chosenCases, peerSurfaces, searchCases } from '../lib/cases.mjs';
import { checkAnswers } from '../lib/check.mjs';
import { measure, progress } from '../lib/measure.mjs';
import { median } from '../lib/random.mjs';
import { startTarget } from '../lib/targets.mjs';
import { SEARCH_TABLE } from '../peers/sql.mjs';

/** Runs every case of the options; one result per case. */
export async function runLoads(options, open) {
  const results = [];
  for (const size of ['base', 'large']) {
    const cases = chosenCases(options).filter((one) => one.size === size);
    if (cases.length > 0) {
      const database = await open(size === 'base' ? options.rows : options.largeRows);
      results.push(...(await runCases(cases, database, options)));
    }
  }
  return results;
}

/** The same for searches. */
export async function runSearch(options, open) {
  const database = await open(options.rows);
  await database.client.query(SEARCH_TABLE);
  return runCases(searchCases, database, options);
}

async function runCases(cases, database, options) {
  const env = { DATABASE_URL: database.url };
  const servers = new Map();
  const names = options.targets.filter(
    (name) => name === 'revgate' || cases.some(({ goals }) => goals[name] !== undefined),
  );
  for (const name of names) {
    servers.set(name, await startTarget(name, env));
  }
  const contests = cases.map((one) => ({ ...one, entrants: entrantsOf(one, servers) }));
  const check = async () => {
    for (const { load, entrants } of contests) {
      for (const { server, surface } of entrants) {
        await checkAnswers(server, surface, load, database);
      }
    }
  };
  await check();
  progress('every target answers as SQL does');
  for (const { load, entrants } of contests) {
    for (const { server, surface } of entrants) {
      // V8 compiles beside requests, on the same core: a slow one needs several seconds.
      await measure(server, surface, load, database, {
        connections: options.connections,
        seed: 900,
        secs: 8,
      });
    }
  }
  const runs = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { id, load, entrants } of contests) {
      // Whoever began the last round ends this one.
      const order = entrants.map((_, index) => entrants[(index + round) % entrants.length]);
      for (const { server, surface } of order) {
        const { secs, warm, connections } = options;
        const how = { secs, warm, connections, seed: round };
        const run = await measure(server, surface, load, database, how);
        runs.push({ id, round, target: server.name, ...run });
        progress(`${round}/${options.rounds} ${id} ${server.name}: ${run.perSecond.toFixed(0)}/s`);
      }
    }
  }
  await check();
  for (const server of servers.values()) {
    await server.stop();
  }
  return contests.map((contest) => summarise(contest, runs, database.rows));
}

function entrantsOf({ surface, goals }, servers) {
  return [...servers].flatMap(([name, server]) => {
    if (name === 'revgate') {
      return [{ server, surface }];
    }
    return goals[name] === undefined ? [] : [{ server, surface: peerSurfaces[name][surface] }];
  });
}

function summarise({ id, title, surface, load, goals, entrants }, runs, rows) {
  const own = runs.filter((run) => run.id === id);
  const names = entrants.map(({ server }) => server.name);
  const targets = Object.fromEntries(
    names.map((name) => {
      const mine = own.filter(({ target }) => target === name);
      const { id: _, round: __, target: ___, ...figures } = mine[0];
      const medians = Object.keys(figures).map((figure) => [figure, median(mine.map((run) => run[figure]))]);
      return [name, Object.fromEntries(medians)];
    }),
  );
  const perRound = (name) => own.filter(({ target }) => target === name).map(({ perSecond }) => perSecond);
  const ratios = Object.entries(goals)
    .filter(([peer]) => names.includes(peer) && names.includes('revgate'))
    .map(([peer, must]) => {
      const theirs = perRound(peer);
      const values = perRound('revgate').map((value, round) => value / theirs[round]);
      const [ratio, low, high] = [median(values), Math.min(...values), Math.max(...values)];
      return { peer, must, ratio, low, high };
    });
  return { id, title, surface, load, rows, ratios, targets, runs: own };
}
