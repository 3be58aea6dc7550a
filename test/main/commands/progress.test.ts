import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createProgress, type Progress } from '../../../src/main/command-line/progress.ts';

const progress = (more: Partial<Progress>): Progress => ({
  phase: 'validating',
  records: 0,
  bytes: 0,
  rejected: 0,
  ...more,
});

/** What is shown for reports at given times, in ms. */
function show(columns: number | undefined, reports: [at: number, report: Partial<Progress>][]): string {
  const stream = new PassThrough({ encoding: 'utf8' });
  let now = 0;
  const display = createProgress(stream, columns, () => now);
  for (const [at, report] of reports) {
    now = at;
    display.update(progress(report));
  }
  display.end();
  return (stream.read() as string | null) ?? '';
}

describe('on a terminal', () => {
  it('redraws one line with a bar, the rate and the remaining time', () => {
    const drawn = show(100, [
      [0, { records: 10, bytes: 100, totalBytes: 1000 }],
      [2000, { records: 5000, bytes: 250, totalBytes: 1000, rejected: 3 }],
    ]).split('\r\u001b[2K');
    expect(drawn).toEqual([
      '',
      '██░░░░░░░░░░░░░░░░░░░░░░  10 %  validating 10 records',
      '██████░░░░░░░░░░░░░░░░░░  25 %  validating 5,000 records, 2,500/s, 6 s left, 3 rejected',
      '',
    ]);
  });

  it.each([40, 66, 80])('is always shorter than a terminal of %d columns', (columns) => {
    const drawn = show(columns, [
      [0, { records: 10, bytes: 100, totalBytes: 1000 }],
      [2000, { records: 1_000_000, bytes: 250, totalBytes: 1000, rejected: 300 }],
      [4000, { records: 1_000_000, rejected: 300_000 }],
    ]).split('\r\u001b[2K');
    expect(drawn).toHaveLength(5);
    for (const text of drawn) {
      expect(text.length, text).toBeLessThan(columns);
    }
    expect(drawn[2]).toContain('25 %  validating 1,000,000 record');
  });

  it('redraws at most ten times a second', () => {
    const reports = Array.from({ length: 100 }, (_, index): [number, object] => [
      index * 10,
      { records: index },
    ]);
    expect(show(100, reports).split('\r\u001b[2K')).toHaveLength(1 + 10 + 1);
  });

  it('counts what is written against what is to be written, and draws no bar where the whole is unknown', () => {
    const reports: [number, Partial<Progress>][] = [
      [0, { phase: 'applying', totalRecords: 400 }],
      [1000, { phase: 'applying', records: 100, totalRecords: 400 }],
      [2000, { phase: 'calculating', records: 3, totalRecords: 30 }],
      [4000, { phase: 'calculating', records: 3000 }],
    ];
    expect(show(100, reports).split('\r\u001b[2K').slice(2)).toEqual([
      '██████░░░░░░░░░░░░░░░░░░  25 %  applying 100 records, 100/s, 3 s left',
      '██░░░░░░░░░░░░░░░░░░░░░░  10 %  calculating 3 days of the market',
      'calculating 3,000 days of the market, 1,500/s',
      '',
    ]);
  });
});

describe('without a terminal', () => {
  it('writes a plain line every five seconds', () => {
    const reports = Array.from({ length: 121 }, (_, index): [number, object] => [
      index * 100,
      { records: index },
    ]);
    expect(show(undefined, reports)).toBe('validating 50 records, 10/s\nvalidating 100 records, 10/s\n');
  });
});
