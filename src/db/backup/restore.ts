import type { Client } from 'pg';
import { amount, OperatorError } from '../../lib/errors.ts';
import { DATABASE_ID } from '../database-id.ts';
import type { Database } from '../open.ts';
import { begin, lockForWriting } from '../transaction.ts';
import {
  type BackupCounts,
  type BackupHeader,
  type BackupMark,
  type BackupTable,
  backupTables,
  damaged,
  readBackup,
  type TableHeader,
} from './read-file.ts';
import { type BackupOptions, findSequence, readNextId, readTableColumns } from './write-file.ts';

interface RestoreProgress {
  /** First the whole file is read, then its rows are written. */
  phase: 'validating' | 'applying';
  rows: number;
  /** All rows, once they have been counted. */
  totalRows?: number | undefined;
}

interface RestoreOptions extends Omit<BackupOptions, 'replace' | 'onProgress'> {
  /** Who restores, for the audit log. */
  actor: string;
  yes: boolean;
  onProgress?: ((progress: RestoreProgress) => void) | undefined;
}

/** Running nodes read everything again, and cursors of changes expire. */
const BEGIN_EPOCH =
  "UPDATE revisions SET value = floor(random() * 9007199254740991)::bigint WHERE name = 'epoch'";

const RECORD_RESTORE = `INSERT INTO audit_log (at, actor, action, subject) VALUES ($1, $2, 'data.restore', $3)`;

/** Records that a copy of the files of the database was put back, which nothing in it shows. */
export async function recordRestoredFiles(
  { pool }: Pick<Database, 'pool'>,
  { user, now }: { readonly user: string; readonly now: () => number },
): Promise<void> {
  await pool.query(`WITH begun AS (${BEGIN_EPOCH}) ${RECORD_RESTORE}`, [new Date(now()), user, 'files']);
}

interface Outline {
  readonly header: BackupHeader;
  /** Each table once, whatever the number of its parts. */
  readonly tables: readonly TableHeader[];
}

/**
 * Replaces the whole database with a backup. The file is read to its end first, then
 * again inside one transaction: after any failure, the database is unchanged.
 *
 * Revisions continue from the higher of both, so that every running node notices.
 *
 * @returns when the backup was made, ISO 8601 in UTC, its rows of each table, and whether it is of another database.
 * @throws OperatorError if the backup is incomplete or not of this version, or data would be lost
 * without `yes`; the signal's reason.
 */
export async function restoreBackup(options: RestoreOptions) {
  const { client, path } = options;
  const outline = await readThrough(options, 'validating', undefined, async () => {});
  await checkMigrations(client, path, outline.header);
  await checkColumns(client, path, outline);
  try {
    await apply(options, outline);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    options.signal?.throwIfAborted();
    throw error;
  }
  // The embedded database never does it by itself. The data is there, whatever becomes of this.
  await client.query(`VACUUM (ANALYZE) ${backupTables.join(', ')}`).catch(() => {});
  const counts: BackupCounts = Object.fromEntries(outline.tables.map(({ table, rows }) => [table, rows]));
  const { rows } = await client.query<{ isCopy: boolean }>(
    `SELECT database <> ${DATABASE_ID} AS "isCopy" FROM mail_source`,
  );
  return { createdAt: outline.header.createdAt, counts, isCopy: rows[0]?.isCopy ?? false };
}

async function apply(options: RestoreOptions, outline: Outline): Promise<void> {
  const { client, path, signal } = options;
  const totalRows = outline.tables.reduce((sum, { rows }) => sum + rows, 0);
  await begin(client, options.kind);
  await lockForWriting(client, backupTables, () => signal?.throwIfAborted());
  await checkEmpty(client, options);
  const { rows: sources } = await client.query<{ publicUrl: string | null }>(
    `SELECT public_url AS "publicUrl" FROM mail_source WHERE database = ${DATABASE_ID}`,
  );
  await clear(client, outline.header.mark);
  const written = await readThrough(options, 'applying', totalRows, (table, rows) =>
    insert(client, table, rows),
  );
  if (JSON.stringify(written) !== JSON.stringify(outline)) {
    throw damaged(path, 'it changed while it was read');
  }
  const points = outline.tables.find(({ table }) => table === 'startup_points');
  if (points?.columns.includes('asking_price_changed_at') === false) {
    // Of an earlier version, whose points do not say it.
    await client.query('SELECT revgate_derive_all_prices()');
  }
  // After those of the rows: some may be newer than the mark, which was read before them.
  await client.query(
    `UPDATE revisions SET value = 1 + greatest(value, (SELECT max(revision) FROM startups),
       (SELECT max(revision) FROM startup_removals)) WHERE name = 'dataset'`,
  );
  await restoreSequences(client, outline.tables);
  await restoreMailSource(client, outline.tables, sources[0]);
  await client.query(RECORD_RESTORE, [new Date(options.now()), options.actor, outline.header.createdAt]);
  signal?.throwIfAborted();
  await client.query('COMMIT');
}

async function readThrough(
  { path, signal, onProgress }: RestoreOptions,
  phase: RestoreProgress['phase'],
  totalRows: number | undefined,
  take: (table: TableHeader, rows: readonly string[]) => Promise<void>,
): Promise<Outline> {
  let header: BackupHeader | undefined;
  const tables = new Map<BackupTable, TableHeader>();
  let rows = 0;
  for await (const part of readBackup(path, signal)) {
    if ('header' in part) {
      header = part.header;
    } else if (part.rows.length === 0) {
      tables.set(part.table.table, addPart(path, tables.get(part.table.table), part.table));
    } else {
      await take(part.table, part.rows);
      rows += part.rows.length;
    }
    onProgress?.({ phase, rows, totalRows });
  }
  if (header === undefined) {
    throw damaged(path, 'it is empty');
  }
  return { header, tables: [...tables.values()] };
}

function addPart(path: string, earlier: TableHeader | undefined, part: TableHeader): TableHeader {
  const table = { ...part, rows: part.rows + (earlier?.rows ?? 0) };
  if (earlier !== undefined && JSON.stringify({ ...earlier, rows: table.rows }) !== JSON.stringify(table)) {
    throw damaged(path, `parts of ${part.table} differ`);
  }
  return table;
}

async function checkMigrations(client: Client, path: string, { migrations }: BackupHeader): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT migration_name AS name, checksum FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  );
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (known.get(name) !== checksum) {
      throw new OperatorError(
        `${path} was made by a version with migration ${name}, which this version does not have: use the ` +
          'newer version of revgate that made it. Nothing was changed.',
      );
    }
  }
}

/** Names from a file are used in a statement only if the database has them. */
async function checkColumns(client: Client, path: string, { tables }: Outline): Promise<void> {
  for (const { table, columns } of tables) {
    const known = await readTableColumns(client, table);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown !== undefined || columns.length === 0) {
      throw damaged(path, `the database has no ${table}.${unknown}`);
    }
  }
}

async function checkEmpty(client: Client, { path, yes }: RestoreOptions): Promise<void> {
  if (yes) {
    return;
  }
  const { rows } = await client.query<{ startups: number; keys: number; others: number }>(
    `SELECT (SELECT count(*)::integer FROM startups) AS startups, (SELECT count(*)::integer FROM api_keys) AS keys,
       (SELECT count(*) FROM imports) + (SELECT count(*) FROM accounts) AS others`,
  );
  const { startups = 0, keys = 0, others = 0 } = rows[0] ?? {};
  if (startups + keys + Number(others) > 0) {
    throw new OperatorError(
      `The database is not empty: restoring ${path} would replace ${amount(startups, 'startup')} and ` +
        `${amount(keys, 'key')}. Nothing was changed. Add --yes to replace them.`,
    );
  }
}

async function clear(client: Client, mark: BackupMark): Promise<void> {
  // Triggers raise them further with every statement from here on. The revision of removals, which the mark does not know,
  // they set to what that of the dataset is by then.
  await client.query(
    `UPDATE revisions SET value = greatest(value, CASE name WHEN 'dataset' THEN $1::bigint ELSE $2::bigint END)
     WHERE name IN ('dataset', 'keys')`,
    [mark.dataset, mark.keys],
  );
  await client.query(BEGIN_EPOCH);
  // The triggers of append-only tables let this transaction delete.
  await client.query("SET LOCAL revgate.restore = 'on'");
  // The imports of the backup cannot be undone: it does not have what they replaced.
  await client.query('DELETE FROM undo_log');
  // What accounts were told remains: emails of the time since the backup are not sent again.
  for (const table of backupTables.filter((name) => name !== 'sent_mails').toReversed()) {
    // Not TRUNCATE, for which readers would have to wait.
    await client.query(`DELETE FROM ${table}`);
  }
}

/** Inserts rows, given as JSON. Startups and removals keep their revisions, and so the order in which they changed. */
async function insert(client: Client, { table, columns }: TableHeader, rows: readonly string[]) {
  const list = columns.map((column) => `"${column}"`).join(', ');
  await client.query(
    `INSERT INTO ${table} (${list}) SELECT ${list} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)
     ${table === 'sent_mails' ? 'ON CONFLICT DO NOTHING' : ''}`,
    [`[${rows.join(',')}]`],
  );
}

/**
 * Continues ids behind those of the backup and behind those given since it was made: an id that a client has seen never
 * becomes that of another row.
 */
async function restoreSequences(client: Client, tables: readonly TableHeader[]): Promise<void> {
  for (const { table, nextId } of tables) {
    const sequence = nextId === undefined ? undefined : await findSequence(client, table);
    if (sequence !== undefined) {
      const next = Math.max(Number(nextId), (await readNextId(client, table)) ?? 1);
      // Unlike setval, rolled back with the transaction.
      await client.query(`ALTER SEQUENCE ${sequence} RESTART WITH ${next}`);
    }
  }
}

/**
 * A backup of another database keeps saying so, and emails are held. One of this database leaves the PUBLIC_URL as it is.
 *
 * @param source what was recorded of this database, if it has sent emails before.
 */
async function restoreMailSource(
  client: Client,
  tables: readonly TableHeader[],
  source: { readonly publicUrl: string | null } | undefined,
): Promise<void> {
  if (!tables.some(({ table }) => table === 'mail_source')) {
    // An earlier version made the backup, which does not say of which database it is.
    await client.query("INSERT INTO mail_source (database) VALUES ('')");
  } else if (source !== undefined) {
    await client.query(`UPDATE mail_source SET public_url = $1 WHERE database = ${DATABASE_ID}`, [
      source.publicUrl,
    ]);
  }
}
