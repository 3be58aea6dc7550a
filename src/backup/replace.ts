import type { Client } from 'pg';
import { type BackupMark, backupTables, type TableHeader } from './format.ts';
import { findSequence, readNextId } from './source.ts';

/** Empties all tables. */
export async function clear(client: Client, mark: BackupMark): Promise<void> {
  // Triggers raise them further with every statement from here on. The revision of removals, which the mark does not know,
  // they set to what that of the dataset is by then.
  await client.query(
    `UPDATE revisions SET value = greatest(value, CASE name WHEN 'dataset' THEN $1::bigint ELSE $2::bigint END)
     WHERE name IN ('dataset', 'keys')`,
    [mark.dataset, mark.keys],
  );
  // Running nodes read everything again.
  await client.query(
    "UPDATE revisions SET value = floor(random() * 9007199254740991)::bigint WHERE name = 'epoch'",
  );
  // The triggers of append-only tables let this transaction delete.
  await client.query("SET LOCAL revgate.restore = 'on'");
  for (const table of backupTables.toReversed()) {
    // Not TRUNCATE, for which readers would have to wait.
    await client.query(`DELETE FROM ${table}`);
  }
}

/** Inserts rows, given as JSON. Startups and removals keep their revisions, and so the order in which they changed. */
export async function insert(
  client: Client,
  { table, columns }: TableHeader,
  rows: readonly string[],
): Promise<void> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  await client.query(
    `INSERT INTO ${table} (${list}) SELECT ${list} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    [`[${rows.join(',')}]`],
  );
}

/** Continues revisions after those of the rows: some may be newer than the mark, which was read before them. */
export async function continueRevisions(client: Client): Promise<void> {
  await client.query(
    `UPDATE revisions SET value = 1 + greatest(value, (SELECT max(revision) FROM startups),
       (SELECT max(revision) FROM startup_removals)) WHERE name = 'dataset'`,
  );
}

/**
 * Continues ids behind those of the backup and behind those given since it was made: an id that a client has seen never
 * becomes that of another row.
 */
export async function restoreSequences(client: Client, tables: readonly TableHeader[]): Promise<void> {
  for (const { table, nextId } of tables) {
    const sequence = nextId === undefined ? undefined : await findSequence(client, table);
    if (sequence !== undefined) {
      const next = Math.max(Number(nextId), (await readNextId(client, table)) ?? 1);
      // Unlike setval, rolled back with the transaction.
      await client.query(`ALTER SEQUENCE ${sequence} RESTART WITH ${next}`);
    }
  }
}
