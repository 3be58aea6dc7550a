// Puts one load on one server, in a process of its own: node client.mjs '{"port": …}'
// Prints one line of JSON: what was answered, how fast, and at what cost.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { createStream } from './operations.mjs';
import { usageOf } from './processes.mjs';
import { surfaces } from './surfaces.mjs';

const settings = JSON.parse(process.argv[2]);
const { port, pid, surface, load, before, rows, slugsFile, key, seed, warm, secs, connections, rate } =
  settings;
const slugs = readFileSync(slugsFile, 'utf8').trim().split('\n');
const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };

// Longer than any answer takes: one that is given up would count as none.
const TIMEOUT_SECS = 120;

let timed = await time({ duration: warm + secs }, warm);
if (timed.times.length < connections) {
  // What was still under way at the end would be most of it.
  timed = await time({ amount: connections }, 0);
}
const { times, bytes, faults, elapsed, cpuMs, ownMs, rss, peak } = timed;
times.sort((a, b) => a - b);
const percentile = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
const result = {
  perSecond: (times.length * 1000) / elapsed,
  p50: percentile(0.5),
  p99: percentile(0.99),
  max: times.at(-1),
  faults,
  bytes: Math.round(bytes / times.length),
  /** µs of the server's CPU time per request, all threads. */
  cpu: (cpuMs * 1000) / times.length,
  serverShare: cpuMs / elapsed,
  clientShare: ownMs / elapsed,
  rss,
  peak,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

/**
 * Asks without a break, and tells what came of it after the first seconds: to end there and begin anew would time
 * how connections are made.
 *
 * @param warmSecs seconds of what is asked before, and not counted.
 */
async function time(limits, warmSecs) {
  const streamOf = (name, streamSeed) => createStream(name, { rows, slugs, seed: streamSeed });
  let next = streamOf(before ?? load, seed + 500);
  let counted;
  const count = () => {
    next = streamOf(load, seed);
    const usage = usageOf(pid);
    counted = { times: [], bytes: 0, faults: 0, begun: performance.now(), own: process.cpuUsage(), usage };
    counted.rss = usage.rss;
  };
  if (warmSecs === 0) {
    count();
  } else {
    setTimeout(count, warmSecs * 1000);
  }
  const setupRequest = (request) => {
    const { method, path, headers, body } = surfaces[surface].request(next());
    return { ...request, method, path, body, headers: { ...headers, ...authorization } };
  };
  const run = autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    timeout: TIMEOUT_SECS,
    ...limits,
    ...(rate === undefined ? {} : { overallRate: rate }),
    requests: [{ setupRequest }],
  });
  run.on('response', (_client, status, bytes, ms) => {
    if (counted !== undefined) {
      counted.times.push(ms);
      counted.bytes += bytes;
      counted.faults += status >= 200 && status < 300 ? 0 : 1;
    }
  });
  const sampling = setInterval(() => {
    if (counted !== undefined) {
      counted.rss = Math.max(counted.rss, usageOf(pid).rss);
    }
  }, 200);
  const { errors, timeouts } = await run;
  const elapsed = performance.now() - counted.begun;
  clearInterval(sampling);
  const after = usageOf(pid);
  const own = process.cpuUsage(counted.own);
  return {
    ...counted,
    faults: counted.faults + errors + timeouts,
    elapsed,
    cpuMs: after.cpuMs - counted.usage.cpuMs,
    ownMs: (own.user + own.system) / 1000,
    rss: Math.max(counted.rss, after.rss),
    peak: after.peak,
  };
}
