import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  demoteAccount,
  disableAccount,
  enableAccount,
  promoteAccount,
} from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { disableKey } from '../../../src/access/keys/change.ts';
import { listKeys } from '../../../src/access/keys/list.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createTestKey } from '../../support/keys.ts';

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
