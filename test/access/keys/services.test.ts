import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { disableKey, enableKey, revokeKey, setKeyLimit } from '../../../src/access/keys/change.ts';
import type { NewKey } from '../../../src/access/keys/create.ts';
import { getKey, listAllKeys, listKeys, searchKeys } from '../../../src/access/keys/key.ts';
import { recordPolicyAcceptance } from '../../../src/access/keys/policy.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { hashToken, isWellFormed } from '../../../src/access/keys/token.ts';
import { OperatorError } from '../../../src/lib/errors.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createTestKey } from '../../support/keys.ts';
import { readRevisions } from '../../support/revisions.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');

let at = START;

const database = await openTestDatabase();
const context = { prisma: database.prisma, now: () => at, actor: 'op', randomBytes };

const create = (input?: Partial<NewKey>) => createTestKey(context, input);

describe('creating a key', () => {
  it('returns the key once and stores only its hash', async () => {
    const created = await create({ name: 'My app', tier: 'premium' });
    expect(created).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
      key: expect.any(String),
      tier: 'premium',
      name: 'My app',
    });
    expect(isWellFormed(created.key)).toBe(true);
    const row = await database.prisma.apiKey.findUniqueOrThrow({ where: { id: created.id } });
    expect(Buffer.from(row.hash)).toEqual(hashToken(created.key));
    expect(row.prefix).toBe(created.key.slice(0, 8));
    const { rows } = await database.pool.query<{ row: string }>(
      'SELECT "api_keys"::text AS "row" FROM "api_keys"',
    );
    expect(rows.some(({ row: text }) => text.includes(created.key.slice(8)))).toBe(false);
  });

  it('makes an embed key for the origins of web pages, each once', async () => {
    const origins = ['https://example.com', 'http://localhost:3000'];
    const { id, key } = await create({ origins: [...origins, 'https://example.com'] });
    expect(key).toMatch(/^rvg_pub_[0-9A-Za-z]{38}$/);
    expect(await getKey(context, id)).toMatchObject({ origins, trustedOnly: true, prefix: key.slice(0, 12) });
    await expect(create({ origins: [] })).rejects.toThrow('Origins: none given. Enter the origin');
    await expect(create({ name: '', origins: ['*'] })).rejects.toThrow(
      /^Origin: got "\*", allowed: .+\nName: got ""/,
    );
  });

  it('leaves the acceptance of a demo key to its first use, which stays', async () => {
    const { id } = await create({ demo: true });
    const read = async () => (await getKey(context, id)).policyAcceptedAt;
    expect(await read()).toBeNull();
    await recordPolicyAcceptance(context, id);
    at += 1000;
    await recordPolicyAcceptance(context, id);
    expect(await read()).toEqual(new Date(at - 1000));
  });

  it('reports all errors at once', async () => {
    const before = await database.prisma.apiKey.count();
    const error = await create({ name: '', tier: 'gold', expiresAt: 'tomorrow' }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.lines).toEqual([
      'Name: got "", allowed: 1 to 100 characters without control characters.',
      'Tier: got "gold", allowed: standard or premium.',
      'Expiry: got "tomorrow", allowed: a future ISO 8601 date (midnight UTC), or date and time with an offset.',
    ]);
    expect(await database.prisma.apiKey.count()).toBe(before);
  });

  it('takes names of one line, and times in the future', async () => {
    at = START;
    const [names, times] = [
      ['  ', 'a\nb', 'a\u0000b', 'a\u001b[31m', '\ud800', 'a\u202eb', 'x'.repeat(101)],
      ['2026-11-20', '2026-11-20T12:00:00Z', '2027-02-30', '2027-01-01T10:00', '2027-01-01T24:00Z', ''],
    ];
    for (const name of names) {
      await expect(create({ name }), name).rejects.toThrow(/^Name: got /);
    }
    for (const expiresAt of [...times, '9999-12-31T23:00-02:00']) {
      await expect(create({ expiresAt }), expiresAt).rejects.toThrow(/^Expiry: got /);
    }
    for (const [name, expiresAt, stored] of [
      ['x', '2027-01-31', '2027-01-31T00:00:00.000Z'],
      ['Ünïcode · 日本', '2027-01-31T10:00+02:00', '2027-01-31T08:00:00.000Z'],
      ['👩‍👩‍👧', '2026-11-20T12:00:00.001Z', '2026-11-20T12:00:00.001Z'],
      ['😀'.repeat(100), '2027-01-31T10:00:00,5+0200', '2027-01-31T08:00:00.500Z'],
    ] as const) {
      const { id } = await create({ name, expiresAt });
      expect(await getKey(context, id)).toMatchObject({ name, expiresAt: new Date(stored) });
    }
  });
});

describe('listing keys', () => {
  it('gives the same with and without Prisma, and finds keys by the state that it shows', async () => {
    at = START;
    const { id: accountId } = await createAccount(context, { name: 'Ann' });
    const owned = await create({ accountId });
    await rotateKey(context, owned.id, '24h');
    await disableAccount(context, accountId, 'Abuse');
    await disableKey(context, (await create({ origins: ['https://example.com'] })).id);
    await database.prisma.keyLastUse.create({ data: { keyId: owned.id, lastUsedAt: new Date(at) } });
    await revokeKey(context, (await create({ expiresAt: '2027-01-31' })).id);
    await create({ expiresAt: '2027-02-01' });
    await create();
    at = Date.parse('2027-02-01');
    const keys = await listKeys(context);
    expect(await listAllKeys(database.pool, at)).toEqual(keys);
    for (const state of ['active', 'disabled', 'expired', 'revoked'] as const) {
      const found = await searchKeys(context, { text: '', state, page: 1, size: 1_000 });
      const expected = keys.filter((key) => key.state === state).reverse();
      expect(found).toEqual({ items: expected, hasMore: false });
      expect(expected).not.toEqual([]);
    }
    const ended = keys.filter(({ state }) => state === 'expired' || state === 'revoked');
    expect(await listKeys(context, { which: 'ended' })).toEqual(ended);
    at = START;
  });
});

describe('changing a key', () => {
  it('revokes for good, disables and enables as often as asked, and counts nothing that changes nothing', async () => {
    const { id } = await create();
    at = START;
    const disabled = { state: 'disabled', disabledAt: new Date(START) };
    const revoked = { state: 'revoked', revokedAt: new Date(START + 10_000) };
    for (const [change, state, changes] of [
      [disableKey, disabled, true],
      [disableKey, disabled, false],
      [enableKey, { state: 'active', disabledAt: null }, true],
      [enableKey, { state: 'active' }, false],
    ] as const) {
      const before = await readRevisions(database.pool);
      expect(await change(context, id)).toMatchObject(state);
      expect((await readRevisions(database.pool)).keys > before.keys).toBe(changes);
      at += 2_500;
    }
    expect(await revokeKey(context, id)).toMatchObject(revoked);
    at += 5_000;
    const before = await readRevisions(database.pool);
    expect(await revokeKey(context, id)).toMatchObject(revoked);
    expect(await enableKey(context, id)).toMatchObject(revoked);
    expect(await readRevisions(database.pool)).toEqual(before);
  });

  it('gives a key and its line a limit of their own, and records each change', async () => {
    const { id } = await create();
    const { id: successor } = await rotateKey(context, id, '24h');
    const limits = async () => {
      const rows = await Promise.all([getKey(context, id), getKey(context, successor)]);
      return rows.map(({ rateLimit }) => rateLimit);
    };
    for (const [limit, stored] of [
      ['300', 300],
      ['300', 300],
      ['1000000000', 1_000_000_000],
      ['default', null],
      ['default', null],
      ['1', 1],
    ] as const) {
      await setKeyLimit(context, id, limit);
      expect(await limits()).toEqual([stored, stored]);
    }
    // Also the keys that replace it later.
    const { id: last } = await rotateKey(context, successor, '24h');
    expect(await getKey(context, last)).toMatchObject({ rateLimit: 1, tier: 'standard' });
    const entries = await database.prisma.auditEntry.findMany({
      where: { action: 'key.limit', subject: id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ details }) => details)).toEqual([
      { from: 'default', to: 300 },
      { from: 300, to: 1_000_000_000 },
      { from: 1_000_000_000, to: 'default' },
      { from: 'default', to: 1 },
    ]);

    for (const limit of ['0', '-1', '1.5', '1e3', '1000000001', '', ' 5', 'none', '９']) {
      await expect(setKeyLimit(context, id, limit)).rejects.toThrow(
        `Limit: got ${JSON.stringify(limit)}, allowed: an integer from 1 to 1000000000, or default.`,
      );
    }
  });
});
