import { expect, it } from 'vitest';
import { searchAccounts } from '../../../src/access/accounts/account.ts';
import { openTestDatabase } from '../../support/database.ts';
import { countScannedRows } from '../../support/scans.ts';

const database = await openTestDatabase();

it('counts the keys of the accounts it finds, and reads no others', async () => {
  const { pool, prisma } = database;
  await pool.query(
    `INSERT INTO accounts (id, name) SELECT 'acc_' || n, 'Name ' || n FROM generate_series(1, 5000) AS n;
     INSERT INTO api_keys (id, name, prefix, hash, tier, policy_version, policy_accepted_by, account_id)
       SELECT 'key_' || n, 'key', 'rg_', sha256(n::text::bytea), 'standard', '2026-11-20', 'op', 'acc_' || (n % 4999 + 1)
       FROM generate_series(1, 5000) AS n;
     INSERT INTO key_last_uses VALUES ('key_1', '2026-11-20T00:00Z'), ('key_5000', '2026-11-21T00:00Z');
     ANALYZE`,
  );
  const read = await prisma.$transaction((transaction) =>
    countScannedRows(
      (sql) => transaction.$queryRawUnsafe(sql),
      'api_keys',
      async () => {
        const search = (text: string) =>
          searchAccounts(transaction, { text, state: undefined, page: 1, size: 10 });
        expect((await search('')).items).toHaveLength(10);
        expect((await search('acc_2')).items).toMatchObject([
          { id: 'acc_2', keys: 2, lastUsedAt: new Date('2026-11-21') },
        ]);
        expect((await search('Name 5000')).items).toMatchObject([
          { id: 'acc_5000', keys: 0, lastUsedAt: null },
        ]);
      },
    ),
  );
  expect(read).toBeLessThan(100);
});
