import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { searchAccounts } from '../../../src/access/accounts/account.ts';
import {
  demoteAccount,
  disableAccount,
  enableAccount,
  promoteAccount,
} from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { createOperatorToken, revokeOperatorToken } from '../../../src/access/accounts/operator-tokens.ts';
import { rightToImport } from '../../../src/access/accounts/operators.ts';
import { removeExpired } from '../../../src/access/accounts/tidy.ts';
import { disableKey } from '../../../src/access/keys/change.ts';
import { listKeys } from '../../../src/access/keys/key.ts';
import type { Prisma } from '../../../src/db/generated/client/client.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createTestKey } from '../../support/keys.ts';
import { countScannedRows } from '../../support/scans.ts';

const DAY = 86_400_000;

let at = Date.parse('2026-11-20T12:00:00.000Z');

const database = await openTestDatabase();
const context = { prisma: database.prisma, now: () => at, actor: 'op', randomBytes };

const keyOf = (accountId: string) => createTestKey(context, { accountId });
const read = async (id: string) => (await listKeys(context)).find((key) => key.id === id);

describe('an account', () => {
  it('disables its keys while it is disabled, and shows its reason with them', async () => {
    const { id } = await createAccount(context, { name: 'Bob' });
    const [one, two] = [await keyOf(id), await keyOf(id)];
    await disableKey(context, two.id, 'its own reason');
    // An account with keys is never removed as it is.
    await expect(database.prisma.account.delete({ where: { id } })).rejects.toThrow();
    at += 1_000;
    expect(await disableAccount(context, id, 'sold the data')).toMatchObject({ disabledAt: new Date(at) });
    expect(await read(one.id)).toMatchObject({ state: 'disabled', disabledReason: 'sold the data' });
    expect(await read(two.id)).toMatchObject({ state: 'disabled', disabledReason: 'its own reason' });
    // Again, with another reason: the first stays.
    expect(await disableAccount(context, id, 'other')).toMatchObject({ disabledReason: 'sold the data' });
    await enableAccount(context, id);
    expect(await read(one.id)).toMatchObject({ state: 'active', disabledReason: null });
    expect(await read(two.id)).toMatchObject({ state: 'disabled', disabledReason: 'its own reason' });
  });

  it('is refused with every error, and with an address that is taken', async () => {
    await expect(createAccount(context, { name: ' ', email: 'nobody' })).rejects.toMatchObject({
      lines: [expect.stringMatching(/^Name: got/), expect.stringMatching(/^Email: got "nobody"/)],
    });
    await createAccount(context, { name: 'Eve', email: 'eve@example.com' });
    await expect(createAccount(context, { name: 'Eve', email: 'EVE@example.com' })).rejects.toThrow(
      'An account with the email address "eve@example.com" already exists.',
    );
  });

  it.each(['acc_unknown', 'nonsense\u0000'])('is reported as unknown: %j', async (id) => {
    const createFor = (_context: unknown, to: string) => keyOf(to);
    for (const attempt of [disableAccount, enableAccount, promoteAccount, demoteAccount, createFor]) {
      await expect(attempt(context, id)).rejects.toThrow(`No account has the id ${JSON.stringify(id)}.`);
    }
    await expect(promoteAccount(context, `${id}@example.com`)).rejects.toThrow('No account has the email');
  });
});

describe('an operator', () => {
  const operators = ['listed@example.com'];
  const create = async (email: string, emailVerified = true) => {
    const { id } = await createAccount(context, { email });
    await database.prisma.account.update({ where: { id }, data: { emailVerified } });
    return id;
  };
  const createToken = (account: string, name = 'nightly') =>
    createOperatorToken({ ...context, operators }, { name, account });

  it('has ten tokens at most, of which revoked ones are none, with names of 100 characters at most', async () => {
    const id = await create('listed@example.com');
    await expect(createToken(id, 'x'.repeat(101))).rejects.toThrow('100');
    const made = await Promise.allSettled(Array.from({ length: 12 }, () => createToken(id, 'x'.repeat(100))));
    const [first, ...others] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    expect(others).toHaveLength(9);
    await expect(createToken(id)).rejects.toThrow(
      `Account ${id} has 10 tokens, the maximum: revoke one first.`,
    );
    await revokeOperatorToken(context, first ?? '');
    await createToken(id);
    await expect(createToken(id)).rejects.toThrow('10 tokens');
    const stranger = await create('stranger@example.com');
    await expect(createToken(stranger)).rejects.toThrow('is not an operator');
  });

  const change = (data: Prisma.AccountUpdateInput) => (id: string) =>
    database.prisma.account.update({ where: { id }, data, select: { id: true } });
  it.each<[string, (id: string) => Promise<unknown>, isPromoted?: boolean]>([
    ['was demoted', change({ operator: false }), true],
    ['was disabled', change({ disabledAt: new Date(0) }), true],
    ['has another address than one of OPERATORS', change({ email: 'other@example.com' })],
    ['has an address that was not confirmed', change({ emailVerified: false })],
    ['has ended the session', (id) => database.prisma.session.deleteMany({ where: { userId: id } }), true],
    [
      'has revoked the token',
      (id) =>
        database.prisma.operatorToken.updateMany({
          where: { accountId: id },
          data: { revokedAt: new Date(0) },
        }),
      true,
    ],
  ])('who %s may not import with it any more', async (what, end, isPromoted = false) => {
    const email = `${what.replaceAll(' ', '-').toLowerCase()}@example.com`;
    const id = await create(email);
    const addresses = isPromoted ? [] : [email];
    if (isPromoted) {
      await promoteAccount(context, id);
    }
    const session = `session-${id}`;
    const until = { createdAt: new Date(0), updatedAt: new Date(0), expiresAt: new Date(at + DAY) };
    await database.prisma.session.create({ data: { id: session, token: session, userId: id, ...until } });
    const { id: token } = await createOperatorToken(
      { ...context, operators: addresses },
      { name: 'x', account: id },
    );
    const mayImport = async (by: { session: string } | { token: string }, accountId = id) => {
      const { text, values } = rightToImport({ accountId, by }, addresses);
      return (await database.pool.query(text, values)).rowCount === 1;
    };
    expect([await mayImport({ session }), await mayImport({ token })]).toEqual([true, true]);
    // What is of one account is not of another.
    const other = await create(`not-${email}`);
    expect([await mayImport({ session }, other), await mayImport({ token }, other)]).toEqual([false, false]);
    await end(id);
    const left = { 'has ended the session': [false, true], 'has revoked the token': [true, false] };
    expect([await mayImport({ session }), await mayImport({ token })]).toEqual(
      left[what as keyof typeof left] ?? [false, false],
    );
  });
});

it('counts the keys of the accounts it finds, and reads no others', async () => {
  const { pool, prisma } = await openTestDatabase();
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
