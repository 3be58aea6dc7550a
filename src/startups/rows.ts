import type pg from 'pg';
import type { Room } from '../byte-store.ts';
import { createBatches } from '../db/batches.ts';
import { digestOf } from '../digest.ts';
import { type Catalogue, matches } from './catalogue/catalogue.ts';
import type { StartupFilter } from './filter.ts';
import type { StartupRecord } from './record.ts';
import { eachRow, type GivenRow, type GivenRows, idIn, readRow, roomOf, rowsExpression } from './row.ts';
import { createRowMemory } from './row-memory.ts';

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
  /** The record with another rank. */
  rankedAs(record: R, rank: number | null): R;
}

/** Reads rows. */
export interface StartupRows extends RecordReader {
  /** Reads what is not kept of some rows, before it is asked for. False where there is no more room. */
  readAhead(ids: readonly number[], catalogue: Catalogue): Promise<boolean>;
}

/** The most rows that one query reads. The texts of more would be so long that the collector keeps them apart. */
const BATCH_SIZE = 200;

/**
 * Creates a reader of whole rows, most of them from memory. One that is kept is used only while the
 * catalogue that is being answered from says that the row still has the revision it was read with. Rows
 * that requests ask for at the same time are read together.
 *
 * @param table another one of the same columns; one that is not there has no rows.
 * @param ownSessions whether each connection has a session of its own, in which a statement can be prepared
 *   once. The embedded engine's share one. Where a pooler between turns out to mix them, nothing is prepared
 *   any more.
 * @param capacity how many bytes of rows to keep; 0: none. A thousand take about 0.45 MB.
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
}): StartupRows {
  const memory = createRowMemory(capacity);
  const read = {
    id: createReader(pool, table, 'id', ownSessions),
    slug: createReader(pool, table, 'slug', ownSessions),
  };
  const loadBy = (column: 'id' | 'slug') =>
    createBatches<number | string, Room>({
      load: async (keys) => {
        const rooms = new Map<number | string, Room>();
        await read[column](keys, (given) => {
          const room = memory.add(given);
          rooms.set(column === 'id' ? given.id : readRow(room, null).slug, room);
        });
        return rooms;
      },
      size: BATCH_SIZE,
      spacing: 0,
    });
  const loaders = { id: loadBy('id'), slug: loadBy('slug') };
  let newest: Catalogue | undefined;

  function find(id: number | undefined, catalogue: Catalogue): StartupRecord | undefined {
    const room = id === undefined ? undefined : memory.find(id, catalogue);
    return id === undefined || room === undefined ? undefined : readRow(room, catalogue.rank(id));
  }

  function readAll<K extends number | string>(
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
    return knownOrRead(
      keys,
      (key) => find(toId(key), catalogue),
      async (missing) => {
        const rooms = await loaders[column].find(missing);
        return rooms.map((room) => room && readRow(room, catalogue.rank(idIn(room))));
      },
    );
  }

  return {
    byIds: (wanted, catalogue) => readAll('id', wanted, catalogue, (id) => id),
    bySlugs: (wanted, catalogue) => readAll('slug', wanted, catalogue, (slug) => memory.idOf(slug)),
    passes: matches,
    rankedAs: (record, rank) => readRow(roomOf(record), rank),
    async readAhead(wanted, catalogue) {
      const missing = wanted.filter((id) => !memory.knows(id, catalogue));
      let hasRoom = true;
      if (missing.length > 0) {
        await read.id(missing, (given) => {
          hasRoom &&= memory.keep(given);
        });
      }
      return hasRoom;
    },
  };
}

/** What is known of some keys, and of the others what is read of them together. */
export async function knownOrRead<K, V>(
  keys: readonly K[],
  know: (key: K) => V | undefined,
  read: (missing: readonly K[]) => Promise<readonly (V | undefined)[]>,
): Promise<(V | undefined)[]> {
  const values = keys.map(know);
  if (!values.includes(undefined)) {
    return values;
  }
  const missing = [...values.keys()].filter((place) => values[place] === undefined);
  const found = await read(missing.map((place) => keys[place] as K));
  for (const [index, place] of missing.entries()) {
    values[place] = found[index];
  }
  return values;
}

const KEY_TYPES = { id: 'int', slug: 'text' };

const UNDEFINED_TABLE = '42P01';
/** Such a prepared statement does not exist, or does already. */
const NOT_PREPARED: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/** Values are taken as they come. */
const types: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value };

/** Reads the rows of a table by one of its columns. */
function createReader(
  pool: Pick<pg.Pool, 'query'>,
  table: string,
  column: 'id' | 'slug',
  canPrepare: boolean,
) {
  const text = `SELECT ${rowsExpression} FROM ${table} WHERE ${column} = ANY ($1::${KEY_TYPES[column]}[])`;
  const query = { text, types, rowMode: 'array' as const };
  // Named by what it is: behind a pooler the name may be known from another version.
  const prepared = { ...query, name: `revgate ${digestOf(text)}` };
  let isPrepared = canPrepare;

  return async (keys: readonly (number | string)[], take: (row: GivenRow) => void): Promise<void> => {
    const wasPrepared = isPrepared;
    const ask = async (): Promise<void> => {
      const { rows } = await pool.query<[...GivenRows]>({
        ...(isPrepared ? prepared : query),
        // Of numbers the driver would look at each.
        values: [column === 'id' ? `{${keys.join()}}` : keys],
      });
      eachRow(rows[0] as GivenRows, take);
      // Old objects of the driver may refer to the result; it would be held until they are collected.
      rows.length = 0;
    };
    try {
      return await ask();
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === UNDEFINED_TABLE && table !== 'startups') {
        return;
      }
      if (!wasPrepared || !NOT_PREPARED.has(code)) {
        throw error;
      }
      isPrepared = false;
      await ask();
    }
  };
}
