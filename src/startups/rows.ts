import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { createBatches } from '../db/batches.ts';
import type { Startup } from '../db/generated/client/client.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { storedStartupFields } from './fields.ts';

/**
 * Whole rows of startups, most of them from memory. A row that is kept is used only while the catalogue
 * that is being answered from says that it still has the revision it was read with.
 */
export interface StartupRows {
  /** In the order of the ids; undefined for each that is gone. */
  byIds(ids: readonly number[], catalogue: Catalogue): Promise<(Startup | undefined)[]>;
  /** In the order of the slugs; undefined for each unknown one. */
  bySlugs(slugs: readonly string[], catalogue: Catalogue): Promise<(Startup | undefined)[]>;
}

/** The most rows that one query reads. */
const BATCH_SIZE = 500;

/**
 * Creates the reader. Rows that requests ask for at the same time are read together.
 *
 * @param table another one of the same columns; one that is not there has no rows.
 * @param capacity how many rows to keep, those used last; 0: none. A thousand take about 1.5 MB.
 */
export function createStartupRows({
  pool,
  capacity,
  table = 'startups',
}: {
  pool: Pick<pg.Pool, 'query'>;
  capacity: number;
  table?: string;
}): StartupRows {
  const ids = new Map<string, number>();
  const kept =
    capacity === 0
      ? undefined
      : new LRUCache<number, Startup>({
          max: capacity,
          noDisposeOnSet: true,
          dispose: ({ slug }) => ids.delete(slug),
        });
  const loadBy = (column: 'id' | 'slug') =>
    createBatches<number | string, Startup>({
      load: async (keys) => {
        const rows = await readRows(pool, table, column, keys);
        return new Map(rows.map((row) => [row[column], row]));
      },
      size: BATCH_SIZE,
      spacing: 0,
    });
  const loaders = { id: loadBy('id'), slug: loadBy('slug') };
  let newest: Catalogue | undefined;

  function find(id: number | undefined, catalogue: Catalogue): Startup | undefined {
    const row = id === undefined ? undefined : kept?.get(id);
    return row !== undefined && Number(row.revision) === catalogue.revisionOf(row.id) ? row : undefined;
  }

  async function load(column: 'id' | 'slug', key: number | string): Promise<Startup | undefined> {
    const row = await loaders[column].find(key);
    if (row !== undefined && kept !== undefined) {
      kept.set(row.id, row);
      ids.set(row.slug, row.id);
    }
    return row;
  }

  async function readAll<K extends number | string>(
    column: 'id' | 'slug',
    keys: readonly K[],
    catalogue: Catalogue,
    idOf: (key: K) => number | undefined,
  ): Promise<(Startup | undefined)[]> {
    if (catalogue !== newest) {
      // A query that began before this catalogue was read may find rows that are older than it.
      newest = catalogue;
      loaders.id.forget();
      loaders.slug.forget();
    }
    const rows = keys.map((key) => find(idOf(key), catalogue));
    return rows.includes(undefined)
      ? Promise.all(rows.map((row, index) => row ?? load(column, keys[index] as K)))
      : rows;
  }

  return {
    byIds: (wanted, catalogue) => readAll('id', wanted, catalogue, (id) => id),
    bySlugs: (wanted, catalogue) => readAll('slug', wanted, catalogue, (slug) => ids.get(slug)),
  };
}

// Each column under the name of its property, as Prisma gives it. Straight to the driver, which takes a
// fifth of the time: this is most of what a request costs that no memory answers. Not a named statement,
// since the connections of the embedded engine share one session, and with it the names.
const COLUMNS = [
  'id',
  ...storedStartupFields.map(({ column, property }) => `"${column}" AS "${property}"`),
  'sample',
  'revision',
].join(', ');

const KEY_TYPES = { id: 'int', slug: 'text' };

const UNDEFINED_TABLE = '42P01';

const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
};

async function readRows(
  pool: Pick<pg.Pool, 'query'>,
  table: string,
  column: keyof typeof KEY_TYPES,
  keys: readonly (number | string)[],
): Promise<Startup[]> {
  const text = `SELECT ${COLUMNS} FROM ${table} WHERE ${column} = ANY ($1::${KEY_TYPES[column]}[])`;
  try {
    const { rows } = await pool.query<Startup>({ text, values: [keys], types });
    return rows;
  } catch (error) {
    if (table !== 'startups' && (error as { code?: string }).code === UNDEFINED_TABLE) {
      return [];
    }
    throw error;
  }
}
