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
const expectBoth = async (key: string, expected: number) =>
  expect((await askBoth(key)).map(({ status }) => status)).toEqual([expected, expected]);

/** Makes changes one after another, each of which both nodes must know of within a second. */
async function change(key: string, ...changes: [act: () => Promise<unknown>, expected: number][]) {
  await expectBoth(key, 200);
  for (const [act, expected] of changes) {
    await act();
    await clock.advance(1_000);
    await expectBoth(key, expected);
  }
}

describe('a change on one node', () => {
  it('on a key takes effect on every node within a second', async () => {
    const { id, key } = await nodes[0].key();
    await change(key, [() => changeKeyTier(context, id, 'premium'), 200]);
    expect((await askBoth(key)).map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['2000', '2000']);
    await change(
      key,
      [() => disableKey(context, id, 'why'), 403],
      [() => enableKey(context, id), 200],
      [() => revokeKey(context, id), 401],
    );
    const rotated = await nodes[0].key();
    await change(rotated.key, [() => rotateKey(context, rotated.id, '0'), 401]);
  });

  it('on an account takes effect for all its keys on every node within a second', async () => {
    const account = await createAccount(context, { name: 'Ada' });
    const { key } = await nodes[0].key({ accountId: account.id });
    const other = await nodes[0].key();
    await change(key, [() => disableAccount(context, account.id), 403]);
    await expectBoth(other.key, 200);
    await enableAccount(context, account.id);
    await clock.advance(1_000);
    await expectBoth(key, 200);
  });

  it('rejects an expired key without any notification', async () => {
    const { key } = await nodes[0].key({ expiresAt: new Date(clock.now() + 700).toISOString() });
    await expectBoth(key, 200);
    await clock.advance(699);
    await expectBoth(key, 200);
    await clock.advance(1);
    await expectBoth(key, 401);
  });
});
