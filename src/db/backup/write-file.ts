import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { createOutputFile } from '../../lib/files/output-file.ts';
import { begin, type DatabaseKind, SNAPSHOT, setLocally } from '../transaction.ts';
import {
  BACKUP_FORMAT,
  type BackupCounts,
  type BackupFooter,
  type BackupHeader,
  type BackupMark,
  type BackupTable,
  mailTables,
  otherTables,
  startupTables,
  type TableHeader,
  usageTables,
} from './read-file.ts';

export interface BackupOptions {
  /** One session of the database, with no transaction open. The caller closes it. */
  client: Client;
  kind: DatabaseKind;
  path: string;
  replace: boolean;
  now: () => number;
  signal?: AbortSignal | undefined;
  /** Called with the number of rows written. The total is unknown, as counting in advance would take long. */
  onProgress?: ((rows: number) => void) | undefined;
}

/** Tables that are read one after the other, and what must not change while they are read without a transaction. */
interface TableGroup {
  readonly tables: readonly BackupTable[];
  /** The part of the mark that must be the same from the first of their rows to the end of the last group. */
  readonly unchanged: readonly (keyof BackupMark)[];
}

/**
 * All tables. The counts of requests and the emails come first: the mark does not show whether they changed. Read before
 * the keys, they name no missing key, as only a restore removes keys. Nor does the mark show the removal of old history:
 * whatever part of it a backup has, the state that follows from it is the same.
 */
const groups: readonly TableGroup[] = [
  { tables: [...usageTables, ...mailTables], unchanged: ['epoch'] },
  { tables: startupTables, unchanged: ['epoch', 'dataset'] },
  { tables: otherTables, unchanged: ['epoch', 'dataset', 'keys', 'accounts', 'imports', 'audits'] },
];
const USAGE = 0;
const STARTUPS = 1;

/** How many rows were written of each table. */
type Counts = { [table in BackupTable]?: number };

class ChangedMeanwhile extends Error {}

/**
 * Writes one consistent snapshot of the database to a file: under another name until it is whole and on
 * the disk.
 *
 * On PostgreSQL it is read in one transaction. The embedded database has one session, and a transaction would block
 * all other connections for seconds: there it is read in short statements, and again if anything but counts of
 * requests has changed. The second time, the tables with usually few rows are read in a transaction, from the third
 * time on the startups too. Counts of requests never are: each is from a different moment, before that of the rest.
 *
 * @returns the number of its rows.
 * @throws OperatorError if the file cannot be written; the signal's reason. No file was created then.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupCounts> {
  let transactionFrom = options.kind === 'server' ? USAGE : groups.length;
  for (;;) {
    try {
      return await writeFile(options, transactionFrom);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) {
        throw error;
      }
      transactionFrom = Math.max(STARTUPS, transactionFrom - 1);
    }
  }
}

/** @param transactionFrom the first group to be read inside a transaction. */
async function writeFile(options: BackupOptions, transactionFrom: number): Promise<BackupCounts> {
  const { path, replace, signal } = options;
  const file = await createOutputFile(path, { mode: 0o600, replace, ifExists: 'Add --yes to replace it.' });
  const counts: Counts = {};
  try {
    await pipeline(
      () => encode(options, transactionFrom, counts),
      createGzip({ level: 3, chunkSize: 64 * 1024 }),
      async (compressed: AsyncIterable<Buffer>) => {
        for await (const chunk of compressed) {
          await file.write(chunk);
        }
      },
      signal === undefined ? {} : { signal },
    );
    await file.publish();
    return counts;
  } catch (error) {
    await file.discard();
    signal?.throwIfAborted();
    throw error;
  } finally {
    // If a transaction was begun, it has only read.
    await options.client.query('ROLLBACK').catch(() => {});
  }
}

/** Adds how many rows there were of each table. */
async function* encode(options: BackupOptions, transactionFrom: number, counts: Counts) {
  const { client, now, onProgress } = options;
  const hash = createHash('sha256');
  const hashed = (text: string): string => {
    hash.update(text);
    return text;
  };
  if (transactionFrom === USAGE) {
    await beginReading(options);
  }
  yield hashed(`${JSON.stringify(await readBackupHeader(client, now()))}\n`);
  let written = 0;
  const marks: BackupMark[] = [];
  for (const [index, { tables }] of groups.entries()) {
    if (index === transactionFrom && index !== USAGE) {
      await beginReading(options);
    }
    marks.push(await readMark(client));
    for (const table of tables) {
      for await (const { header, text } of readTableParts(client, table)) {
        counts[table] = (counts[table] ?? 0) + header.rows;
        written += header.rows;
        yield hashed(`${JSON.stringify(header)}\n${text}`);
        onProgress?.(written);
      }
    }
    const mark = await readMark(client);
    if (marks.some((before, group) => groups[group]?.unchanged.some((name) => mark[name] !== before[name]))) {
      throw new ChangedMeanwhile();
    }
  }
  yield `${JSON.stringify({ kind: 'end', sha256: hash.digest('hex') } satisfies BackupFooter)}\n`;
}

async function beginReading({ client, kind }: BackupOptions): Promise<void> {
  await begin(client, kind, SNAPSHOT);
  // Numbers are written with all digits, and times in UTC, whatever this server's defaults are.
  await client.query(setLocally({ extra_float_digits: '1', timezone: 'UTC' }));
}

/**
 * Rows read by one statement: a few ms of an embedded database's time, and up to 50 where all texts are as long as they
 * may be.
 */
const PART_ROWS = 500;
const PART_ROWS_OF_LONG_TEXTS: Readonly<Counts> = {
  startups: 250,
  documents: 20,
  policies: 20,
};

/**
 * The rows of a backup, where it does not have all. Emails that wait are written anew after a restore if they are still
 * true, and those about what accounts saved depend on figures that are in no backup.
 */
const conditions: Readonly<{ [table in BackupTable]?: string }> = {
  sent_mails: `outcome IS NOT NULL AND kind <> 'saved'`,
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
async function readBackupHeader(client: Client, now: number): Promise<BackupHeader> {
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
async function* readTableParts(
  client: Client,
  table: BackupTable,
): AsyncGenerator<{ header: TableHeader; text: string }> {
  const columns = await readTableColumns(client, table);
  const nextId = await readNextId(client, table);
  const key = await readKey(client, table);
  const names = key.map(({ name }) => name).join(', ');
  const values = key.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ');
  const limit = PART_ROWS_OF_LONG_TEXTS[table] ?? PART_ROWS;
  const read = (after: string): string =>
    `SELECT count(*)::integer AS rows, string_agg(row_to_json(r)::text, E'\\n' ORDER BY ${names}) AS text,
       (array_agg(json_build_array(${key.map(({ name }) => `${name}::text`).join(', ')}) ORDER BY ${names}))[count(*)] AS last
     FROM (SELECT * FROM ${table} WHERE ${conditions[table] ?? 'true'} ${after} ORDER BY ${names} LIMIT ${limit}) AS r`;
  let last: string[] | undefined;
  for (;;) {
    const { rows } = await client.query<{ rows: number; last: string[] | null; text: string | null }>(
      last === undefined ? read('') : read(`AND (${names}) > (${values})`),
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
