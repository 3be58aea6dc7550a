import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { createBatches } from '../db/batches.ts';
import type { Startup } from '../db/generated/client/client.ts';
import { digestOf } from '../digest.ts';
import { createRecentlySeen } from '../recently-seen.ts';
import { type Catalogue, matches } from './catalogue/catalogue.ts';
import { storedStartupFields } from './fields.ts';
import type { StartupFilter } from './filter.ts';
import type { StartupRecord } from './record.ts';

/** What a record, in whatever form, tells of itself. */
export interface ReadRecord {
  readonly id: number;
  /** The dataset revision that last changed it. */
  readonly revision: bigint | number;
  /** Its rank in the catalogue that it was read with. */
  readonly rank: number | null;
}

/** Reads records, in whatever form, with their ranks in a catalogue. */
export interface RecordReader<R extends ReadRecord = StartupRecord> {
  /** In the order of the ids; undefined for each that is gone. A record may be newer than the catalogue. */
  byIds(ids: readonly number[], catalogue: Catalogue): Promise<(R | undefined)[]>;
  /** In the order of the slugs; undefined for each unknown one. */
  bySlugs(slugs: readonly string[], catalogue: Catalogue): Promise<(R | undefined)[]>;
  /** Whether a record that is newer than its catalogue passes a filter. */
  passes(record: R, filter: StartupFilter): boolean;
}

/** The most rows that one query reads. */
const BATCH_SIZE = 500;

/**
 * Creates a reader of whole rows, most of them from memory. One that is kept is used only while the
 * catalogue that is being answered from says that the row still has the revision it was read with. Rows
 * that requests ask for at the same time are read together.
 *
 * @param table another one of the same columns; one that is not there has no rows.
 * @param ownSessions whether each connection has a session of its own, in which a statement can be prepared
 *   once. The embedded engine's share one. Where a pooler between turns out to mix them, nothing is prepared
 *   any more.
 * @param capacity how many rows to keep, those used last; 0: none. A thousand take about 2 MB. A row is kept
 *   when it is read a second time.
 */
export function createStartupRows({
  pool,
  capacity,
  table = 'startups',
  ownSessions = false,
}: {
  pool: Pick<pg.Pool, 'query'>;
  capacity: number;
  table?: string;
  ownSessions?: boolean;
}): RecordReader {
  /** Ids by the slugs of the records that are kept. */
  const ids = new Map<string, number>();
  const comesAgain = createRecentlySeen(Math.max(1, capacity));
  const kept =
    capacity === 0
      ? undefined
      : new LRUCache<number, StartupRecord>({
          max: capacity,
          dispose: ({ id, slug }) => {
            if (ids.get(slug) === id) {
              ids.delete(slug);
            }
          },
        });
  const loadBy = (column: 'id' | 'slug') =>
    createBatches<number | string, Startup>({
      load: async (keys) => {
        const rows = await read(column, keys);
        return new Map(rows.map((row) => [row[column], row]));
      },
      size: BATCH_SIZE,
      spacing: 0,
    });
  const loaders = { id: loadBy('id'), slug: loadBy('slug') };
  let newest: Catalogue | undefined;
  let canPrepare = ownSessions;

  async function read(
    column: keyof typeof KEY_TYPES,
    keys: readonly (number | string)[],
  ): Promise<Startup[]> {
    const isPrepared = canPrepare;
    try {
      return await readRows(pool, table, column, keys, isPrepared);
    } catch (error) {
      if (!isPrepared || !NOT_PREPARED.has((error as { code?: string }).code)) {
        throw error;
      }
      canPrepare = false;
      return await readRows(pool, table, column, keys, false);
    }
  }

  function keep(record: StartupRecord): StartupRecord {
    if (kept !== undefined) {
      kept.set(record.id, record);
      ids.set(record.slug, record.id);
    }
    return record;
  }

  function find(id: number | undefined, catalogue: Catalogue): StartupRecord | undefined {
    const record = id === undefined ? undefined : kept?.get(id);
    if (record === undefined || Number(record.revision) !== catalogue.revisionOf(record.id)) {
      return undefined;
    }
    const rank = catalogue.rank(record.id);
    return record.rank === rank ? record : keep({ ...record, rank });
  }

  async function load(
    column: 'id' | 'slug',
    key: number | string,
    catalogue: Catalogue,
  ): Promise<StartupRecord | undefined> {
    const row = await loaders[column].find(key);
    if (row === undefined) {
      return undefined;
    }
    const record = { ...row, rank: catalogue.rank(row.id) };
    return comesAgain(row.id) ? keep(record) : record;
  }

  async function readAll<K extends number | string>(
    column: 'id' | 'slug',
    keys: readonly K[],
    catalogue: Catalogue,
    toId: (key: K) => number | undefined,
  ): Promise<(StartupRecord | undefined)[]> {
    if (catalogue !== newest) {
      // A query that began before this catalogue was read may find rows that are older than it.
      newest = catalogue;
      loaders.id.forget();
      loaders.slug.forget();
    }
    const records = keys.map((key) => find(toId(key), catalogue));
    return records.includes(undefined)
      ? Promise.all(records.map((record, index) => record ?? load(column, keys[index] as K, catalogue)))
      : records;
  }

  return {
    byIds: (wanted, catalogue) => readAll('id', wanted, catalogue, (id) => id),
    bySlugs: (wanted, catalogue) => readAll('slug', wanted, catalogue, (slug) => ids.get(slug)),
    passes: matches,
  };
}

// Each column under the name of its property, as Prisma gives it. Straight to the driver, which takes a
// fifth of the time: this is most of what a request costs that no memory answers.
const COLUMNS = [
  'id',
  ...storedStartupFields.map(({ column, property }) => `"${column}" AS "${property}"`),
  'sample',
  'revision',
].join(', ');

const KEY_TYPES = { id: 'int', slug: 'text' };

const UNDEFINED_TABLE = '42P01';
/** Such a prepared statement does not exist, or does already. */
const NOT_PREPARED: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
};

async function readRows(
  pool: Pick<pg.Pool, 'query'>,
  table: string,
  column: keyof typeof KEY_TYPES,
  keys: readonly (number | string)[],
  isPrepared: boolean,
): Promise<Startup[]> {
  const text = `SELECT ${COLUMNS} FROM ${table} WHERE ${column} = ANY ($1::${KEY_TYPES[column]}[])`;
  // Named by what it is: behind a pooler the name may be known from another version.
  const name = isPrepared ? { name: `revgate ${digestOf(text)}` } : {};
  try {
    const { rows } = await pool.query<Startup>({ ...name, text, values: [keys], types });
    return rows;
  } catch (error) {
    if (table !== 'startups' && (error as { code?: string }).code === UNDEFINED_TABLE) {
      return [];
    }
    throw error;
  }
}
