// The results as Markdown.
import { median, ratioOf } from './rounds.mjs';

const count = (value) => Math.round(value).toLocaleString('en');
const one = (value) => value.toFixed(1);
const two = (value) => value.toFixed(2);

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, column) => (column === 0 ? '---' : '--:'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}

export function describe(results) {
  const { options } = results;
  const { date, cpu, cores, node, postgres, pinned } = results.machine;
  const sections = [
    `${date.slice(0, 10)}, ${cpu}, ${cores} cores, Node ${node}, PostgreSQL ${postgres}; ${options.rounds} rounds of ${options.secs} s, ${options.connections} ` +
      `connections${pinned ? ', server and client on one core each' : ''}. The gateway checks keys ` +
      'and counts every request; its peers do neither.',
    ...(results.loads ? [`## Loads\n\n${loads(results.loads)}`] : []),
    ...(results.path ? [`## A warm request\n\n${path(results)}`] : []),
  ];
  return `${sections.join('\n\n')}\n`;
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

function path({ path: results }) {
  const [, ...others] = Object.keys(results[0].runs);
  const rows = results.map(({ rows, surface, load, runs, functions: { now, before } }) => [
    `${surface}-${load}, ${count(rows)} rows`,
    ...['now', ...others].map((name) => count(median(runs[name].map(({ cpu }) => cpu)))),
    ...others.map((other) => two(ratioOf(runs, 'cpu', 'now', other)[0])),
    ...[now, before].map((one) => (one ? `${one.functions} / ${one.files} / ${one.calls}` : '')),
  ]);
  const ratios = others.map((other) => `ratio to ${other}`);
  const header = ['load', 'CPU µs', ...others, ...ratios, 'functions / files / calls', 'before'];
  const note =
    "CPU time of the server with its log; ratios are medians of rounds; functions are the project's own.";
  return `${note}\n\n${table(header, rows)}`;
}
