import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { removeExpired } from '../../../src/access/accounts/tidy.ts';
import { openTestDatabase } from '../../support/database.ts';
import { countScannedRows } from '../../support/scans.ts';

const DAY = 86_400_000;

it('removes expired rows, and nothing else', async () => {
  const { prisma } = await openTestDatabase();
  const start = Date.now();
  const make = async (name: string, { confirmed = false, password = true } = {}): Promise<string> => {
    const { id } = await createAccount(
      { prisma, now: () => start, actor: 'op', randomBytes },
      { name, email: `${name}@example.com` },
    );
    await prisma.account.update({ where: { id }, data: { emailVerified: confirmed } });
    if (password) {
      await prisma.accountProvider.create({
        data: { id, userId: id, providerId: 'credential', accountId: id },
      });
    }
    return id;
  };
  const ada = await make('ada', { confirmed: true });
  await make('never-confirmed');
  await make('made-by-an-operator', { password: false });
  for (const [id, days] of [
    ['old', 1],
    ['new', 9],
  ] as const) {
    const expiresAt = new Date(start + days * DAY);
    await prisma.session.create({ data: { id, userId: ada, token: id, expiresAt } });
    await prisma.verification.create({ data: { id, identifier: id, value: ada, expiresAt } });
  }

  await removeExpired({ prisma, now: () => start });
  expect(await prisma.account.count()).toBe(3);
  expect(await prisma.session.count()).toBe(2);

  await removeExpired({ prisma, now: () => start + 8 * DAY });
  const names = (await prisma.account.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name);
  expect(names).toEqual(['ada', 'made-by-an-operator']);
  expect((await prisma.session.findMany()).map(({ id }) => id)).toEqual(['new']);
  expect((await prisma.verification.findMany()).map(({ id }) => id)).toEqual(['new']);
});

it('looks up only what belongs to accounts that may have expired', async () => {
  const { pool, prisma } = await openTestDatabase();
  const start = Date.now();
  await pool.query(
    `INSERT INTO accounts (id, name, email_verified)
       SELECT 'acc_' || n, 'many', true FROM generate_series(1, 2000) AS n;
     INSERT INTO account_providers (id, account_id, provider, provider_account_id)
       SELECT id, id, 'credential', id FROM accounts WHERE name = 'many'`,
  );
  const read = await prisma.$transaction((transaction) =>
    countScannedRows(
      (sql) => transaction.$queryRawUnsafe(sql),
      'account_providers',
      () => removeExpired({ prisma: transaction, now: () => start + 8 * DAY }),
    ),
  );
  expect(read).toBeLessThan(100);
});
