import { parseArgs } from 'node:util';
import { targetNames } from './targets.mjs';

const PARTS = ['loads', 'writes', 'growth', 'path'];

const HELP = `Measures revgate against its peers. All options shorten or change the run:
  --parts       some of ${PARTS.join(',')}
  --loads       some loads, by name (W1) or with their surface (graphql-W1)
  --targets     some of ${targetNames.join(',')}
  --rows        startups, and startups of the large runs: 100000,1000000; one number leaves those out
  --rounds      rounds of each load, 5
  --secs        seconds of each measurement, 5
  --warm        seconds before each, not counted, 1
  --connections 32
  --before      the directory of another built checkout, for the part path
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
  before: '',
  out: '',
};

/** The options of the command line, checked. */
export function readOptions() {
  const options = Object.entries(texts).map(([name, text]) => [name, { type: 'string', default: text }]);
  const { values } = parseArgs({ options: { help: { type: 'boolean' }, ...Object.fromEntries(options) } });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const [rows, largeRows] = values.rows.split(',').map(Number);
  for (const [option, known] of Object.entries({ parts: PARTS, targets: targetNames })) {
    const unknown = values[option].split(',').find((name) => !known.includes(name));
    if (unknown !== undefined) {
      process.stderr.write(`--${option}: got ${unknown}, allowed: ${known.join(', ')}\n`);
      process.exit(2);
    }
  }
  const { parts, targets, loads, rounds, secs, warm, connections, before, out } = values;
  return {
    parts: parts.split(','),
    targets: targets.split(','),
    loads: loads === '' ? [] : loads.split(','),
    ...{ rows, largeRows, before, out },
    rounds: Number(rounds),
    secs: Number(secs),
    warm: Number(warm),
    connections: Number(connections),
  };
}
