// The results as Markdown.
import { DEPTHS } from '../parts/growth.mjs';
import { median } from './random.mjs';
import { ratioOf } from './rounds.mjs';

const count = (value) => Math.round(value).toLocaleString('en');
const one = (value) => value.toFixed(1);
const two = (value) => value.toFixed(2);

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
    section('Loads', results.loads && loads(results.loads)),
    section('One write a second', results.writes && writes(results.writes)),
    section('Cost against rows and depth', results.growth && growth(results.growth)),
    section('A warm request', results.path && path(results)),
  ];
  return `${sections.filter((text) => text !== undefined).join('\n\n')}\n`;
}

function section(title, text) {
  return text === undefined ? undefined : `## ${title}\n\n${text}`;
}

function loads(contests) {
  const rows = contests.flatMap(({ id, rows, targets, ratios }) =>
    Object.entries(targets).map(([name, run]) => [
      `${id}, ${count(rows)} rows`,
      name,
      count(run.perSecond),
      ratios[name] === undefined ? '' : ratios[name].map(two).join(' '),
      ...[run.p50, run.p99].map(one),
      count(run.cpu),
      `${two(run.serverShare)} / ${two(run.clientShare)}`,
      ...[run.rss, run.bytes].map(count),
    ]),
  );
  const header =
    'load,target,requests/s,ours by these (median min max),p50 ms,p99 ms,CPU µs,server / client cores,RSS MB,bytes';
  return table(header.split(','), rows);
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
  const note = `In the same run a constant response of bare node:http took ${one(floor.p99)} ms (p99), ${count(floor.max)} at most.`;
  return `${note}\n\n${table(header.split(','), rows)}`;
}

function growth(points) {
  const sizes = [...new Set(points.map(({ rows }) => rows))];
  const loads = [...new Set(points.map(({ load }) => load))];
  const whoOf = ({ target, surface }) => `${target} ${surface}`;
  const rows = loads.flatMap((load) =>
    [...new Set(points.map(whoOf))].map((who) => [
      load.startsWith('D') ? `page at ${load.slice(1)} % depth` : load,
      who,
      ...sizes.map((size) => {
        const point = points.find((one) => one.rows === size && one.load === load && whoOf(one) === who);
        return point === undefined ? '' : `${count(point.micros)} (${count(point.cpu)})`;
      }),
    ]),
  );
  const note =
    "µs per request with all connections busy, and of the server's own CPU time in brackets; " +
    `depths ${DEPTHS.join(', ')} % of an unfiltered list.`;
  return `${note}\n\n${table(['load', 'target', ...sizes.map((size) => `${count(size)} rows`)], rows)}`;
}

function path({ path: results }) {
  const [, ...others] = Object.keys(results[0].runs);
  const rows = results.map(({ rows, surface, load, runs, functions: { now, before } }) => [
    `${surface}-${load}, ${count(rows)} rows`,
    ...['now', ...others].map((name) => count(median(runs[name].map(({ cpu }) => cpu)))),
    ...others.map((other) => two(ratioOf(runs, 'cpu', 'now', other)[0])),
    ...[now, before].map((one) => (one ? `${one.functions} / ${one.files} / ${one.calls}` : '')),
  ]);
  const header = [
    ...['load', 'CPU µs', ...others],
    ...others.map((other) => `ratio to ${other}`),
    ...['functions / files / calls', 'before'],
  ];
  const note =
    "CPU time of the server's process, with its log; ratios are medians of alternating rounds. Functions are the " +
    "project's own that one request calls.";
  return `${note}\n\n${table(header, rows)}`;
}
