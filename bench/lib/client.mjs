// Puts one load on one server, in a process of its own: node client.mjs '{"port": …}'
// Prints one line of JSON: what was answered, how fast, and at what cost.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { createStream } from './operations.mjs';
import { usageOf } from './processes.mjs';
import { surfaces } from './surfaces.mjs';

const { port, pid, surface, load, slugsFile, key, seed, warm, secs, connections } = JSON.parse(
  process.argv[2],
);
const slugs = readFileSync(slugsFile, 'utf8').trim().split('\n');

let next = createStream(load, { slugs, seed: seed + 500 });
let counted;
/** How many had each status that is no success. */
const statuses = {};

function nextRequest(one) {
  const { headers, ...request } = surfaces[surface].request(next());
  return { ...one, ...request, headers: { ...headers, authorization: `Bearer ${key}` } };
}

// From here on what is asked is counted. Ending there and beginning anew would time how connections are made.
setTimeout(() => {
  next = createStream(load, { slugs, seed });
  counted = { times: [], bytes: 0, begun: performance.now(), own: process.cpuUsage(), usage: usageOf(pid) };
}, warm * 1000);
const run = autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  // Longer than any answer takes: one that is given up would count as none.
  timeout: 120,
  duration: warm + secs,
  requests: [{ setupRequest: nextRequest }],
});
run.on('response', (_client, status, bytes, ms) => {
  const now = performance.now();
  // What was asked before is still on its way; of that only a failure is told.
  if (counted !== undefined && now - ms >= counted.begun) {
    counted.times.push(ms);
    counted.bytes += bytes;
    counted.endedAt = now;
  }
  if (status < 200 || status >= 300) {
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
});
const { errors } = await run;

const { times, bytes, begun, usage } = counted;
const after = usageOf(pid);
const ownUsage = process.cpuUsage(counted.own);
// The last answer, not the client's own end, which comes up to a second later.
const elapsed = (counted.endedAt ?? begun) - begun;
times.sort((a, b) => a - b);
const percentile = (share) => times[Math.floor(times.length * share)];
const cpuMs = after.cpuMs - usage.cpuMs;
const result = {
  answered: times.length,
  perSecond: (times.length * 1000) / elapsed,
  p50: percentile(0.5),
  p99: percentile(0.99),
  errors,
  statuses,
  bytes: Math.round(bytes / times.length),
  /** µs of the server's CPU time per request, all threads. */
  cpu: (cpuMs * 1000) / times.length,
  serverShare: cpuMs / elapsed,
  clientShare: (ownUsage.user + ownUsage.system) / 1000 / elapsed,
  rss: after.rss,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
