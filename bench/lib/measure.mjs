import { fileURLToPath } from 'node:url';
import { drain } from './database.mjs';
import { CLIENT_CORE, delay, readToEnd, spawnOn, usageOf } from './processes.mjs';

const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url));

/**
 * Puts a load on a server for some seconds.
 *
 * @param how.seed another seed asks for other operations.
 * @param how.warm seconds before those, not counted.
 * @param how.before the load of those seconds; the same by default.
 * @returns what client.mjs prints.
 */
export async function measure(server, surface, load, database, how) {
  const { seed = 1, secs, warm = 0, before, connections = 32 } = how;
  const { port, pid, name } = server;
  const { slugsFile, rows, key } = database;
  const ask = async (amount) => {
    await settle(pid);
    await drain(database.client);
    const what = { surface, load, before, rows, slugsFile, key, seed };
    const settings = { port, pid, ...what, secs, warm, amount, connections };
    const child = spawnOn(['node', CLIENT, JSON.stringify(settings)], {
      core: CLIENT_CORE,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return JSON.parse(await readToEnd(child, `${load} on ${name}`));
  };
  let result = await ask();
  if (result.answered < connections) {
    // What was still under way at the end would be most of it.
    result = await ask(connections);
  }
  if (result.failures > 0) {
    const statuses = Object.entries(result.statuses).map(
      ([status, count]) => `${count} with status ${status}`,
    );
    const what = [`${result.failures} requests of ${load} failed on ${name}`, ...statuses].join(', ');
    if (result.failures >= result.answered) {
      // The times of errors are no figures.
      throw new Error(what);
    }
    process.stderr.write(`${what}\n`);
  }
  return result;
}

/** Waits until a server has done with what an earlier client has left. */
async function settle(pid) {
  for (let tries = 0; tries < 100; tries += 1) {
    const { cpuMs } = usageOf(pid);
    await delay(100);
    // A tick is 10 ms; beside requests it looks for changes a few times a second.
    if (!(usageOf(pid).cpuMs - cpuMs > 20)) {
      return;
    }
  }
}

export function progress(text) {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
