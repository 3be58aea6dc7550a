// Where the server's time goes, by a CPU profile: node profile.mjs (or run.sh profile), options as in
// main.mjs. The profiles stay in results/profiles; any DevTools open them.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { chosenCases } from './lib/cases.mjs';
import { openDatabase } from './lib/database.mjs';
import { measure, progress } from './lib/measure.mjs';
import { readOptions } from './lib/options.mjs';
import { RESULTS } from './lib/processes.mjs';
import { startTarget } from './lib/targets.mjs';

const DEFAULT_LOADS = ['graphql-W1', 'rest-W1', 'rest-W3'];
const WARM_SECS = 2;
const TOP = 12;

/** The first that fits a frame's address names its bucket. */
const buckets = [
  [/^wasm:|query_compiler/, 'Prisma query compiler'],
  [/@prisma\/adapter|@prisma\/driver/, 'Prisma adapter'],
  [/@prisma|generated\/client/, 'Prisma client'],
  [/node_modules\/(pg|pg-[a-z]+|postgres-[a-z]+)\//, 'PostgreSQL driver'],
  [/@pothos/, 'Pothos'],
  [/graphql-jit|@graphql-tools\/executor/, 'GraphQL execution'],
  [/node_modules\/graphql\//, 'graphql-js'],
  [/graphql-yoga|@envelop|@graphql-tools|@whatwg-node/, 'Yoga'],
  [/node_modules\/([^/]+)/, undefined],
  [/^node:internal\/(async|process|promise)|^node:async_hooks/, 'Node: async'],
  [/^node:/, 'Node: HTTP, net, streams'],
  [/dist\/startups\/catalogue/, 'our catalogue'],
  [/dist\/([a-z-]+)/, undefined],
];

function bucketOf({ url, functionName }) {
  if (functionName === '(idle)' || functionName === '(root)') {
    return undefined;
  }
  if (functionName === '(garbage collector)') {
    return 'garbage collection';
  }
  if (url === '') {
    return 'built-ins and system calls';
  }
  for (const [pattern, name] of buckets) {
    const match = pattern.exec(url);
    if (match !== null) {
      return name ?? (url.includes('node_modules') ? match[1] : `our ${match[1]}`);
    }
  }
  return 'other';
}

/** Shares of the busy time by bucket and by function, largest first, after `skipMs`. */
function summarise(profile, skipMs) {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byBucket = new Map();
  const byFunction = new Map();
  let elapsed = 0;
  let busy = 0;
  profile.samples.forEach((id, index) => {
    const micros = profile.timeDeltas[index];
    elapsed += micros;
    const frame = frames.get(id);
    const bucket = bucketOf(frame);
    if (elapsed < skipMs * 1000 || bucket === undefined) {
      return;
    }
    busy += micros;
    byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + micros);
    const name = `${frame.functionName || '(anonymous)'} (${bucket})`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + micros);
  });
  const shares = (sums) =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, TOP)
      .map(([name, micros]) => [name, micros / busy]);
  return { busy, buckets: shares(byBucket), functions: shares(byFunction) };
}

const options = readOptions();
const loads = options.loads.length === 0 ? DEFAULT_LOADS : options.loads;
const database = await openDatabase(options.rows, options.categories);
const sections = [];
for (const { id, surface, load } of chosenCases({ loads })) {
  const directory = `${RESULTS}profiles/${id}`;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const profiling = ['--cpu-prof', `--cpu-prof-dir=${directory}`, '--cpu-prof-interval=500'];
  const server = await startTarget('revgate', { DATABASE_URL: database.url }, profiling);
  await measure(server, surface, load, database, { secs: Math.max(options.secs, 3), warm: WARM_SECS });
  await server.stop();
  // One file per thread; the main thread's number is 0.
  const file = readdirSync(directory).find((name) => /\.0\.\d+\.cpuprofile$/.test(name));
  const profile = JSON.parse(readFileSync(`${directory}/${file}`, 'utf8'));
  const { busy, buckets, functions } = summarise(profile, server.readyMs + WARM_SECS * 1000);
  const cell = (entry) =>
    entry === undefined ? ' | ' : `${entry[0].replaceAll('|', '\\|')} | ${(entry[1] * 100).toFixed(1)} %`;
  const lines = Array.from(
    { length: TOP },
    (_, index) => `| ${cell(buckets[index])} | ${cell(functions[index])} |`,
  );
  progress(`Profile of ${id}: ${(busy / 1e6).toFixed(1)} s busy`);
  sections.push(
    `### ${id}\n\n| where | time of its own | function | time of its own |\n| --- | --: | --- | --: |\n${lines.join('\n')}`,
  );
}
process.stdout.write(`## CPU profiles of the main thread\n\n${sections.join('\n\n')}\n`);
await database.client.end();
