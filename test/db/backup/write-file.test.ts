import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createUsageStore, USAGE_KEPT_DAYS } from '../../../src/access/usage/store.ts';
import { type BackupTable, backupTables, mailTables, usageTables } from '../../../src/db/backup/read-file.ts';
import { readMark } from '../../../src/db/backup/write-file.ts';
import type { Database } from '../../../src/db/open.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createTestKey } from '../../support/keys.ts';
import { insertRecords, record } from '../../support/records.ts';
import { backUp, NOW, type Rows, readParts, readRows, readText, restore } from './backup-file.ts';

const DAY_MS = 86_400_000;
/** Of each more than a part of a backup holds. */
const [STARTUPS, ACCOUNTS, USAGE_ROWS] = [260, 510, 1_100];

async function openFilled(): Promise<Database> {
  const database = await openTestDatabase();
  await insertRecords(
    database,
    Array.from({ length: STARTUPS }, (_, index) => record(`startup-${index}`)),
  );
  // The oldest count is as old as is kept.
  const oldest = new Date(NOW - USAGE_KEPT_DAYS * DAY_MS).toISOString();
  await database.pool.query(
    `INSERT INTO accounts (id, name) SELECT 'acc_' || n, 'n' FROM generate_series(1, ${ACCOUNTS}) AS n;
     INSERT INTO account_providers (id, account_id, provider, provider_account_id, password)
       SELECT 'p' || substr(id, 4), id, 'credential', id, 'x' FROM accounts;
     INSERT INTO policy_acceptances SELECT id, '2026-01-01', now() FROM accounts;
     INSERT INTO policies VALUES ('2026-01-01', 'Be fair.');
     INSERT INTO api_keys (id, name, prefix, hash, tier, policy_version, policy_accepted_by, account_id)
       SELECT 'key_' || substr(id, 5), 'n', 'rvg_', sha256(id::bytea), 'standard', '2026-01-01', 'x', id FROM accounts;
     INSERT INTO documents (family_id, hash, text, operations)
       SELECT 'key_1', sha256(convert_to(n::text, 'UTF8')), n, '{}' FROM generate_series(1, 50) AS n;
     INSERT INTO audit_log (actor, action, subject) SELECT 'x', 'key.create', id FROM api_keys ORDER BY id;
     INSERT INTO imports (sources, imported_by, duration_ms, created, updated, unchanged, rejected, removed)
       VALUES ('{a}', 'x', 1, 1, 1, 1, 1, 1);
     INSERT INTO key_usage
       SELECT 'key_' || 1 + n % 20, '${oldest}'::timestamptz + n * interval '3 hours', 'rest', 200, 5
       FROM generate_series(1, ${USAGE_ROWS}) AS n;
     INSERT INTO key_durations SELECT key_id, hour, 'Infinity', 5 FROM key_usage LIMIT 510;
     INSERT INTO key_last_uses SELECT id, now() FROM api_keys`,
  );
  return database;
}

type Query = (...parameters: unknown[]) => Promise<unknown>;

/**
 * The same database, whose connections wait for something of others before each of their statements.
 *
 * @param others gets the statement, and whether a transaction keeps others out.
 */
function between(database: Database, others: (sql: string, isAlone: boolean) => Promise<unknown>): Database {
  const connect = async () => {
    const client = await database.connect();
    const query: Query = client.query.bind(client);
    let isAlone = false;
    const waiting: Query = async (text, ...more) => {
      const sql = String(text);
      await others(sql, isAlone);
      isAlone = database.kind === 'embedded' && (isAlone || sql.startsWith('BEGIN')) && sql !== 'ROLLBACK';
      return query(text, ...more);
    };
    return Object.assign(client, { query: waiting });
  };
  return { ...database, connect };
}

/** How many requests each row of the counts has. */
async function readUsage({ pool }: Database): Promise<Map<string, number>> {
  const { rows } = await pool.query<[string, number]>({
    text: "SELECT concat_ws(' ', key_id, hour, surface, status), requests::float8 FROM key_usage",
    rowMode: 'array',
  });
  return new Map(rows);
}

async function restoredRows(path: string): Promise<Rows> {
  const database = await openTestDatabase();
  await restore(database, path);
  return readRows(database);
}

it('a backup lets other queries run before each of its statements, each of which reads few rows', async () => {
  const database = await openFilled();
  let answers = 0;
  const path = await backUp(
    between(database, async () => {
      await database.background.query('SELECT');
      answers += 1;
    }),
  );
  const parts = readParts(readText(path));
  expect(answers).toBeGreaterThan(parts.length);
  const rowsOf = (table: BackupTable): number[] =>
    parts.flatMap(({ header, rows }) => (header.table === table ? [rows.length] : []));
  expect(rowsOf('key_usage')).toEqual([500, 500, 100]);
  expect(rowsOf('policy_acceptances')).toEqual([500, 10]);
  expect(rowsOf('startups')).toEqual([250, 10]);
  expect(rowsOf('documents')).toEqual([20, 20, 10]);
});

it('a backup made while usage counts are added and removed restores a consistent state', async () => {
  const database = await openFilled();
  const [first, before] = [await readRows(database), await readUsage(database)];
  let days = 0;
  // Each time that counts are added, another day of them is too old.
  const add = createUsageStore(database.pool, () => NOW + days * DAY_MS);
  let made = '';
  const counting = between(database, async (sql, isAlone) => {
    if (isAlone) {
      return;
    }
    if (made === '' && sql.includes('FROM key_usage WHERE')) {
      const context = { prisma: database.prisma, now: () => NOW, actor: 'x', randomBytes };
      made = (await createTestKey(context)).id;
    }
    days += 1;
    const count = { hour: NOW, surface: 'graphql', status: 200, upTo: 1, requests: 1, lastUsedAt: NOW };
    const keys = made === '' ? ['key_1', 'key_20'] : ['key_1', 'key_20', made];
    await add(keys.map((keyId) => ({ ...count, keyId })));
  });
  const path = await backUp(counting);
  const after = await readUsage(database);
  // One transaction sees nothing that came after its beginning.
  const expected = database.kind === 'embedded' ? await readRows(database) : first;
  expect(made).not.toBe('');
  expect([...before.keys()].filter((row) => !after.has(row)).length).toBeGreaterThan(100);

  const restored = await openTestDatabase();
  await restore(restored, path);
  const rows = await readRows(restored);
  for (const table of backupTables) {
    if (!usageTables.some((name) => name === table)) {
      expect(rows[table], table).toEqual(expected[table]);
    }
  }
  const usage = await readUsage(restored);
  const stayed = [...before.keys()].filter((row) => after.has(row));
  expect(stayed.filter((row) => usage.get(row) !== 5)).toEqual([]);
  for (const [row, requests] of usage) {
    expect(requests, row).toBeLessThanOrEqual(Math.max(before.get(row) ?? 0, after.get(row) ?? 0));
  }
  // No count is of a key that the backup does not hold.
  const { rows: orphans } = await restored.pool.query(
    `SELECT key_id FROM (SELECT key_id FROM key_usage UNION SELECT key_id FROM key_durations) AS counts
     WHERE key_id NOT IN (SELECT id FROM api_keys)`,
  );
  expect(orphans).toEqual([]);

  // And while nothing happens, nothing differs.
  await restore(restored, await backUp(database));
  expect(await readRows(restored)).toEqual(await readRows(database));
});

it('startups and accounts that keep changing are backed up consistently, and counts still without a transaction', async () => {
  const database = await openFilled();
  let changes = 0;
  let blocked = 0;
  const changing = between(database, async (sql, isAlone) => {
    if (isAlone) {
      blocked += sql.includes('FROM key_usage') ? 1 : 0;
      return;
    }
    changes += 1;
    // Some of each part, which all had 10 before.
    await database.background.query('UPDATE startups SET customers = 10 + $1 WHERE id % 50 = 1', [changes]);
    await database.background.query('UPDATE accounts SET name = $1', [changes]);
    await database.background.query('UPDATE account_providers SET password = $1', [changes]);
  });
  const rows = await restoredRows(await backUp(changing));
  const generations = (table: BackupTable, column: string): Set<unknown> =>
    new Set(rows[table]?.map((row) => JSON.parse(row)[column]));
  const names = generations('accounts', 'name');
  expect([names.size, generations('startups', 'customers').size]).toEqual([1, 2]);
  expect(rows.startups).toHaveLength(STARTUPS);
  expect(generations('account_providers', 'password')).toEqual(names);
  expect(rows.account_providers).toHaveLength(ACCOUNTS);
  expect(blocked).toBe(0);
});

it('counts that were read before a restore are read again after it', async () => {
  const database = await openFilled();
  let isRestored = false;
  const replacing = between(database, async (sql, isAlone) => {
    if (!isRestored && !isAlone && sql.includes('FROM startups')) {
      isRestored = true;
      await database.background.query('DELETE FROM key_usage');
      await database.background.query("UPDATE revisions SET value = value + 1 WHERE name = 'epoch'");
    }
  });
  const rows = await restoredRows(await backUp(replacing));
  expect(isRestored).toBe(true);
  // One transaction saw none of it.
  expect(rows.key_usage).toHaveLength(database.kind === 'embedded' ? 0 : USAGE_ROWS);
});

it('a change of any table but the counts shows in the mark', async () => {
  const database = await openFilled();
  const client = await database.connect();
  onTestFinished(() => client.end());
  const changes: { readonly [table in BackupTable]?: string } = {
    startups: "UPDATE startups SET name = 'x' WHERE id = 1; DELETE FROM startups WHERE id = 1",
    accounts: `INSERT INTO accounts (id) VALUES ('acc_new');
      UPDATE accounts SET email_verified = true WHERE id = 'acc_new'; DELETE FROM accounts WHERE id = 'acc_new'`,
    api_keys: "UPDATE api_keys SET name = 'x' WHERE id = 'key_1'; DELETE FROM api_keys WHERE id = 'key_9'",
    documents: 'DELETE FROM documents WHERE text = $$1$$',
    account_providers: `INSERT INTO account_providers (id, account_id, provider, provider_account_id)
        VALUES ('g', 'acc_1', 'github', '1');
      UPDATE account_providers SET password = 'y' WHERE account_id = 'acc_1';
      DELETE FROM account_providers WHERE account_id = 'acc_1'`,
    policy_acceptances: `INSERT INTO policy_acceptances VALUES ('acc_1', '2026-02-01', now());
      DELETE FROM policy_acceptances WHERE account_id = 'acc_1'`,
    account_lists: `INSERT INTO account_lists (account_id) VALUES ('acc_1');
      UPDATE account_lists SET shortlist = '{a}'; DELETE FROM account_lists`,
    two_factors: `INSERT INTO two_factors (id, account_id, secret, backup_codes) VALUES ('f', 'acc_1', 's', 'c');
      UPDATE two_factors SET backup_codes = 'd'; DELETE FROM two_factors`,
    own_fields: `INSERT INTO own_fields (name, kind, label, indexed) VALUES ('a', 'count', 'A', true);
      UPDATE own_fields SET label = 'B'; DELETE FROM own_fields`,
    audit_log: "INSERT INTO audit_log (actor, action, subject) VALUES ('x', 'y', 'z')",
    imports: 'INSERT INTO imports SELECT (jsonb_populate_record(i, $${"id": 99}$$)).* FROM imports AS i',
  };
  // History is written with startups, by the same statements or transactions; the others along with a row of the log.
  const covered =
    'startup_points startup_removals removed_startups unchanged_startups market_days policies operator_tokens stored_mappings';
  const known = [...Object.keys(changes), ...covered.split(' '), ...usageTables, ...mailTables];
  expect(known.sort()).toEqual([...backupTables].sort());
  for (const sql of Object.values(changes).flatMap((text) => text.split(';'))) {
    const before = await readMark(client);
    await client.query(sql);
    expect(await readMark(client), sql).not.toEqual(before);
  }
  const before = await readMark(client);
  await client.query('UPDATE key_usage SET requests = requests + 1');
  await client.query('UPDATE key_last_uses SET last_used_at = now()');
  expect(await readMark(client)).toEqual(before);
});
