import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { OperatorError } from '../lib/errors.ts';
import { begin, type DatabaseKind } from './transaction.ts';

// The key that Prisma's own `migrate deploy` locks, so that the two never run at once. Held until the end of a
// transaction: a pooler does not preserve sessions.
const ADVISORY_LOCK = 72707369;

const RECORDS = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

export const MIGRATIONS: URL = new URL('../../prisma/migrations/', import.meta.url);

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file, as Prisma records it. */
  checksum: string;
}

export function readMigrations(directory: URL): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(`${name}/migration.sql`, directory), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * Applies all pending migrations or none, and records them as `prisma migrate deploy` would. Several nodes may do
 * so at once: one applies them, the others wait.
 *
 * @returns the names of the migrations applied.
 * @throws OperatorError when the database was created by a newer or another version.
 */
export async function migrate(client: Client, kind: DatabaseKind, migrations: readonly Migration[]) {
  await begin(client, kind);
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    await client.query(RECORDS);
    const missing = await findMissing(client, migrations);
    for (const migration of missing) {
      await apply(client, migration);
    }
    await client.query('COMMIT');
    return missing.map(({ name }) => name);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The tables of a database are those of an older version. */
export class OutdatedDatabaseError extends OperatorError {}

/**
 * Checks that all migrations of a database were applied, for what must not migrate it: an older version may be using it.
 * Changes nothing.
 *
 * @throws OutdatedDatabaseError when some are pending; OperatorError when the database was created by a newer or another
 *   version.
 */
export async function requireMigrated(client: Client, migrations: readonly Migration[]): Promise<void> {
  const missing = await findMissing(client, migrations);
  if (missing.length > 0) {
    const last = migrations.findLast((migration) => !missing.includes(migration));
    throw new OutdatedDatabaseError(
      `The database is of an older version of revgate: its last migration is ${last?.name ?? 'none'}, and this version needs ${nameOfLast(migrations)}. Nothing was changed.`,
      'Make a backup with the older version, which you need to go back. Then stop all servers, and run: npx revgate migrate',
    );
  }
}

const nameOfLast = (migrations: readonly Migration[]): string => migrations.at(-1)?.name ?? 'none';

/** Whether any migration was ever applied in the current schema: the search_path may lead to those of another revgate. */
export async function hasMigrations(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `SELECT to_regclass(quote_ident(current_schema()) || '."_prisma_migrations"') IS NOT NULL AS has`,
  );
  return rows[0]?.has === true;
}

async function findMissing(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{
    migration_name: string;
    checksum: string;
    finished_at: Date | null;
  }>('SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL');
  const recorded = new Map(rows.map((row) => [row.migration_name, row]));
  checkRecorded(recorded, migrations);
  return migrations.filter(({ name }) => !recorded.has(name));
}

function checkRecorded(
  recorded: ReadonlyMap<string, { checksum: string; finished_at: Date | null }>,
  migrations: readonly Migration[],
): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const newest = [...recorded.keys()]
    .filter((name) => !known.has(name))
    .sort()
    .at(-1);
  if (newest !== undefined) {
    throw new OperatorError(
      `The database has migration ${newest}, which this version of revgate does not have: its last one is ${nameOfLast(migrations)}. Nothing was changed.`,
      'Run the newer version that applied it. To go back to this version, restore a backup that it made into an empty database.',
    );
  }
  for (const [name, { checksum, finished_at }] of recorded) {
    if (finished_at === null) {
      throw new OperatorError(
        `Migration ${name} was begun elsewhere and did not finish: finish it with "prisma migrate resolve".`,
      );
    }
    if (known.get(name)?.checksum !== checksum) {
      throw new OperatorError(
        `Migration ${name} in the database differs from this version's: restore its file, or use another database.`,
      );
    }
  }
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw new OperatorError(`Migration ${name} failed, and nothing was changed: ${(error as Error).message}`);
  }
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), now(), 1)`,
    [randomUUID(), checksum, name],
  );
}
