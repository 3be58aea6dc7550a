// How long /health takes while clients flood the server, and after they have left, and how much memory that takes.
import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { progress } from '../lib/measure.mjs';
import { CLIENT_CORE, delay, PROJECT, readToEnd, spawnOn, usageOf } from '../lib/processes.mjs';
import { median } from '../lib/random.mjs';
import { startTarget } from '../lib/targets.mjs';

const CONNECTIONS = 250;
const HOLD_MS = 2_000;
const QUIET_MS = 2_000;
const ROUNDS = 3;

const LIST = '{ startups(limit: 10) { page { slug name description website country category } } }';

/** The request of each kind of flood. */
function kindsOf(key) {
  const script = readdirSync(`${PROJECT}dist/pages/site/graphiql`).find((name) =>
    /^graphiql\..+\.js\.br$/.test(name),
  );
  const authorization = `Authorization: Bearer ${key}\r\n`;
  const getOf = (target, headers = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  return {
    'a file of 1.4 MB': getOf(`/graphiql/${script.slice(0, -'.br'.length)}`),
    'the page /docs': getOf('/docs'),
    'the API without a key': getOf('/api/v1/startups'),
    'REST with a key': getOf('/api/v1/startups', authorization),
    'GraphQL with a key': getOf(`/graphql?query=${encodeURIComponent(LIST)}`, authorization),
  };
}

export async function runFlood({ rows }, open) {
  const { url, key } = await open(rows);
  const results = [];
  const server = await startTarget('revgate', { DATABASE_URL: url });
  const client = fileURLToPath(new URL('../lib/flood-client.mjs', import.meta.url));
  for (const [kind, request] of Object.entries(kindsOf(key))) {
    // What the machine alone causes.
    const before = await timeHealthFor(server.port, QUIET_MS);
    const [during, after] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const settings = { port: server.port, request, connections: CONNECTIONS, holdMs: HOLD_MS };
      const child = spawnOn([process.execPath, client, JSON.stringify(settings)], {
        core: CLIENT_CORE,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let hasLeft = false;
      const leaving = readToEnd(child, 'the flood').then(() => {
        hasLeft = true;
      });
      while (!hasLeft) {
        during.push(await timeHealth(server.port));
      }
      await leaving;
      after.push(...(await timeHealthFor(server.port, QUIET_MS)));
    }
    const { peak } = usageOf(server.pid);
    const [quiet, longest, afterwards] = [before, during, after].map((times) => Math.max(...times));
    results.push({ rows, kind, quiet, during: longest, after: afterwards, median: median(during), peak });
    progress(`flood of ${kind}: /health after ${longest.toFixed(0)} ms, then ${afterwards.toFixed(0)} ms`);
  }
  await server.stop();
  return results;
}

async function timeHealthFor(port, ms) {
  const times = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    times.push(await timeHealth(port));
  }
  return times;
}

/** How long /health takes on a new connection, in ms, some time after the last. */
async function timeHealth(port) {
  await delay(10);
  const startedAt = performance.now();
  await new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume();
      response.once('end', resolve);
    });
    request.once('error', reject);
  });
  return performance.now() - startedAt;
}
