import type { Client } from 'pg';
import {
  BACKUP_FORMAT,
  type BackupHeader,
  type BackupMark,
  type BackupTable,
  type TableHeader,
} from './format.ts';

/**
 * Rows read by one statement: a few ms of an embedded database's time, and up to 50 where all texts are as long as they
 * may be.
 */
const PART_ROWS = 500;
const PART_ROWS_OF_LONG_TEXTS: { readonly [table in BackupTable]?: number } = {
  startups: 250,
  documents: 20,
  policies: 20,
};

/** The state of a database: it changes with any change but of the counts of requests. */
export async function readMark(client: Client): Promise<BackupMark> {
  const revision = (name: string): string => `max(value) FILTER (WHERE name = '${name}')::float8 AS ${name}`;
  const { rows } = await client.query<BackupMark>(
    `SELECT ${['dataset', 'keys', 'accounts'].map(revision).join(', ')},
       (SELECT coalesce(max(id), 0)::float8 FROM imports) AS imports,
       (SELECT coalesce(max(id), 0)::float8 FROM audit_log) AS audits, ${revision('epoch')}
     FROM revisions`,
  );
  return rows[0] as BackupMark;
}

/**
 * The header of a backup of what the database holds now.
 *
 * @param now ms since 1970.
 */
export async function readBackupHeader(client: Client, now: number): Promise<BackupHeader> {
  const mark = await readMark(client);
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM "_prisma_migrations"
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return {
    kind: 'revgate backup',
    format: BACKUP_FORMAT,
    createdAt: new Date(now).toISOString(),
    migrations,
    mark,
  };
}

export async function readTableColumns(client: Client, table: BackupTable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The columns of a table's primary key with their types, in its order. */
async function readKey(client: Client, table: BackupTable): Promise<{ name: string; type: string }[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_index AS i CROSS JOIN unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, place)
     JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
     WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY k.place`,
    [table],
  );
  return rows;
}

export async function findSequence(client: Client, table: BackupTable): Promise<string | undefined> {
  const { rows } = await client.query<{ sequence: string | null }>(
    // Null for an id that is not a number; a table without an id is not queried.
    `SELECT pg_get_serial_sequence($1, attname) AS sequence FROM pg_attribute
     WHERE attrelid = $1::regclass AND attname = 'id' AND NOT attisdropped`,
    [table],
  );
  return rows[0]?.sequence ?? undefined;
}

export async function readNextId(client: Client, table: BackupTable): Promise<number | undefined> {
  const sequence = await findSequence(client, table);
  if (sequence === undefined) {
    return undefined;
  }
  const { rows } = await client.query<{ next: number }>(
    `SELECT (last_value + is_called::integer)::float8 AS next FROM ${sequence}`,
  );
  return rows[0]?.next;
}

/**
 * A table in parts, at least one, in the order of its primary key. Each is read by one short statement: they are of one
 * moment only inside a transaction, or where nothing changes meanwhile.
 */
export async function* readTableParts(
  client: Client,
  table: BackupTable,
): AsyncGenerator<{ header: TableHeader; text: string }> {
  const columns = await readTableColumns(client, table);
  const nextId = await readNextId(client, table);
  const key = await readKey(client, table);
  const names = key.map(({ name }) => name).join(', ');
  const after = key.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ');
  const limit = PART_ROWS_OF_LONG_TEXTS[table] ?? PART_ROWS;
  const read = (where: string): string =>
    `SELECT count(*)::integer AS rows, string_agg(row_to_json(r)::text, E'\\n' ORDER BY ${names}) AS text,
       (array_agg(json_build_array(${key.map(({ name }) => `${name}::text`).join(', ')}) ORDER BY ${names}))[count(*)] AS last
     FROM (SELECT * FROM ${table} ${where} ORDER BY ${names} LIMIT ${limit}) AS r`;
  let last: string[] | undefined;
  for (;;) {
    const { rows } = await client.query<{ rows: number; last: string[] | null; text: string | null }>(
      last === undefined ? read('') : read(`WHERE (${names}) > (${after})`),
      last,
    );
    const [part = { rows: 0, last: null, text: null }] = rows;
    // An empty table is a part without rows, for the sake of its next id.
    if (part.rows > 0 || last === undefined) {
      const header = { table, columns, rows: part.rows, ...(nextId === undefined ? {} : { nextId }) };
      yield { header, text: part.text === null ? '' : `${part.text}\n` };
    }
    if (part.last === null || part.rows < limit) {
      return;
    }
    last = part.last;
  }
}
