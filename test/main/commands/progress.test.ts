import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createProgress, type Progress } from '../../../src/main/command-line/progress.ts';

/** What is shown for reports at given times, in ms. */
function show(columns: number | undefined, reports: [at: number, report: Partial<Progress>][]): string {
  const stream = new PassThrough({ encoding: 'utf8' });
  let now = 0;
  const display = createProgress(stream, columns, () => now);
  for (const [at, report] of reports) {
    now = at;
    display.update({ phase: 'validating', records: 0, ...report });
  }
  display.end();
  return (stream.read() as string | null) ?? '';
}

const redraws = (text: string): string[] => text.split('\r\u001b[2K').slice(1, -1);

it('is one line of a terminal, always shorter than that', () => {
  const reports: [number, Partial<Progress>][] = [
    [0, { records: 10 }],
    [2000, { records: 1_000_000, rejected: 300 }],
    [3000, { phase: 'applying', records: 100, totalRecords: 4_000 }],
    [4000, { phase: 'calculating', records: 3, totalRecords: 30 }],
  ];
  const lines = [
    'validating 10 records',
    'validating 1,000,000 records, 300 rejected',
    'applying 100 of 4,000 records',
    'calculating 3 of 30 days of the market',
  ];
  expect(redraws(show(100, reports))).toEqual(lines);
  expect(redraws(show(30, reports))).toEqual(lines.map((text) => text.slice(0, 29)));
});

it('is redrawn ten times a second, and a plain line every five seconds without a terminal', () => {
  const every = (ms: number, count: number) =>
    Array.from({ length: count }, (_, index): [number, object] => [index * ms, { records: index }]);
  expect(redraws(show(100, every(10, 100)))).toHaveLength(10);
  expect(show(undefined, every(100, 121))).toBe('validating 50 records\nvalidating 100 records\n');
});
