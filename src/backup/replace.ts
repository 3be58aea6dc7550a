import type { Client } from 'pg';
import type { NextTable } from '../db/next-table.ts';
import { type BackupMark, backupTables, type TableHeader } from './format.ts';
import { findSequence } from './source.ts';

/** The revision that restored startups get, the next above both sides'. */
export async function readRevision(client: Client, mark: BackupMark): Promise<string> {
  const { rows } = await client.query<{ revision: string }>(
    "SELECT greatest(value, $1) + 1 AS revision FROM revisions WHERE name = 'dataset'",
    [mark.dataset],
  );
  return String(rows[0]?.revision);
}

/**
 * Empties all tables but startups that are to be replaced by those beside.
 *
 * @param written the revision that those beside have.
 */
export async function clear(
  client: Client,
  mark: BackupMark,
  next: NextTable | undefined,
  written: string,
): Promise<void> {
  if (next !== undefined) {
    const revision = await readRevision(client, mark);
    if (revision !== written) {
      // Somebody has changed the startups since the rows beside were written.
      await client.query(`UPDATE ${next.name} SET revision = $1`, [revision]);
    }
    await client.query("UPDATE revisions SET value = $1 WHERE name IN ('dataset', 'removals')", [revision]);
  }
  // Triggers raise them further with every statement from here on, and stamp each row. The revision of removals,
  // which the mark does not know, they set to what that of the dataset is by then.
  await client.query(
    `UPDATE revisions SET value = greatest(value, CASE name WHEN 'dataset' THEN $1::bigint ELSE $2::bigint END)
     WHERE name IN ('dataset', 'keys')`,
    [mark.dataset, mark.keys],
  );
  // What is only ever added to lets this transaction through.
  await client.query("SET LOCAL revgate.restore = 'on'");
  for (const table of backupTables.toReversed()) {
    if (table !== 'startups' || next === undefined) {
      // Not TRUNCATE, for which readers would have to wait.
      await client.query(`DELETE FROM ${table}`);
    }
  }
}

/** Rows of one statement beside: some 10 ms of an embedded database's time. */
const BESIDE_ROWS = 200;

/** Inserts rows, given as JSON, beside a table. No trigger stamps them there. */
export async function insertBeside(
  client: Client,
  { name }: NextTable,
  { columns }: TableHeader,
  rows: readonly string[],
  revision: string,
): Promise<void> {
  const others = columns.filter((column) => column !== 'revision');
  for (let at = 0; at < rows.length; at += BESIDE_ROWS) {
    await insert(client, name, others, rows.slice(at, at + BESIDE_ROWS), { revision });
  }
}

/** Inserts rows, given as JSON. */
export async function insert(
  client: Client,
  table: string,
  columns: readonly string[],
  rows: readonly string[],
  more: { revision?: string } = {},
): Promise<void> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const [names, values] =
    more.revision === undefined ? [list, list] : [`${list}, revision`, `${list}, ${more.revision}`];
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [`[${rows.join(',')}]`],
  );
}

/** Lets ids go on from where the backup was. */
export async function restoreSequences(client: Client, tables: readonly TableHeader[]): Promise<void> {
  for (const { table, nextId } of tables) {
    const sequence = nextId === undefined ? undefined : await findSequence(client, table);
    if (sequence !== undefined) {
      // Unlike setval, undone with the transaction.
      await client.query(`ALTER SEQUENCE ${sequence} RESTART WITH ${Number(nextId)}`);
    }
  }
}
