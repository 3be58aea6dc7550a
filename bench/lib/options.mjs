import { parseArgs } from 'node:util';

/** The options with their defaults and descriptions. */
const table = {
  parts: ['loads,path', 'some of loads,path'],
  loads: ['', 'some loads, by name (W1) or with their surface (graphql-W1)'],
  rows: ['100000,1000000', 'startups, and startups of the large runs; one number leaves those out'],
  rounds: ['5', 'rounds of each load'],
  secs: ['5', 'seconds of each measurement'],
  warm: ['1', 'seconds before each, not counted'],
  connections: ['32', 'connections of the client'],
  before: ['', 'the directory of another built checkout, for the part path'],
};

/** The options of the command line, checked. */
export function readOptions() {
  const own = Object.entries(table).map(([name, [initial]]) => [name, { type: 'string', default: initial }]);
  const { values } = parseArgs({ options: { help: { type: 'boolean' }, ...Object.fromEntries(own) } });
  if (values.help) {
    const lines = Object.entries(table).map(
      ([name, [initial, text]]) => `  --${name.padEnd(12)}${text}${initial && `, default ${initial}`}\n`,
    );
    process.stdout.write(`Measures revgate against its peers:\n${lines.join('')}`);
    process.exit(0);
  }
  const parts = values.parts.split(',');
  const unknown = parts.find((name) => !['loads', 'path'].includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`--parts: got ${unknown}, allowed: loads, path\n`);
    process.exit(2);
  }
  const [rows, largeRows] = values.rows.split(',').map(Number);
  const numbers = ['rounds', 'secs', 'warm', 'connections'].map((name) => [name, Number(values[name])]);
  return {
    ...values,
    rows,
    largeRows,
    ...Object.fromEntries(numbers),
    parts,
    loads: values.loads === '' ? [] : values.loads.split(','),
  };
}
