// Puts one load on one server, in a process of its own: node client.mjs '{"port": …}'
// Prints one line of JSON: what was answered, how fast, and at what cost.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import autocannon from 'autocannon';
import { createStream } from './operations.mjs';
import { delay, usageOf } from './processes.mjs';
import { surfaces } from './surfaces.mjs';

const settings = JSON.parse(process.argv[2]);
const { port, pid, surface, load, before, rows, slugsFile, key, seed, warm, secs, amount } = settings;
const { connections, rate } = settings;
const slugs = readFileSync(slugsFile, 'utf8').trim().split('\n');
const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };

// Longer than any answer takes: one that is given up would count as none.
const TIMEOUT_SECS = 120;

const streamOf = (name, streamSeed) => createStream(name, { rows, slugs, seed: streamSeed });
let next = streamOf(before ?? load, seed + 500);
let counted;
let failures = 0;

function nextRequest() {
  const { method, path, headers, body } = surfaces[surface].request(next());
  return { method, path, headers: { ...headers, ...authorization }, body };
}

/** From here on what is asked is counted. Ending there and beginning anew would time how connections are made. */
function begin() {
  next = streamOf(load, seed);
  const usage = usageOf(pid);
  counted = { times: [], bytes: 0, begun: performance.now(), own: process.cpuUsage(), usage };
  counted.rss = usage.rss;
}

function note(status, bytes, ms) {
  const now = performance.now();
  // What was asked before is still on its way; of that only a failure is told.
  if (counted !== undefined && now - ms >= counted.begun) {
    counted.times.push(ms);
    counted.bytes += bytes;
    counted.endedAt = now;
  }
  failures += status >= 200 && status < 300 ? 0 : 1;
}

if (amount === undefined && warm > 0) {
  setTimeout(begin, warm * 1000);
} else {
  begin();
}
const sampling = setInterval(() => {
  if (counted !== undefined) {
    counted.rss = Math.max(counted.rss, usageOf(pid).rss);
  }
}, 200);
await (rate === undefined ? askOnAndOn() : askAtRate());
clearInterval(sampling);

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
  bytes: Math.round(bytes / times.length),
  /** µs of the server's CPU time per request, all threads. */
  cpu: (cpuMs * 1000) / times.length,
  serverShare: cpuMs / elapsed,
  clientShare: (ownUsage.user + ownUsage.system) / 1000 / elapsed,
  rss: Math.max(counted.rss, after.rss),
  peak: after.peak,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

/** On all connections, the next request as soon as one is answered. */
async function askOnAndOn() {
  const run = autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    timeout: TIMEOUT_SECS,
    ...(amount === undefined ? { duration: warm + secs } : { amount }),
    requests: [{ setupRequest: (one) => ({ ...one, ...nextRequest() }) }],
  });
  run.on('response', (_client, status, size, ms) => note(status, size, ms));
  const { errors } = await run;
  failures += errors;
}

/** One request after the other at equal distances, whether or not those before are answered. */
async function askAtRate() {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const interval = 1000 / rate;
  const startedAt = performance.now();
  for (let count = 0; count < (warm + secs) * rate; count += 1) {
    const dueAt = startedAt + count * interval;
    if (dueAt > performance.now()) {
      await delay(dueAt - performance.now());
    }
    const { body, ...options } = nextRequest();
    const sent = request({ host: '127.0.0.1', port, agent, ...options }, (response) => {
      let size = 0;
      response.on('data', (data) => {
        size += data.length;
      });
      response.on('end', () => note(response.statusCode, size, performance.now() - dueAt));
    });
    sent.on('error', () => {
      failures += 1;
    });
    sent.end(body);
  }
  await delay(1000);
  agent.destroy();
}
