import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changeKeyTier, disableKey, enableKey, revokeKey } from '../../../src/access/keys/change.ts';
import type { NewKey } from '../../../src/access/keys/create.ts';
import { getKey, listKeys } from '../../../src/access/keys/key.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { isWellFormed } from '../../../src/access/keys/token.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createTestKey } from '../../support/keys.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR = 3_600_000;

let at = START;

const database = await openTestDatabase();
const context = { prisma: database.prisma, now: () => at, actor: 'op', randomBytes };

const create = (input?: Partial<NewKey>) => createTestKey(context, { tier: 'premium', ...input });

const read = (id: string) => getKey(context, id);

describe('rotating a key', () => {
  it('creates a key with all properties of the old one', async () => {
    at = START;
    const old = await create({ name: 'Mine', acceptedBy: 'holder@example.com', expiresAt: '2027-01-31' });
    at += HOUR;
    const made = await rotateKey(context, old.id, '24h');
    expect(made.key).not.toBe(old.key);
    expect(isWellFormed(made.key)).toBe(true);
    expect(await read(made.id)).toMatchObject({
      name: 'Mine',
      tier: 'premium',
      state: 'active',
      expiresAt: new Date('2027-01-31'),
      createdAt: new Date(START + HOUR),
      rotatedFrom: old.id,
      familyId: old.id,
      policyVersion: '2026-11-20',
      policyAcceptedBy: 'holder@example.com',
      policyAcceptedAt: new Date(START),
    });
  });

  it.each([
    ['1h', HOUR, undefined],
    ['24h', 24 * HOUR, undefined],
    ['24h', HOUR / 2, '2026-11-20T12:30:00Z'],
  ])(
    'lets the old key work for an overlap of %s, %d ms, and never past its expiry',
    async (overlap, ms, expiresAt) => {
      at = START;
      const old = await create({ expiresAt });
      const { id, from } = await rotateKey(context, old.id, overlap);
      expect(from).toMatchObject({ id: old.id, state: 'active', expiresAt: new Date(START + ms) });
      expect((await read(id)).expiresAt).toEqual(expiresAt === undefined ? null : new Date(expiresAt));
      at += ms;
      expect((await read(old.id)).state).toBe('expired');
    },
  );

  it('refuses what cannot be rotated, and says what can', async () => {
    at = START;
    const { id } = await create();
    await expect(rotateKey(context, id, '2h')).rejects.toThrow(
      'Overlap: got "2h", allowed: one of 0, 1h, 24h.',
    );
    await expect(rotateKey(context, 'key_000000000000', '0')).rejects.toThrow(/^No key has the id/);
    await disableKey(context, id);
    await expect(rotateKey(context, id, '0')).rejects.toThrow(`Key ${id} is disabled: only an active key`);
    await enableKey(context, id);
    const { id: next } = await rotateKey(context, id, '24h');
    await expect(rotateKey(context, id, '0')).rejects.toThrow(
      `Key ${id} was already rotated: rotate ${next}, which replaced it.`,
    );
    await revokeKey(context, next);
    await expect(rotateKey(context, next, '0')).rejects.toThrow(`Key ${next} is revoked`);
  });

  it('creates one key for parallel attempts', async () => {
    const { id } = await create();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => rotateKey(context, id, '1h')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listKeys(context)).filter(({ familyId }) => familyId === id)).toHaveLength(2);
  });
});

describe('an action on one key of a rotated line', () => {
  it('changes the whole line, which shares a budget, whichever key is given, but revokes that key only', async () => {
    at = START;
    const old = await create();
    const { id } = await rotateKey(context, old.id, '24h');
    await disableKey(context, old.id, 'sold the data');
    expect(await read(id)).toMatchObject({ state: 'disabled', disabledReason: 'sold the data' });
    await enableKey(context, id);
    await changeKeyTier(context, id, 'standard');
    expect(await read(old.id)).toMatchObject({ state: 'active', disabledReason: null, tier: 'standard' });
    await revokeKey(context, old.id);
    expect((await read(id)).state).toBe('active');
  });

  it('leaves no key enabled when it runs during a rotation', async () => {
    const { id } = await create();
    await Promise.allSettled([rotateKey(context, id, '24h'), disableKey(context, id)]);
    const family = (await listKeys(context)).filter(({ familyId }) => familyId === id);
    expect(family.every(({ state }) => state === 'disabled')).toBe(true);
  });
});
