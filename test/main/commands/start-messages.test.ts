import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { announceReading } from '../../../src/main/command-line/start-messages.ts';
import { contextOf } from './process.ts';

/** What a start with so many startups writes while it reads them; `advance` moves its clock. */
async function startOf(count: number) {
  const background = { query: async () => ({ rows: [{ count }] }) };
  const stdout = new PassThrough({ encoding: 'utf8' });
  let at = 0;
  const context = contextOf({ background } as unknown as Database, '.');
  const reading = await announceReading(context.database, { ...context, stdout, now: () => at });
  return {
    ...reading,
    advance: (ms: number) => {
      at += ms;
    },
    written: () => (stdout.read() as string | null) ?? '',
  };
}

it('says how many startups it reads, and every few seconds how far it is', async () => {
  const start = await startOf(1_000_000);
  expect(start.written()).toBe('Reading 1,000,000 startups …\n');
  start.update(1);
  start.advance(6_000);
  start.update(300_000);
  expect(start.written()).toBe('reading 300,000 startups, 50,000/s, 14 s left\n');
  start.advance(6_000);
  start.update(undefined);
  expect(start.written()).toBe('sorting 1,000,000 startups\n');
  start.end();
  expect(start.written()).toBe('');
});

it('says nothing where it takes no time', async () => {
  const start = await startOf(19_999);
  start.update(10_000);
  start.end();
  expect(start.written()).toBe('');
});
