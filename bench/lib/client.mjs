// Puts one load on one server, in a process of its own: node client.mjs '{"port": …}'
// Prints one line of JSON: what was answered, how fast, and at what cost.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { createStream } from './operations.mjs';
import { usageOf } from './processes.mjs';
import { surfaces } from './surfaces.mjs';

const settings = JSON.parse(process.argv[2]);
const { port, pid, surface, load, before, rows, slugsFile, key, seed, warm, secs, amount } = settings;
const slugs = readFileSync(slugsFile, 'utf8').trim().split('\n');
const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };

// Longer than any answer takes: one that is given up would count as none.
const TIMEOUT_SECS = 120;

const streamOf = (name, streamSeed) => createStream(name, { rows, slugs, seed: streamSeed });
let next = streamOf(before ?? load, seed + 500);
let counted;
let failures = 0;
/** How many had each status that is no success. */
const statuses = {};

function nextRequest() {
  const { method, path, headers, body } = surfaces[surface].request(next());
  return { method, path, headers: { ...headers, ...authorization }, body };
}

/** From here on what is asked is counted. Ending there and beginning anew would time how connections are made. */
function begin() {
  next = streamOf(load, seed);
  counted = { times: [], bytes: 0, begun: performance.now(), own: process.cpuUsage(), usage: usageOf(pid) };
}

function note(_client, status, bytes, ms) {
  const now = performance.now();
  // What was asked before is still on its way; of that only a failure is told.
  if (counted !== undefined && now - ms >= counted.begun) {
    counted.times.push(ms);
    counted.bytes += bytes;
    counted.endedAt = now;
  }
  if (status < 200 || status >= 300) {
    failures += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

if (amount === undefined && warm > 0) {
  setTimeout(begin, warm * 1000);
} else {
  begin();
}
const run = autocannon({
  url: `http://127.0.0.1:${port}`,
  connections: settings.connections,
  timeout: TIMEOUT_SECS,
  ...(amount === undefined ? { duration: warm + secs } : { amount }),
  requests: [{ setupRequest: (one) => ({ ...one, ...nextRequest() }) }],
});
run.on('response', note);
const { errors } = await run;
// Not in one expression with the await: it would add to what was counted before the run.
failures += errors;

const { times, bytes, begun, usage } = counted;
const after = usageOf(pid);
const ownUsage = process.cpuUsage(counted.own);
// The last answer, not the client's own end, which comes up to a second later.
const elapsed = (counted.endedAt ?? begun) - begun;
times.sort((a, b) => a - b);
const percentile = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
const cpuMs = after.cpuMs - usage.cpuMs;
const result = {
  answered: times.length,
  perSecond: (times.length * 1000) / elapsed,
  p50: percentile(0.5),
  p99: percentile(0.99),
  max: times.at(-1),
  failures,
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
