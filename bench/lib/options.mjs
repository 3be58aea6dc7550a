import { parseArgs } from 'node:util';
import { targetNames } from './targets.mjs';

const PARTS = [
  'loads',
  'search',
  'history',
  'writes',
  'ready',
  'growth',
  'worst',
  'flood',
  'path',
  'fairness',
];

const HELP = `Measures revgate against its peers. All options shorten or change the run:
  --parts       some of ${PARTS.join(',')}
  --loads       some loads, by name (W1) or with their surface (graphql-W1)
  --targets     some of ${targetNames.join(',')}
  --rows        startups, and startups of the large runs: 100000,1000000; one number leaves those out
  --rounds      rounds of each load, 5
  --secs        seconds of each measurement, 5
  --warm        seconds before each, not counted, 1
  --connections 32
  --categories  skewed as in real catalogues (a fifth in the first), or even as in the sample
  --before      the commit that the part path compares with, 0f55a8e
  --out         where the report goes, results/benchmark (.json and .md)
BENCH_DATABASE_URL names the PostgreSQL server; databases revgate_bench_… are made there and kept.
`;

const texts = {
  parts: PARTS.join(','),
  loads: '',
  targets: targetNames.join(','),
  rows: '100000,1000000',
  rounds: '5',
  secs: '5',
  warm: '1',
  connections: '32',
  categories: 'skewed',
  before: '0f55a8e',
  out: '',
};

/** The options of the command line, checked. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      ...Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, { type: 'string', default: text }]),
      ),
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const [rows, largeRows] = values.rows.split(',').map(Number);
  return {
    parts: someOf('--parts', values.parts, PARTS),
    targets: someOf('--targets', values.targets, targetNames),
    loads: values.loads === '' ? [] : values.loads.split(','),
    rows,
    largeRows,
    rounds: Number(values.rounds),
    secs: Number(values.secs),
    warm: Number(values.warm),
    connections: Number(values.connections),
    categories: values.categories,
    before: values.before,
    out: values.out,
  };
}

function someOf(option, text, known) {
  const names = text.split(',');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`${option}: got ${unknown}, allowed: ${known.join(', ')}\n`);
    process.exit(2);
  }
  return names;
}
