import { describe, expect, it } from 'vitest';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { importAndRecord, listImports } from '../../../src/startups/import/import-log.ts';
import { input, ndjson } from '../../startups/import/inputs.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const clock = createTestClock();

const gateway = await openTestGateway({ clock, records: [record('one')], limits: 10_000 });
const { key } = await gateway.key();

describe('dataset', () => {
  const read = async () =>
    (await gateway.graphql('{ dataset { version importedAt total } }', {}, { key })).json.data.dataset;

  it('reports when the last import finished, also one that changed nothing, and asks no database', async () => {
    await clock.advance(1_000);
    const { version, importedAt, total } = await read();
    expect([version, total]).toEqual([expect.stringMatching(/^\d+$/), 1]);
    // The records were put there by hand.
    expect(importedAt).toBeNull();
    const client = await gateway.database.connect();
    await importAndRecord({
      client,
      kind: gateway.database.kind,
      fields: standardFields,
      user: 'op',
      via: 'command',
      now: Date.now,
      inputs: [input('a.ndjson', ndjson(record('one')))],
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
