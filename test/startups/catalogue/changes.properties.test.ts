import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { Change, ChangeList } from '../../../src/startups/catalogue/changes/change-list.ts';
import { EditionMaker } from '../../../src/startups/catalogue/load/edition-maker.ts';
import { readRows } from '../../../src/startups/catalogue/load/read-rows.ts';
import type { StoredRows } from '../../../src/startups/catalogue/store/row-writer.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { importAndRecord } from '../../../src/startups/import/import-log.ts';
import { UndoConflictError, undoImport } from '../../../src/startups/import/undo.ts';
import { readChangeCursor } from '../../../src/startups/model/requests/changes-request.ts';
import { removeOldHistory } from '../../../src/startups/model/retention.ts';
import { openTestDatabase } from '../../support/database.ts';
import { record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { input, ndjson } from '../import/inputs.ts';

const database = await openTestDatabase();
const client = await database.openClient();
const run = (sql: string) => client.query(sql);

/** A node: it knows of changes when it is told to read them. */
class TestNode {
  readonly #maker = new EditionMaker();
  #rows: StoredRows | undefined;
  #catalogue: Catalogue | undefined;

  async refresh(): Promise<void> {
    const { rows } = await readRows(client, this.#rows);
    this.#rows = rows;
    this.#catalogue = new Catalogue(this.#maker.make(rows, 0));
  }

  get rows(): StoredRows {
    return this.#rows as StoredRows;
  }

  /** What a snapshot has: the revision and the kind of each startup by its slug, and where the changes continue. */
  snapshot(): { copy: Map<string, string>; cursor: string } {
    const catalogue = this.#catalogue as Catalogue;
    const startups = catalogue.range(0, catalogue.size);
    const copy = new Map(
      startups.map(({ slug, createdAt, updatedAt }, at) => [
        slug,
        `${this.rows.columns.revision[at]} ${createdAt === updatedAt ? 'created' : 'updated'}`,
      ]),
    );
    return { copy, cursor: catalogue.lastCursor };
  }

  changes(cursor: string | undefined, first: number): ChangeList {
    return (this.#catalogue as Catalogue).changes({
      since: cursor === undefined ? null : cursorOf(cursor),
      first,
    });
  }
}

const cursorOf = (text: string) => readChangeCursor(text) as NonNullable<ReturnType<typeof readChangeCursor>>;

/** What the database has, by slug: the revision and the kind of the latest change. */
async function stored(): Promise<Map<string, string>> {
  const { rows } = await client.query(
    `SELECT slug, revision, CASE WHEN created_at = updated_at THEN 'created' ELSE 'updated' END AS kind FROM startups`,
  );
  return new Map(rows.map(({ slug, revision, kind }) => [slug, `${revision} ${kind}`]));
}

/** Somebody who keeps a copy of all startups by their changes. */
class TestReader {
  copy = new Map<string, string>();
  cursor: string | undefined;
  /** Every change that was delivered since the copy was begun. */
  #delivered = new Set<string>();

  /** Begins anew. */
  restart(): void {
    this.copy = new Map();
    this.cursor = undefined;
    this.#delivered = new Set();
  }

  /** Begins anew with a snapshot. */
  begin(node: TestNode): void {
    Object.assign(this, node.snapshot());
    this.#delivered = new Set([...this.copy].map(([slug, change]) => `${change} ${slug}`));
  }

  /** Reads some changes; true where there are more. */
  read(node: TestNode, first: number, byEdge = false): boolean {
    const list = node.changes(this.cursor, first);
    expect(list.changes.length).toBeLessThanOrEqual(first);
    for (const [index, change] of list.changes.entries()) {
      const { revision } = cursorOf(list.cursorAt(index));
      const name = `${revision} ${change.kind} ${change.slug}`;
      expect(this.#delivered).not.toContain(name);
      this.#delivered.add(name);
      this.#apply(change, revision);
    }
    this.cursor = byEdge ? (list.endCursor() ?? list.next) : list.next;
    return list.hasMore;
  }

  #apply({ slug, kind, startup }: Change, revision: number): void {
    if (startup === null) {
      expect(kind).toBe('removed');
      this.copy.delete(slug);
    } else {
      expect(startup.slug).toBe(slug);
      this.copy.set(slug, `${revision} ${kind}`);
    }
  }
}

const importRecords = (records: object[], replace = false) =>
  importAndRecord({
    client,
    kind: database.kind,
    fields: standardFields,
    user: 'op',
    via: 'command',
    now: Date.now,
    inputs: [input('a.ndjson', ndjson(...records))],
    ...(replace && { replace: { yes: true } }),
    runLength: 3,
  });

/** Undoes the last import, unless something else has changed its startups since; true if it did. */
async function undo(): Promise<boolean> {
  try {
    await undoImport({ client, kind: database.kind, importId: undefined, dryRun: false, user: 'op' });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(UndoConflictError);
    return false;
  }
}

const slugs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const toRecord = (slug: string, customers: number) => record(slug, { customers });
const recordsOf = (step: Pick<Step, 'slugs' | 'customers'>) =>
  step.slugs.map((slug) => toRecord(slug, step.customers));

describe('changes', () => {
  let node: TestNode;
  beforeEach(async () => {
    await run('TRUNCATE startups RESTART IDENTITY');
    await run('DELETE FROM startup_removals');
    await importRecords(slugs.slice(0, 4).map((slug) => toRecord(slug, 1)));
    node = new TestNode();
    await node.refresh();
  });
  /** Waits for a change, which the node then knows. */
  const change = async (work: Promise<unknown>): Promise<void> => {
    await work;
    await node.refresh();
  };
  it('say that others precede them only to a reader who has read others', async () => {
    await change(run("DELETE FROM startups WHERE slug = 'a'"));
    const list = node.changes(undefined, 100);
    expect([list.hasPrevious(), node.changes(list.next, 1).hasPrevious()]).toEqual([false, true]);
    await change(run('DELETE FROM startups'));
    const empty = node.changes(undefined, 100);
    await change(importRecords([toRecord('z', 1)]));
    const first = node.changes(empty.next, 100);
    expect([first.changes.length, first.hasPrevious()]).toEqual([1, false]);
    expect(node.changes(first.next, 100).hasPrevious()).toBe(true);
  });

  it('expire when nobody knows since when removals are recorded', async () => {
    const { next } = node.changes(undefined, 100);
    await run("DELETE FROM revisions WHERE name = 'unrecorded_removals'");
    await change(run("UPDATE startups SET customers = 77 WHERE slug = 'b'"));
    const expired = { code: 'CURSOR_EXPIRED', status: 410, message: expect.stringMatching(/without since/) };
    expect(() => node.changes(next, 1)).toThrow(expect.objectContaining(expired));
    await run(
      "INSERT INTO revisions SELECT 'unrecorded_removals', value FROM revisions WHERE name = 'dataset'",
    );
  });
});

/** The retention, which keeps at most so many removals. */
const keepRemovals = (count: number) =>
  removeOldHistory({ pool: client, historyDays: 730, now: Date.now }, undefined, count);

/** Forgets the oldest removals. */
async function forgetRemovals(count: number): Promise<void> {
  const { rows } = await client.query('SELECT count(*)::integer FROM startup_removals');
  await keepRemovals(Math.max(0, rows[0].count - count));
}

/** Another life of the data, with some of the startups that there were, as a restore leaves it. */
const restore = (kept: readonly string[]) =>
  run(`BEGIN; UPDATE revisions SET value = floor(random() * 9007199254740991)::bigint WHERE name = 'epoch';
    SET LOCAL revgate.restore = 'on';
    CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM startups WHERE slug IN (${kept.map((slug) => `'${slug}'`).join()});
    DELETE FROM startups; INSERT INTO startups SELECT * FROM kept; COMMIT`);

/** Something that happens to the data, to one of two nodes or to the reader. */
interface Step {
  readonly act: string;
  readonly slugs: readonly string[];
  readonly customers: number;
  readonly node: number;
  readonly first: number;
  readonly byEdge: boolean;
}

/** What happens, and how often beside the others. */
const acts: Readonly<Record<string, number>> = {
  import: 4,
  replace: 2,
  undo: 3,
  delete: 3,
  rename: 2,
  forget: 2,
  truncate: 1,
  move: 1,
  restore: 1,
  refresh: 6,
  snapshot: 3,
  read: 12,
  'catch up': 3,
};
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.oneof(...Object.entries(acts).map(([act, weight]) => ({ weight, arbitrary: fc.constant(act) }))),
  slugs: fc.uniqueArray(fc.constantFrom(...slugs), { minLength: 1, maxLength: 5 }),
  customers: fc.nat(2),
  node: fc.nat(1),
  first: fc.integer({ min: 1, max: 6 }),
  byEdge: fc.boolean(),
});
/** Each of them twice, whatever the seed: also a reader whose cursor expires. */
const everything: Step[] = [1, 2].flatMap((customers) =>
  ['import', 'catch up', ...Object.keys(acts), 'truncate', 'refresh', 'read'].map((act) => ({
    act,
    slugs: ['a', 'c', 'e'],
    customers,
    node: 0,
    first: 2,
    byEdge: customers === 1,
  })),
);

it('a reader misses nothing and gets nothing twice, whatever happens, and begins again only where it must', async () => {
  const seen: Record<string, number> = { expired: 0, caught: 0, undone: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      await run('TRUNCATE startups RESTART IDENTITY');
      await run('DELETE FROM startup_removals');
      const nodes = [new TestNode(), new TestNode()] as const;
      const reader = new TestReader();
      const now = { epoch: 0, lost: 0 };
      /** By node: which life of the data it knows, and the revision of the last removal that is not recorded there. */
      const known = [{ ...now }, { ...now }];
      let readerEpoch = 0;
      const noteLoss = async (name = 'dataset'): Promise<void> => {
        const { rows } = await client.query('SELECT value FROM revisions WHERE name = $1', [name]);
        now.lost = Number(rows[0].value);
      };
      await noteLoss();
      const refresh = async (index: number): Promise<void> => {
        await nodes[index]?.refresh();
        known[index] = { ...now };
      };
      await refresh(0);
      await refresh(1);

      const read = (index: number, first: number, byEdge = false): boolean => {
        const { epoch, lost } = known[index] as (typeof known)[0];
        const cursor = reader.cursor === undefined ? undefined : cursorOf(reader.cursor);
        const mustExpire =
          cursor !== undefined &&
          (readerEpoch !== epoch ||
            (cursor.from > 0
              ? cursor.from < lost
              : cursor.revision < lost || (cursor.revision === lost && cursor.id < 0)));
        if (mustExpire) {
          expect(() => reader.read(nodes[index] as TestNode, first)).toThrow('no longer recorded');
          seen.expired = (seen.expired ?? 0) + 1;
          reader.restart();
        }
        readerEpoch = reader.cursor === undefined ? epoch : readerEpoch;
        return reader.read(nodes[index] as TestNode, first, byEdge);
      };
      const catchUp = async (first: number): Promise<void> => {
        await refresh(0);
        while (read(0, first)) {}
        expect(reader.copy).toEqual(await stored());
        seen.caught = (seen.caught ?? 0) + 1;
      };

      const perform: Record<string, (step: Step) => unknown> = {
        import: (one) => importRecords(recordsOf(one)),
        replace: (one) => importRecords(recordsOf(one), true),
        async undo() {
          seen.undone = (seen.undone ?? 0) + Number(await undo());
        },
        delete: (one) => client.query('DELETE FROM startups WHERE slug = ANY ($1)', [one.slugs]),
        rename: (one) =>
          client.query(
            'UPDATE startups SET slug = $2 WHERE slug = $1 AND NOT EXISTS (SELECT FROM startups WHERE slug = $2)',
            [one.slugs[0], slugs.find((slug) => !one.slugs.includes(slug))],
          ),
        async forget(one) {
          await forgetRemovals(one.first);
          await noteLoss('unrecorded_removals');
        },
        async truncate() {
          await run('TRUNCATE startups');
          await noteLoss();
        },
        async move() {
          await run('UPDATE startups SET id = id + 100');
          await run("SELECT setval(pg_get_serial_sequence('startups', 'id'), 100000)");
          await noteLoss();
        },
        async restore(one) {
          await restore(one.slugs);
          now.epoch += 1;
        },
        refresh: (one) => refresh(one.node),
        snapshot(one) {
          reader.begin(nodes[one.node] as TestNode);
          readerEpoch = (known[one.node] as typeof now).epoch;
        },
        read: (one) => read(one.node, one.first, one.byEdge),
        'catch up': (one) => catchUp(one.first),
      };
      for (const one of steps) {
        seen[one.act] = (seen[one.act] ?? 0) + 1;
        await perform[one.act]?.(one);
      }
      await catchUp(3);
      await keepRemovals(0);
      await refresh(0);
      expect(reader.read(nodes[0], 1)).toBe(false);
    }),
    { ...runs(6), examples: [[everything]] },
  );
  // Otherwise the sequences would prove little.
  expect(Object.entries(seen).filter(([, times]) => times < 2)).toEqual([]);
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(Object.keys(acts)));
}, 120_000);
