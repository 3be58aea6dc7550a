import { describe, expect, it } from 'vitest';
import { disableAccount, enableAccount } from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { changeKeyTier, disableKey, enableKey, revokeKey } from '../../../src/access/keys/change.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const LIST = '/api/v1/startups';
const LIMITS = { standard: 1_000, premium: 2_000 };

const clock = createTestClock();
const database = await openTestDatabase();
const nodes = [
  await openTestGateway({ clock, database, limits: LIMITS, records: [record('one')] }),
  await openTestGateway({ clock, database, limits: LIMITS }),
] as const;
const { acting: context } = nodes[0];

/** What a key gets at both nodes. */
const askBoth = (key: string): Promise<Answer[]> =>
  Promise.all(nodes.map((node) => node.call(LIST, { key })));
const statuses = async (key: string): Promise<number[]> => (await askBoth(key)).map(({ status }) => status);
const limits = async (key: string): Promise<(string | undefined)[]> =>
  (await askBoth(key)).map(({ headers }) => headers['x-ratelimit-limit']);

/** Waits for an act, and for the second within which both nodes must know of it. */
async function within1s(act: Promise<unknown>): Promise<void> {
  await act;
  await clock.advance(1_000);
}

describe('a change on one node', () => {
  it('on a key takes effect on every node within a second', async () => {
    const { id, key } = await nodes[0].key();
    expect(await statuses(key)).toEqual([200, 200]);
    await within1s(changeKeyTier(context, id, 'premium'));
    expect(await limits(key)).toEqual(['2000', '2000']);
    await within1s(disableKey(context, id, 'why'));
    expect(await statuses(key)).toEqual([403, 403]);
    await within1s(enableKey(context, id));
    expect(await statuses(key)).toEqual([200, 200]);
    await within1s(revokeKey(context, id));
    expect(await statuses(key)).toEqual([401, 401]);
    const rotated = await nodes[0].key();
    expect(await statuses(rotated.key)).toEqual([200, 200]);
    await within1s(rotateKey(context, rotated.id, '0'));
    expect(await statuses(rotated.key)).toEqual([401, 401]);
  });

  it('on an account takes effect for all its keys on every node within a second', async () => {
    const account = await createAccount(context, { name: 'Ada' });
    const { key } = await nodes[0].key({ accountId: account.id });
    const other = await nodes[0].key();
    expect(await statuses(key)).toEqual([200, 200]);
    await within1s(disableAccount(context, account.id));
    expect(await statuses(key)).toEqual([403, 403]);
    expect(await statuses(other.key)).toEqual([200, 200]);
    await within1s(enableAccount(context, account.id));
    expect(await statuses(key)).toEqual([200, 200]);
  });

  it('rejects an expired key without any notification', async () => {
    const { key } = await nodes[0].key({ expiresAt: new Date(clock.now() + 700).toISOString() });
    expect(await statuses(key)).toEqual([200, 200]);
    await clock.advance(699);
    expect(await statuses(key)).toEqual([200, 200]);
    await clock.advance(1);
    expect(await statuses(key)).toEqual([401, 401]);
  });
});
