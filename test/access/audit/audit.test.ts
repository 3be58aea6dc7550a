import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { disableAccount, enableAccount } from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { listAudit, runAction, searchAudit } from '../../../src/access/audit/audit-log.ts';
import { changeKeyTier, disableKey, enableKey, revokeKey } from '../../../src/access/keys/change.ts';
import { createKey } from '../../../src/access/keys/create.ts';
import { publishPolicy } from '../../../src/access/keys/policy.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { openTestDatabase } from '../../support/database.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');

let at = START;

const database = await openTestDatabase();
const context = { prisma: database.prisma, now: () => at, actor: 'op', randomBytes };

const input = { name: 'App', tier: 'standard', policyVersion: '2026-11-20', acceptedBy: 'op' };

/** What was recorded of something, first act first. */
async function recordOf(subject: string): Promise<[string, unknown][]> {
  const entries = (await listAudit(database.prisma, 1_000)).filter((entry) => entry.subject === subject);
  return entries.reverse().map(({ action, details }) => [action, details]);
}

describe('the record of administrative acts', () => {
  it('reports who did what to a key, when and why', async () => {
    at = START;
    const { id, key } = await createKey(context, input);
    at += 1_000;
    await disableKey({ ...context, actor: 'another' }, id, 'cloned a business');
    await enableKey(context, id, 'they stopped');
    await changeKeyTier(context, id, 'premium');
    const next = await rotateKey(context, id, '1h');
    await revokeKey(context, id);
    expect(await recordOf(id)).toEqual([
      [
        'key.create',
        { name: 'App', tier: 'standard', policyVersion: '2026-11-20', expiresAt: null, accountId: null },
      ],
      ['key.disable', { reason: 'cloned a business' }],
      ['key.enable', { reason: 'they stopped' }],
      ['key.tier', { from: 'standard', to: 'premium' }],
      ['key.rotate', { to: next.id, overlap: '1h' }],
      ['key.revoke', {}],
    ]);
    const entries = await listAudit(database.prisma, 1_000);
    const disabled = entries.find(({ action, subject }) => action === 'key.disable' && subject === id);
    expect(disabled).toMatchObject({ actor: 'another', at: new Date(START + 1_000) });
    const text = JSON.stringify(entries);
    for (const secret of [key, next.key]) {
      expect(text).not.toContain(secret.slice(4, 12));
    }
  });

  it('reports accounts and policy versions', async () => {
    const { id } = await createAccount(context, { name: 'Ada', email: 'ada@example.com' });
    await disableAccount(context, id, 'sold the data');
    await enableAccount(context, id);
    expect(await recordOf(id)).toEqual([
      // By its id only: an account can be deleted, its record stays.
      ['account.create', {}],
      ['account.disable', { reason: 'sold the data' }],
      ['account.enable', { reason: null }],
    ]);
    await publishPolicy(context, { version: '2026-12-01', text: 'Be fair.' });
    expect(await recordOf('2026-12-01')).toEqual([['policy.publish', {}]]);
  });

  it('has no entry for an action that changed nothing', async () => {
    const { id } = await createKey(context, input);
    const changes = [
      enableKey,
      revokeKey,
      revokeKey,
      (_: unknown, of: string) => changeKeyTier(context, of, 'standard'),
    ];
    for (const change of changes) {
      await change(context, id);
    }
    expect((await recordOf(id)).map(([action]) => action)).toEqual(['key.create', 'key.revoke']);
  });

  it('and the action are committed together or not at all', async () => {
    const { id } = await createKey(context, input);
    const failing = runAction(context, async ({ prisma, record }) => {
      await prisma.apiKey.update({ where: { id }, data: { tier: 'premium' } });
      await record('key.tier', id);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect((await recordOf(id)).map(([action]) => action)).toEqual(['key.create']);
    expect((await database.prisma.apiKey.findUniqueOrThrow({ where: { id } })).tier).toBe('standard');
  });

  it('and the action are undone with the action that they are a part of', async () => {
    const { id } = await createKey(context, input);
    const failing = runAction(context, async (within) => {
      await runAction({ ...context, within }, ({ record }) => record('key.tier', id));
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect((await recordOf(id)).map(([action]) => action)).toEqual(['key.create']);
  });

  it('is not searched for a text that the database cannot hold', async () => {
    const wanted = { text: 'a\0', state: undefined, page: 1, size: 10 };
    expect(await searchAudit(database.prisma, wanted)).toEqual({ items: [], hasMore: false });
  });

  it.each([
    'UPDATE audit_log SET actor = actor',
    'DELETE FROM audit_log',
    'UPDATE policies SET text = text',
    'DELETE FROM policies',
    'TRUNCATE audit_log',
    'TRUNCATE policies',
  ])('refuses %s', async (sql) => {
    await expect(database.pool.query(sql)).rejects.toThrow(/rows of \w+ are added, never changed or removed/);
  });

  it('can be changed only by a transaction that declares itself a restore', async () => {
    const client = await database.openClient();
    await client.query("BEGIN; SET LOCAL revgate.restore = 'on'; DELETE FROM audit_log; ROLLBACK");
    await expect(client.query('DELETE FROM audit_log')).rejects.toThrow(/never changed or removed/);
  });
});

describe('publishing a policy', () => {
  const policy = { version: '2026-12-24', text: 'Be kind.' };

  it('records each version once, with its text and time, and refuses another text of it', async () => {
    at = START;
    await Promise.all([publishPolicy(context, policy), publishPolicy(context, policy)]);
    at += 1_000;
    await publishPolicy(context, policy);
    expect(await database.prisma.policyVersion.findUnique({ where: { version: '2026-12-24' } })).toEqual({
      ...policy,
      recordedAt: new Date(START),
    });
    expect(await recordOf('2026-12-24')).toHaveLength(1);
    await expect(publishPolicy(context, { ...policy, text: 'Be cruel.' })).rejects.toThrow(
      'docs/policy.md differs from the recorded text of version 2026-12-24: a changed policy needs a new version.',
    );
  });
});
