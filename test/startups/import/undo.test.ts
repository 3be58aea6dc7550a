import { beforeEach, describe, expect, it } from 'vitest';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { importAndRecord } from '../../../src/startups/import/import-log.ts';
import type { ImportClient } from '../../../src/startups/import/staging.ts';
import { UndoConflictError, type UndoOptions, undoImport } from '../../../src/startups/import/undo.ts';
import { openTestDatabase } from '../../support/database.ts';
import { type ImportRecord, record } from '../../support/records.ts';
import { avoidMidnight, input, ndjson } from './inputs.ts';

// That undoing leaves what there was before is in past-days.properties.test.ts.
await avoidMidnight();
const database = await openTestDatabase();
const client = await database.openClient();
beforeEach(async () => {
  await client.query(
    'TRUNCATE startups, startup_removals, market_days, imports, sent_mails RESTART IDENTITY CASCADE',
  );
});

/** Imports and returns the id of the import. */
async function run(records: readonly ImportRecord[], replaces = false): Promise<number> {
  const { id } = await importAndRecord({
    client,
    kind: database.kind,
    fields: standardFields,
    user: 'op',
    via: 'command',
    now: Date.now,
    inputs: [input('a.ndjson', ndjson(...records))],
    replace: replaces ? { yes: true } : undefined,
  });
  return id as number;
}

const undo = (importId?: number, options: Partial<UndoOptions> = {}) =>
  undoImport({ client, kind: database.kind, importId, dryRun: false, user: 'ada', ...options });

async function everything(): Promise<unknown> {
  const tables = [
    'startups',
    'startup_points',
    'removed_startups',
    'market_days',
    'imports',
    'undo_log',
    'revisions',
  ];
  const rows: unknown[] = [];
  for (const table of tables) {
    rows.push((await client.query(`SELECT to_json(t) FROM ${table} t ORDER BY 1::text`)).rows);
  }
  return rows;
}

async function conflict(undoing: Promise<unknown>): Promise<string> {
  const error = await undoing.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UndoConflictError);
  return (error as Error).message;
}

const named = (slug: string) => ({ slug, name: slug.toUpperCase() });

describe('undoing an import', () => {
  it('forgets what a later import that changed nothing said of its values', async () => {
    const unchanged = async () => (await client.query('SELECT * FROM unchanged_startups')).rows;
    await run([record('a')]);
    const before = await unchanged();
    const id = await run([record('a', { customers: 99 })]);
    await run([record('a', { customers: 99 })]);
    expect(await unchanged()).not.toEqual(before);
    await undo(id);
    expect(await unchanged()).toEqual(before);
  });

  it('says what it does, as a dry run before, and who did it', async () => {
    await run([record('a'), record('b'), record('c')]);
    const id = await run([record('a', { customers: 99 }), record('b'), record('d')], true);
    const told = {
      import: id,
      sources: ['a.ndjson'],
      restored: { count: 1, first: [named('a')] },
      returned: { count: 1, first: [named('c')] },
      removed: { count: 1, first: [named('d')] },
      emails: { count: 0, first: [] },
    };
    const before = await everything();
    expect(await undo(undefined, { dryRun: true })).toMatchObject({ dryRun: true, ...told });
    expect(await everything()).toEqual(before);
    expect(await undo(id)).toMatchObject({ dryRun: false, ...told });
    const { rows } = await client.query(
      "SELECT actor, subject, details FROM audit_log WHERE action = 'startups.undo' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([
      { actor: 'ada', subject: String(id), details: { removed: 1, returned: 1, restored: 1, emails: 0 } },
    ]);
    const [undone] = await database.prisma.import.findMany({ where: { id } });
    expect(undone).toMatchObject({ undoneBy: 'ada', undoneAt: expect.any(Date) });
  });

  it('counts and names the emails that were sent since', async () => {
    const id = await run([record('a')]);
    await client.query(`INSERT INTO accounts (id, email) VALUES ('acc_mail', 'eve@example.com') ON CONFLICT DO NOTHING;
      INSERT INTO sent_mails (kind, account_id, subject, occasion, recorded_at, outcome) VALUES
        ('saved', 'acc_mail', '', '1', clock_timestamp() - interval '1 day', 'sent'),
        ('saved', 'acc_mail', '', '2', clock_timestamp(), 'sent'),
        ('saved', 'acc_mail', '', '3', clock_timestamp(), NULL)`);
    expect(await undo(id, { dryRun: true })).toMatchObject({
      emails: { count: 1, first: ['eve@example.com'] },
    });
  });

  it('is told to readers of changes as ordinary changes, of which none is a new startup', async () => {
    await run([record('a'), record('b')]);
    const id = await run([record('a', { customers: 99 }), record('c')], true);
    const { rows: before } = await client.query("SELECT value FROM revisions WHERE name = 'dataset'");
    await undo(id);
    const { rows: changed } = await client.query(
      'SELECT slug, created_at < updated_at AS "isUpdated" FROM startups WHERE revision > $1 ORDER BY slug',
      [before[0].value],
    );
    expect(changed).toEqual(['a', 'b'].map((slug) => ({ slug, isUpdated: true })));
    const { rows: gone } = await client.query('SELECT slug FROM startup_removals WHERE revision > $1', [
      before[0].value,
    ]);
    expect(gone).toEqual([{ slug: 'c' }]);
  });

  it('can be done to the last five that changed something, the newest first', async () => {
    const ids: number[] = [];
    for (let customers = 1; customers <= 7; customers += 1) {
      ids.push(await run([record('a', { customers })]));
    }
    // One that changes nothing is none.
    await run([record('a', { customers: 7 })]);
    const [, , , , , sixth, seventh] = ids as [number, number, number, number, number, number, number];
    const before = await everything();
    expect(await conflict(undo(sixth))).toBe(
      `Import ${sixth} cannot be undone: the last one that changed something and can be undone is ${seventh}. Nothing was changed.`,
    );
    expect(await everything()).toEqual(before);
    for (const [index, id] of ids.slice(2).toReversed().entries()) {
      await undo(id);
      expect(await database.prisma.startup.findFirst()).toMatchObject({ customers: 6 - index });
    }
    expect(await conflict(undo())).toContain('No import can be undone');
    expect(await conflict(undo(sixth))).toBe(`Import ${sixth} was undone already. Nothing was changed.`);
  });

  it.each([
    ['changed', "UPDATE startups SET customers = 1 WHERE slug = 'a'", 'A, a'],
    ['removed', "DELETE FROM startups WHERE slug = 'a'", 'A, a'],
    [
      'created',
      'INSERT INTO startups SELECT (jsonb_populate_record(s, \'{"id": 900, "slug": "c", "name": "C"}\')).* FROM startups AS s WHERE slug = \'b\'',
      'C, c',
    ],
  ])('is refused, with their names, for startups that SQL has %s since', async (_, sql, names) => {
    await run([record('a'), record('b'), record('c')]);
    const id = await run([record('a', { customers: 99 }), record('b')], true);
    await client.query(sql);
    const before = await everything();
    expect(await conflict(undo(id))).toBe(
      `Import ${id} cannot be undone: 1 startup changed since: ${names}. Nothing was changed.`,
    );
    expect(await everything()).toEqual(before);
  });

  it('leaves everything as it is if it is stopped before its end', async () => {
    await run([record('a'), record('b')]);
    const id = await run([record('a', { customers: 99 }), record('c')], true);
    const before = await everything();
    for (let left = 1; ; left += 3) {
      let queries = 0;
      const failing: ImportClient = {
        query(text, values) {
          queries += 1;
          return queries === left ? Promise.reject(new Error('on purpose')) : client.query(text, values);
        },
      };
      const error = await undo(id, { client: failing }).then(
        () => undefined,
        (thrown: Error) => thrown.message,
      );
      if (error === undefined) {
        break;
      }
      expect(error).toBe('on purpose');
      expect(await everything()).toEqual(before);
    }
    expect(await database.prisma.startup.count()).toBe(2);
  });
});
