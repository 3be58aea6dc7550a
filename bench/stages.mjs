// What each stage of a request costs: node stages.mjs (or run.sh stages), options as in main.mjs.
// CPU time of the whole process, so that what the driver and the collector do in threads counts as well.
// The time that PostgreSQL takes does not.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readGraphQLRequest } from '../dist/graphql/http.js';
import { listen } from '../dist/http/node-server.js';
import { handleRest } from '../dist/rest/handler.js';
import { parseListParameters } from '../dist/startups/list-query.js';
import { openDatabase } from './lib/database.mjs';
import { openParts, recordReads, replay } from './lib/inside.mjs';
import { measure, progress } from './lib/measure.mjs';
import { createStream, PAGE_SIZE } from './lib/operations.mjs';
import { readOptions } from './lib/options.mjs';
import { isPinned, RESULTS, SERVER_CORE } from './lib/processes.mjs';
import { surfaces } from './lib/surfaces.mjs';

const columns = [
  { surface: 'graphql', load: 'W1' },
  { surface: 'graphql', load: 'W5' },
  { surface: 'graphql', load: 'W3' },
  { surface: 'rest', load: 'W1' },
  { surface: 'rest', load: 'W3' },
];
// Answered once, and then executed and serialised again and again.
const ANSWERED = 500;
// What remembers answers must not be asked the same again: so many are asked for before any comes back.
const ASKED = 20_000;
const AT_A_TIME = 32;

const options = readOptions();
const seconds = Math.min(options.secs, 2);
if (isPinned) {
  spawnSync('taskset', ['-acp', String(SERVER_CORE), String(process.pid)]);
}
const database = await openDatabase(options.rows, options.categories);
const parts = await openParts(database.url, { rows: 0, records: 0, answers: 0 });
const keeping = await openParts(database.url, {
  rows: 1_000 * options.rows,
  records: 2_000 * options.rows,
  answers: 0,
});
const keepingAll = await openParts(database.url, { rows: 0, records: 0, answers: 500_000_000 });
const results = [];
for (const column of columns) {
  results.push({ ...column, stages: await priceStages(column) });
}
writeFileSync(`${RESULTS}stages.json`, `${JSON.stringify(results, null, 1)}\n`);
process.stdout.write(describe(results));
for (const { close } of [parts, keeping, keepingAll]) {
  await close();
}
await database.client.end();

/** µs of CPU time per call, many calls under way at once. The work is given a number that counts up. */
async function price(work) {
  let calls = 0;
  let done = 0;
  let until = performance.now() + seconds * 200;
  const worker = async () => {
    while (performance.now() < until) {
      done += 1;
      calls += 1;
      await work(calls);
      // What never waits would keep the collector from memory outside of the heap.
      if (calls % 50 === 0) {
        await new Promise(setImmediate);
      }
    }
  };
  const run = () => Promise.all(Array.from({ length: AT_A_TIME }, worker));
  // Compiled before it is timed.
  await run();
  done = 0;
  until = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / done;
}

async function priceStages({ surface, load }) {
  const { handle, sessions, catalogue, execute } = parts;
  const startups = startupsOf(parts, surface);
  const keptStartups = startupsOf(keeping, surface);
  const next = createStream(load, { ...database, seed: 5 });
  const asked = Array.from({ length: ASKED }, () => {
    const operation = next();
    return { operation, request: toRequest(surfaces[surface].request(operation)) };
  });
  const context = (reading) => ({ requestId: 'bench', startups: reading });
  const answered = asked.slice(-ANSWERED);
  // REST executes what it needs by itself, and makes its answer of that.
  const answer = ({ request, params }, given) =>
    surface === 'graphql' ? execute(params, given) : handleRest(request, given.startups, given.requestId);
  for (const sample of answered) {
    sample.params = surface === 'graphql' ? await readParams(sample.request) : undefined;
    Object.assign(sample, await recordReads(startups, (recording) => answer(sample, context(recording))));
  }
  // Going on where the stage before has stopped.
  let position = 0;
  const ofNew = (work) =>
    price(() => {
      position += 1;
      return work(asked[position % ASKED]);
    });
  const ofKnown = (work) => price((index) => work(answered[index % ANSWERED]));
  const isList = load !== 'W3';

  const parse =
    surface === 'graphql'
      ? await ofKnown(({ request }) => readGraphQLRequest(request))
      : isList
        ? await ofKnown(({ request }) => parseListParameters(request.query))
        : 0;
  const auth = await ofKnown(({ request }) => sessions.begin(request));
  const charged = await ofKnown(async ({ request }) => (await sessions.begin(request)).charge(1));
  const made = await price(() => next());
  const found = isList ? (await price(() => catalogue.find(queryOf(next())))) - made : 0;
  const [{ method, args }] = answered[0].reads;
  const read = isList
    ? (await price(() => startups[method](...argsOf(args, next())))) - made
    : await ofNew(({ operation }) => startups[method](operation.slug));
  await ofNew(({ request }) => keeping.handle(request));
  const kept = isList
    ? (await price(() => keptStartups[method](...argsOf(args, next())))) - made
    : await ofNew(({ operation }) => keptStartups[method](operation.slug));
  const executed =
    (await ofKnown((sample) => answer(sample, context(replay(sample.reads))))) -
    (surface === 'rest' ? parse : 0);
  // Another document each time, as if nobody had sent it before.
  let texts = 0;
  const fresh =
    surface === 'graphql'
      ? await ofKnown(({ params, reads }) => {
          texts += 1;
          return execute({ ...params, query: `${params.query}#${texts}` }, context(replay(reads)));
        })
      : executed;
  const serialised = surface === 'graphql' ? await ofKnown(({ result }) => JSON.stringify(result)) : 0;
  const inProcess = await ofNew(({ request }) => handle(request));
  const body = surface === 'graphql' ? JSON.stringify(answered[0].result) : answered[0].result.body;
  const http = await overHttp(surface, load, async (request) => {
    if (request.method === 'POST') {
      await request.body(100_000);
    }
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  });
  const whole = await overHttp(surface, load, handle);
  progress(`${surface} ${load}: ${whole.toFixed(0)} µs`);
  const stages = {
    HTTP: http,
    auth,
    limit: charged - auth,
    parse,
    catalogue: found,
    rows: read - found,
    execute: executed,
    serialise: serialised,
  };
  const sum = Object.values(stages).reduce((total, value) => total + value, 0);
  return {
    ...stages,
    'everything else': inProcess + http - sum,
    whole,
    'instead of rows, where they are kept': kept - found,
    'whole, where rows are kept': await overHttp(surface, load, keeping.handle),
    'whole, where the answer is kept': await overHttp(
      surface,
      load,
      answerAgain(keepingAll.handle, answered),
    ),
    'more for a document not seen before': fresh - executed,
  };
}

function startupsOf({ startups, restStartups }, surface) {
  return surface === 'graphql' ? startups : restStartups;
}

/** µs of CPU time per request that comes over the network. */
async function overHttp(surface, load, handler) {
  const server = await listen(handler, { host: '127.0.0.1', port: 0, trustedProxies: 0 });
  const target = { name: 'stages', port: Number(new URL(server.url).port), pid: process.pid };
  const { cpu } = await measure(target, surface, load, database, {
    secs: seconds,
    warm: 1,
    connections: AT_A_TIME,
  });
  await server.close();
  return cpu;
}

/** Answers whatever is asked with one of a few answers, all of which are kept. */
function answerAgain(handle, answered) {
  let next = 0;
  return (request) => {
    next += 1;
    const { path, query, body } = answered[next % ANSWERED].request;
    const { method, address } = request;
    return handle({ method, path, query, header: (name) => request.header(name), address, body });
  };
}

/** What a GraphQL request asks the engine for. */
async function readParams(request) {
  const { document, ...params } = await readGraphQLRequest(request);
  return { ...params, query: document.query };
}

/** The arguments of one read, for another list. */
function argsOf([request, ...others], { filter, sort = 'revenue-desc', page }) {
  return [{ ...request, filter, sort, page }, ...others];
}

function queryOf({ filter, sort = 'revenue-desc', page }) {
  return { filter, sort, limit: PAGE_SIZE, total: true, offset: (page - 1) * PAGE_SIZE };
}

/** A request as the server would hand it over. */
function toRequest({ method, path, headers = {}, body = '' }) {
  const [plain, query = ''] = path.split('?');
  const all = { ...headers, authorization: `Bearer ${database.key}` };
  const bytes = Buffer.from(body);
  return {
    method,
    path: plain,
    query,
    header: (name) => all[name],
    address: '127.0.0.1',
    body: async () => bytes,
  };
}

function describe(results) {
  const names = Object.keys(results[0].stages);
  const lines = names.map((name) => {
    const cells = results.map(({ stages }) => (stages[name] === 0 ? '' : stages[name].toFixed(1)));
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  const header = results.map(({ surface, load }) => `${surface} ${load}`).join(' | ');
  return `## The price of each stage

µs of the server's CPU time per request, ${options.rows.toLocaleString('en')} rows, known documents. \`whole\` is
measured by itself, over the network.

| stage | ${header} |
| --- | ${results.map(() => '--:').join(' | ')} |
${lines.join('\n')}
`;
}
