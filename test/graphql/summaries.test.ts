import { describe, expect, it } from 'vitest';
import { listImports, recordImport } from '../../src/startups/import/history.ts';
import { sampleStartups } from '../../src/startups/import/sample.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestGateway } from '../support/gateway.ts';
import { type ImportRecord, insertRecords, record } from '../support/records.ts';

const records: ImportRecord[] = [...sampleStartups({ count: 150, seed: 11 }), record('bare')];
const clock = createTestClock();

const gateway = await openTestGateway({ clock, records, limits: 10_000 });
const { key } = await gateway.key();

describe('dataset', () => {
  const read = async () =>
    (await gateway.graphql('{ dataset { version importedAt total } }', {}, { key })).json.data.dataset;

  it('reports version and size', async () => {
    const dataset = await read();
    expect(dataset).toMatchObject({ version: expect.stringMatching(/^\d+$/), total: records.length });
    expect(await read()).toEqual(dataset);
  });

  it('moves on within a second of a change', async () => {
    await clock.advance(1_000);
    const before = await read();
    await insertRecords(gateway.database, [record('more', { active: false })]);
    await clock.advance(1_000);
    await expect.poll(async () => (await read()).total).toBe(records.length + 1);
    const after = await read();
    expect(after.version).not.toBe(before.version);
    await clock.advance(1_000);
    await gateway.database.prisma.startup.delete({ where: { slug: 'more' } });
    await clock.advance(1_000);
    await expect.poll(async () => (await read()).total).toBe(records.length);
  });

  it('reports when the last import finished, also one that changed nothing, and asks no database', async () => {
    await clock.advance(1_000);
    const { version, importedAt } = await read();
    // The records were put there by hand.
    expect(importedAt).toBeNull();
    const client = await gateway.database.connect();
    const summary = { created: 0, updated: 0, unchanged: 1, rejected: 0, removed: 0, removedSample: 0 };
    await recordImport(client, {
      sources: ['a.ndjson'],
      importedBy: 'op',
      durationMs: 1,
      asOf: null,
      summary: { ...summary, records: 1, points: 0, messages: [], errorCount: 0, errors: [] },
    });
    await client.end();
    const [entry] = await listImports(gateway.database.prisma, 1);
    await clock.advance(1_000);
    await expect.poll(async () => (await read()).importedAt).toBe(entry?.finishedAt.toISOString());
    expect((await read()).version).not.toBe(version);
    gateway.queries.length = 0;
    await read();
    expect(gateway.rowQueries()).toEqual([]);
  });
});
