// The results as Markdown: first every goal with what was measured, then the figures behind them.
import { DEPTHS } from '../parts/growth.mjs';
import { cpuRatio } from '../parts/path.mjs';
import { goalsOf } from './goals.mjs';
import { median } from './random.mjs';

const count = (value) => Math.round(value).toLocaleString('en');
const one = (value) => value.toFixed(1);
/** Three digits, without trailing noise. */
const short = (value) => (value >= 100 ? count(value) : value >= 10 ? one(value) : value.toFixed(2));

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, column) => (column === 0 ? '---' : '--:'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}

export function describe(results) {
  const { machine, options } = results;
  const sections = [
    `${machine.date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, PostgreSQL ` +
      `${machine.postgres}; ${options.rounds} rounds of ${options.secs} s, ${options.connections} ` +
      `connections${machine.pinned ? ', server and client on one core each' : ''}. The gateway checks keys ` +
      'and counts every request; its peers do neither.',
    section('Goals', goals(results)),
    section('Loads', results.loads && loads(results)),
    section('Searches', results.search && loads({ loads: results.search })),
    section('History', results.history && history(results.history)),
    section('One write a second', results.writes && writes(results.writes)),
    section('While the catalogue is refreshed', results.writes && stalls(results.writes)),
    section('Until it is ready', results.ready && ready(results.ready)),
    section('Cost against rows and depth', results.growth && growth(results.growth)),
    section('The most expensive operations', results.worst && worst(results.worst)),
    section('Floods', results.flood && flood(results.flood)),
    section('A warm request', results.path && path(results)),
    section('Lists beside other keys', results.fairness && fairness(results.fairness)),
  ];
  return `${sections.filter((text) => text !== undefined).join('\n\n')}\n`;
}

function section(title, text) {
  return text === undefined ? undefined : `## ${title}\n\n${text}`;
}

function goals(results) {
  const rows = goalsOf(results).map(({ title, must, value, low, high, unit, atMost, verdict }) => [
    title,
    `${atMost ? '≤ ' : ''}${must} ${unit}`,
    `${short(value)}${low === undefined ? '' : ` (${short(low)}–${short(high)})`}`,
    verdict,
  ]);
  return table(['goal', 'must', 'measured (min–max)', ''], rows);
}

function loads({ loads }) {
  const rows = loads.flatMap(({ id, rows, targets }) =>
    Object.entries(targets).map(([name, run]) => [
      `${id.replace('-large', '')}, ${count(rows)} rows`,
      name,
      count(run.perSecond),
      one(run.p50),
      one(run.p99),
      count(run.cpu),
      `${run.serverShare.toFixed(2)} / ${run.clientShare.toFixed(2)}`,
      count(run.rss),
      count(run.bytes),
    ]),
  );
  const header = 'load,target,requests/s,p50 ms,p99 ms,CPU µs,server / client cores,RSS MB,bytes';
  const note =
    'Over GraphQL a list selects eight fields and a detail all; over REST both answer with whole records. ' +
    'Each peer answers with the same fields. Where the ' +
    'client uses its whole core, the faster of two is faster than shown.';
  return `${note}\n\n${table(header.split(','), rows)}`;
}

function history(results) {
  const rows = results.map(({ load, target, rows, perSecond, p50, p99, cpu, bytes, steady }) => [
    `${load}, ${count(rows)} rows`,
    target,
    count(perSecond),
    ...[p50, p99].map(one),
    count(cpu),
    ...[steady.p50, steady.p99].map(one),
    count(bytes),
  ]);
  const header = 'load,target,requests/s,p50 ms,p99 ms,CPU µs,steady p50 ms,steady p99 ms,bytes';
  const note =
    'The last 90 days of one startup (H1) and of ten (H10), each with a point for every day, over GraphQL: with all ' +
    `connections busy, and steadily at ${results[0]?.steady.rate} requests a second. CPU is that of the target alone, without the database.`;
  return `${note}\n\n${table(header.split(','), rows)}`;
}

function writes({ latency, floor }) {
  const rows = latency.map(({ rows, surface, load, cold, writing, quiet }) => [
    `${surface}-${load}, ${count(rows)} rows`,
    ...[cold, writing, quiet].flatMap((run) => [count(run.perSecond), one(run.p99), count(run.max)]),
    count(Math.max(cold.rss, writing.rss)),
    count(quiet.rss),
  ]);
  const header =
    'load,cold/s,p99 ms,longest,warm/s,p99 ms,longest,no writes/s,p99 ms,longest,RSS MB,no writes';
  const note =
    '`cold`: after eight seconds of lists of other startups, so that the code is compiled and what is asked for is ' +
    'asked for the first time. `warm`: after eight seconds of the load. ' +
    `In the same run a constant response of bare node:http took ${one(floor.p99)} ms (p99), ${count(floor.max)} at most.`;
  return `${note}\n\n${table(header.split(','), rows)}`;
}

function stalls({ stalls }) {
  const rows = stalls.map(({ rows, surface, quiet, refreshing }) => [
    `${surface}, ${count(rows)} rows`,
    ...[quiet, refreshing].flatMap((run) => [one(run.p99), count(run.longestRequest), one(run.longestStall)]),
  ]);
  const header = 'ms,p99,longest request,event loop,p99 refreshing,longest request,event loop';
  return `400 requests a second over 4 connections, without and with one write a second.\n\n${table(header.split(','), rows)}`;
}

function ready(starts) {
  const rows = starts.map(({ place, rows, ms, low, high, rss }) => [
    `${place}, ${count(rows)} rows`,
    count(ms),
    `${count(low)}–${count(high)}`,
    count(rss),
  ]);
  return table(['where', 'ms', 'min–max', 'RSS MB then'], rows);
}

function growth(points) {
  const sizes = [...new Set(points.map(({ rows }) => rows))];
  const loads = [...new Set(points.map(({ load }) => load))];
  const rows = loads.flatMap((load) =>
    [...new Set(points.map(({ target, surface }) => `${target} ${surface}`))].map((who) => [
      load.startsWith('D') ? `page at ${load.slice(1)} % depth` : load,
      who,
      ...sizes.map((size) => {
        const point = points.find(
          (one) => one.rows === size && one.load === load && `${one.target} ${one.surface}` === who,
        );
        return point === undefined ? '' : `${count(point.micros)} (${count(point.cpu)})`;
      }),
    ]),
  );
  const note =
    "µs per request with all connections busy, and of the server's own CPU time in brackets; " +
    `depths ${DEPTHS.join(', ')} % of an unfiltered list.`;
  return `${note}\n\n${table(['load', 'target', ...sizes.map((size) => `${count(size)} rows`)], rows)}`;
}

function worst(operations) {
  const rows = operations.map(({ rows, kind, cost, stall, longest, error }) => [
    `${kind}, ${count(rows)} rows`,
    cost,
    one(stall),
    `${count(longest)}${error === undefined ? '' : ` (${error})`}`,
  ]);
  const header = ['operation', 'cost', 'longest turn of the event loop, ms', 'longest request, ms'];
  return `Each list has bounds that no other has and that nearly everything matches.\n\n${table(header, rows)}`;
}

function path({ path: results, options }) {
  const rows = results.map(({ rows, surface, load, cpu, functions: { now, before } }) => [
    `${surface}-${load}, ${count(rows)} rows`,
    ...['now', 'before', 'rest-sql'].map((name) => count(median(cpu[name]))),
    ...['before', 'rest-sql'].map((other) => cpuRatio(cpu, 'now', other).toFixed(2)),
    ...[now, before].map(({ functions, files, calls }) => `${functions} / ${files} / ${calls}`),
  ]);
  const header = `load,CPU µs,at ${options.before},rest-sql,ratio to ${options.before},ratio to rest-sql,functions / files / calls,at ${options.before}`;
  const note =
    "CPU time of the server's process, with its log; ratios are medians of alternating rounds. Functions are the " +
    "project's own that one request calls.";
  return `${note}\n\n${table(header.split(','), rows)}`;
}

function flood(kinds) {
  const rows = kinds.map(({ kind, quiet, median, during, after, peak }) => [
    kind,
    one(quiet),
    one(median),
    one(during),
    one(after),
    count(peak),
  ]);
  const header = [
    'each request',
    'longest before, ms',
    'median, ms',
    'longest, ms',
    'longest after they have left, ms',
    'peak RSS, MB',
  ];
  return `The time of /health while 250 connections pipeline 300 requests each and read nothing, for 2 s.\n\n${table(header, rows)}`;
}

function fairness(results) {
  const rows = results.map(({ load, rows, lists, p50, max, maxCpu }) => [
    `${load}, ${count(rows)} rows`,
    count(lists),
    one(p50),
    count(max),
    count(maxCpu),
  ]);
  const header = ['load of five other premium keys', 'lists', 'p50 ms', 'longest ms', 'longest CPU ms'];
  const note =
    'Lists of one key, one after another, while five other premium keys spend their whole limit at once. CPU is what all ' +
    'threads of the server used while a list waited, in ticks of 10 ms: what else runs on the machine does not change it.';
  return `${note}\n\n${table(header, rows)}`;
}
