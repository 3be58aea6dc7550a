// Draws what a request costs as rows and depth grow: node plot.mjs [results/benchmark.json] [file.svg]
// Reads what main.mjs wrote; the plot goes to docs/benchmark.svg.
import { readFileSync, writeFileSync } from 'node:fs';
import { PROJECT, RESULTS } from './lib/processes.mjs';
import { DEPTHS } from './parts/growth.mjs';

const [source = `${RESULTS}benchmark.json`, target = `${PROJECT}docs/benchmark.svg`] = process.argv.slice(2);
const { growth, machine } = JSON.parse(readFileSync(source, 'utf8'));
if (growth === undefined) {
  process.stderr.write(`${source} has no growth: run main.mjs with --parts growth\n`);
  process.exit(1);
}

const WIDTH = 880;
const PANEL = { width: 230, height: 190, top: 74, left: 56, step: 280 };
const series = [
  ['SQL by hand', 'sql', 'rest-sql', 'cards'],
  ['revgate, GraphQL', 'graphql', 'revgate', 'graphql'],
  ['revgate, REST', 'rest', 'revgate', 'rest'],
].map(([name, style, target, surface]) => ({ name, style, target, surface }));
const sizes = [...new Set(growth.map(({ rows }) => rows))].sort((a, b) => a - b);
const largest = sizes.at(-1);

const short = (value) =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value);
const duration = (micros) =>
  micros >= 1e6 ? `${micros / 1e6} s` : micros >= 1e3 ? `${micros / 1e3} ms` : `${micros} µs`;

const pointsOf = ({ target, surface }, load) =>
  growth.filter((one) => one.target === target && one.surface === surface && one.load === load);
const overRows = (load, title) => ({
  title,
  ticks: sizes.map((size) => ({ value: Math.log10(size), text: short(size) })),
  axis: 'startups',
  points: (one) => pointsOf(one, load).map(({ rows, micros }) => [Math.log10(rows), micros]),
});
const panels = [
  overRows('W1', 'category and revenue bounds'),
  overRows('W2', 'no filter, first pages'),
  {
    title: `depth, ${short(largest)} startups`,
    ticks: DEPTHS.map((depth) => ({ value: depth, text: depth === 0 ? 'first page' : `${depth} %` })),
    axis: 'of the list',
    points: (one) =>
      DEPTHS.flatMap((depth) =>
        pointsOf(one, `D${depth}`).flatMap(({ rows, micros }) => (rows === largest ? [[depth, micros]] : [])),
      ),
  },
];

const costs = panels.flatMap((panel) =>
  series.flatMap((one) => panel.points(one).map(([, micros]) => micros)),
);
const lowest = Math.floor(Math.log10(Math.min(...costs)));
const highest = Math.ceil(Math.log10(Math.max(...costs)));
const powers = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);

const round = (value) => Math.round(value * 10) / 10;
const yOf = (micros) =>
  round(PANEL.top + PANEL.height * (1 - (Math.log10(micros) - lowest) / (highest - lowest)));

function drawPanel({ title, ticks, axis, points }, index) {
  const left = PANEL.left + index * PANEL.step;
  const [first, last] = [ticks[0].value, ticks.at(-1).value];
  // A margin, so that no mark lies on the frame; one tick alone stands in the middle.
  const xOf = (value) =>
    round(left + PANEL.width * (first === last ? 0.5 : 0.08 + (0.84 * (value - first)) / (last - first)));
  const bottom = PANEL.top + PANEL.height;
  const grid = powers.map((power) => {
    const y = yOf(10 ** power);
    const label =
      index === 0
        ? `<text class="small end" x="${left - 6}" y="${y + 4}">${duration(10 ** power)}</text>`
        : '';
    return `<path class="grid" d="M${left} ${y}h${PANEL.width}"/>${label}`;
  });
  const marks = ticks.map(
    ({ value, text }) => `<text class="small" x="${xOf(value)}" y="${bottom + 18}">${text}</text>`,
  );
  const lines = series.map((one) => {
    const places = points(one).map(([x, micros]) => [xOf(x), yOf(micros)]);
    const dots = places.map(([x, y]) => `<circle class="dot ${one.style}" cx="${x}" cy="${y}" r="3.5"/>`);
    return places.length === 0
      ? ''
      : `<path class="line ${one.style}" d="M${places.map((place) => place.join(' ')).join('L')}"/>${dots.join('')}`;
  });
  return [
    `<text class="title" x="${left + PANEL.width / 2}" y="${PANEL.top - 12}">${title}</text>`,
    ...grid,
    ...marks,
    `<text class="small" x="${left + PANEL.width / 2}" y="${bottom + 36}">${axis}</text>`,
    ...lines,
  ].join('\n  ');
}

const legend = series.map(
  ({ name, style }, index) =>
    `<path class="line ${style}" d="M${PANEL.left + index * 170} 24h24"/><text class="start" x="${PANEL.left + 32 + index * 170}" y="29">${name}</text>`,
);
const height = PANEL.top + PANEL.height + 68;
const note = `Time per request, ${machine.cores} cores, Node ${machine.node.split('.')[0]}, PostgreSQL ${machine.postgres.split('.')[0]}; lower is better; each line upwards is ten times as much.`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="14" role="img" aria-label="What a request costs as startups and depth grow, beside SQL by hand">
  <style>
    text { fill: #1f2328; text-anchor: middle; } .start { text-anchor: start; } .end { text-anchor: end; }
    .small { font-size: 12px; fill: #59636e; } .grid { stroke: #d1d9e0; }
    .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
    .sql { stroke: #bc4c00; } .graphql { stroke: #8250df; } .rest { stroke: #0969da; }
    .dot.sql { fill: #bc4c00; } .dot.graphql { fill: #8250df; } .dot.rest { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; } .small { fill: #9198a1; } .grid { stroke: #3d444d; }
      .sql { stroke: #f0883e; } .graphql { stroke: #ab7df8; } .rest { stroke: #4493f8; }
      .dot.sql { fill: #f0883e; } .dot.graphql { fill: #ab7df8; } .dot.rest { fill: #4493f8; }
    }
  </style>
  ${legend.join('\n  ')}
  ${panels.map(drawPanel).join('\n  ')}
  <text class="small start" x="${PANEL.left}" y="${height - 10}">${note}</text>
</svg>
`;
writeFileSync(target, svg);
process.stdout.write(`${target}\n`);
