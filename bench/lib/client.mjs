// Puts one load on one server, in a process of its own: node client.mjs '{"port": …}'
// Prints one line of JSON: what was answered, how fast, and at what cost.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { createStream } from './operations.mjs';
import { usageOf } from './processes.mjs';
import { surfaces } from './surfaces.mjs';

const { port, pid, surface, load, rows, slugsFile, key, seed, warm, secs, connections, rate } = JSON.parse(
  process.argv[2],
);
const slugs = readFileSync(slugsFile, 'utf8').trim().split('\n');
const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };

// Longer than any answer takes: one that is given up would count as none.
const TIMEOUT_SECS = 120;

function put(limits, streamSeed) {
  const next = createStream(load, { rows, slugs, seed: streamSeed });
  const setupRequest = (request) => {
    const { method, path, headers, body } = surfaces[surface].request(next());
    return { ...request, method, path, body, headers: { ...headers, ...authorization } };
  };
  return autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    timeout: TIMEOUT_SECS,
    ...limits,
    ...(rate === undefined ? {} : { overallRate: rate }),
    requests: [{ setupRequest }],
  });
}

if (warm > 0) {
  await put({ duration: warm }, seed + 500);
}
let timed = await time({ duration: secs });
if (timed.requests.total < connections) {
  // What was still under way at the end would be most of it.
  timed = await time({ amount: connections });
}
const { requests, latency, throughput, non2xx, errors, timeouts, elapsed, cpuMs, ownMs, rss, peak } = timed;
const result = {
  perSecond: (requests.total * 1000) / elapsed,
  p50: latency.p50,
  p99: latency.p99,
  max: latency.max,
  faults: non2xx + errors + timeouts,
  bytes: Math.round(throughput.total / requests.total),
  /** µs of the server's CPU time per request, all threads. */
  cpu: (cpuMs * 1000) / requests.total,
  serverShare: cpuMs / elapsed,
  clientShare: ownMs / elapsed,
  rss,
  peak,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

/** What came of it, and what it took. */
async function time(limits) {
  const ownBefore = process.cpuUsage();
  const before = usageOf(pid);
  let { rss } = before;
  const sampling = setInterval(() => {
    rss = Math.max(rss, usageOf(pid).rss);
  }, 200);
  const begun = performance.now();
  const result = await put(limits, seed);
  const elapsed = performance.now() - begun;
  clearInterval(sampling);
  const after = usageOf(pid);
  const own = process.cpuUsage(ownBefore);
  return {
    ...result,
    elapsed,
    cpuMs: after.cpuMs - before.cpuMs,
    ownMs: (own.user + own.system) / 1000,
    rss: Math.max(rss, after.rss),
    peak: after.peak,
  };
}
