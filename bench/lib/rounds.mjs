// Puts one load on several servers in alternating rounds. Nobody is timed who answers wrongly: the same slugs in the
// same order and the same total as SQL gives.
import { fileURLToPath } from 'node:url';
import { countStatement, listStatement } from '../peers/sql.mjs';
import { drain } from './database.mjs';
import { createStream } from './operations.mjs';
import { CLIENT_CORE, delay, readToEnd, spawnOn, usageOf } from './processes.mjs';
import { peerSurfaces, surfaces } from './surfaces.mjs';

const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url));
const SAMPLES = 8;

/**
 * Puts one load on several servers in alternating rounds.
 *
 * @param servers by name, each with its `server` and its `database`.
 * @returns by name, what client.mjs prints for each round.
 * @throws when a server answers otherwise than SQL does, before or afterwards.
 */
export async function runRounds(servers, surface, load, { rounds, secs, warm, connections }) {
  const entries = Object.entries(servers).map(([name, { server, database }]) => {
    const own = peerSurfaces[name]?.[surface] ?? surface;
    const put = (how) => measure(server, own, load, database, { connections, warm, ...how });
    return { name, put, check: () => checkAnswers(server, own, load, database) };
  });
  for (const { put, check } of entries) {
    await check();
    // V8 compiles beside requests, on the same core: a slow one needs several seconds.
    await put({ seed: 900, secs: 8, warm: 0 });
  }
  const runs = Object.fromEntries(entries.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    // Whoever began the last round ends this one.
    for (const { name, put } of round % 2 === 1 ? entries : entries.toReversed()) {
      const run = await put({ secs, seed: round });
      runs[name].push(run);
      const figures = `${run.perSecond.toFixed(0)}/s, ${run.cpu.toFixed(0)} µs`;
      progress(`${round}/${rounds} ${surface}-${load} ${name}: ${figures}`);
    }
  }
  await Promise.all(entries.map(({ check }) => check()));
  return runs;
}

/** Puts a load on a server for `secs` seconds, after `warm` that do not count; another seed asks for other operations. */
async function measure({ port, pid, name }, surface, load, { client, slugsFile, key }, how) {
  // Until a server has done with what an earlier client has left: a tick is 10 ms, and it also looks for changes.
  for (let tries = 0, before = 0; tries < 100 && usageOf(pid).cpuMs - before > 20; tries += 1) {
    before = usageOf(pid).cpuMs;
    await delay(100);
  }
  await drain(client);
  const settings = { port, pid, surface, load, slugsFile, key, ...how };
  const child = spawnOn(['node', CLIENT, JSON.stringify(settings)], {
    core: CLIENT_CORE,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { errors, statuses, ...figures } = JSON.parse(await readToEnd(child, `${load} on ${name}`));
  if (errors > 0 || Object.keys(statuses).length > 0) {
    throw new Error(
      `${load} on ${name}: ${errors} connections failed, and by status ${JSON.stringify(statuses)}`,
    );
  }
  return figures;
}

/** Sends one operation. */
export async function ask({ port }, surface, operation, key) {
  const { path, headers, ...request } = surfaces[surface].request(operation);
  const authorization = `Bearer ${key}`;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...request,
    headers: { ...headers, authorization },
  });
  return { status: response.status, text: await response.text() };
}

async function checkAnswers(server, surface, load, database) {
  const next = createStream(load, { ...database, seed: 77 });
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const operation = next();
    const { status, text } = await ask(server, surface, operation, database.key);
    const wanted = JSON.stringify(await wantedAnswer(operation, database.client));
    const got = status === 200 ? JSON.stringify(surfaces[surface].read(JSON.parse(text))) : text;
    if (got !== wanted) {
      const asked = JSON.stringify(operation);
      throw new Error(`${server.name}, ${surface}-${load}, ${asked}:\ngot ${got}\nbut SQL gives ${wanted}`);
    }
  }
}

async function wantedAnswer(operation, client) {
  if (operation.slug !== undefined) {
    return { slug: operation.slug };
  }
  const { rows } = await client.query(listStatement(operation, 'cards'));
  const { rows: counted } = await client.query(countStatement(operation));
  return { slugs: rows.map(({ slug }) => slug), total: counted[0].total };
}

/** A figure of one server divided by that of another in the same round: median, lowest and highest. */
export function ratioOf(runs, figure, name, other) {
  const values = runs[name].map((run, round) => run[figure] / runs[other][round][figure]);
  return [median(values), Math.min(...values), Math.max(...values)];
}

export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function progress(text) {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
