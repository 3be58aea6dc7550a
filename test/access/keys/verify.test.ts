import { randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { SILENCE_MS } from '../../../src/access/keys/revision-cache.ts';
import { generateToken, hashToken } from '../../../src/access/keys/token.ts';
import {
  createKeyVerifier,
  type KeyRecord,
  type KeyVerifierOptions,
} from '../../../src/access/keys/verify.ts';
import { createGate } from '../../support/gate.ts';

const GRACE_MS = 600_000;

type Lookup = KeyVerifierOptions['lookup'];

/** A table of keys, a clock and a verifier over both. */
function setUp(options: Partial<KeyVerifierOptions> = {}) {
  const table = new Map<string, KeyRecord>();
  let count = 0;
  const world = {
    at: 1_000_000,
    down: false,
    lookup: vi.fn<Lookup>(async (hashes) => {
      if (world.down) {
        throw new Error('no database');
      }
      return hashes.flatMap((hash) => table.get(hash) ?? []);
    }),
    /** Adds a key and returns its token. */
    add(record: Partial<KeyRecord> = {}, token = generateToken(randomBytes)): string {
      const hash = hashToken(token).toString('hex');
      count += 1;
      const id = `key_${count}`;
      const limits = { tier: 'standard', rateLimit: null, snapshot: false, trustedOnly: false } as const;
      const state = { disabled: false, disabledReason: null, expiresAt: null, policyAccepted: true };
      table.set(hash, { hash, id, family: id, name: 'App', origins: [], ...limits, ...state, ...record });
      return token;
    },
    revoke(token: string): void {
      table.delete(hashToken(token).toString('hex'));
    },
  };
  const verifier = createKeyVerifier({
    now: () => world.at,
    monotonic: () => world.at,
    graceMs: GRACE_MS,
    ...options,
    lookup: (hashes) => world.lookup(hashes),
  });
  verifier.notify(1n);
  return { world, verifier };
}

/** Lets background look-ups finish: none of these waits for anything outside. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('verifying keys', () => {
  it('looks a key up once, known or not, and then answers at once', async () => {
    const { world, verifier } = setUp();
    const [known, unknown] = [world.add({ tier: 'premium' }), generateToken(randomBytes)];
    const shown = { id: 'key_1', family: 'key_1', name: 'App', tier: 'premium', state: 'active' };
    const expected = {
      ...shown,
      disabledReason: null,
      trustedOnly: false,
      snapshot: false,
      origins: [],
      rateLimit: null,
      isEmbed: false,
      subject: { name: 'key:key_1', ownerId: 'key:key_1', tier: 'premium', rateLimit: null },
    };
    expect([await verifier.verify(known), await verifier.verify(unknown)]).toEqual([expected, null]);
    expect([verifier.verify(known), verifier.verify(unknown)]).toEqual([expected, null]);
    expect(world.lookup).toHaveBeenCalledTimes(2);
  });

  it('remembers a bounded number of keys', async () => {
    const { world, verifier } = setUp();
    await Promise.all(
      Array.from({ length: 11_000 }, () => [
        verifier.verify(world.add()),
        verifier.verify(generateToken(randomBytes)),
      ]).flat(),
    );
    expect(verifier.size).toBe(20_000);
  });
});

describe('a change of the keys', () => {
  it('makes an unknown key known', async () => {
    const { world, verifier } = setUp();
    const token = generateToken(randomBytes);
    expect(await verifier.verify(token)).toBeNull();
    world.add({}, token);
    verifier.notify(2n);
    expect(await verifier.verify(token)).toMatchObject({ id: 'key_1' });
  });

  it.each([
    ['a change', '2', false],
    ['a failover that gave the same number to another change', '1', true],
  ])(
    'repeats a look-up that %s has overtaken, and remembers no revoked key',
    async (_, revision, isReset) => {
      const { world, verifier } = setUp();
      const token = world.add();
      const [reached, held] = [createGate(), createGate()];
      const answer = world.lookup.getMockImplementation() as Lookup;
      world.lookup.mockImplementationOnce(async (hashes) => {
        const records = await answer(hashes);
        reached.open();
        await held.opened;
        return records;
      });
      const slow = verifier.verify(token);
      await reached.opened;
      world.revoke(token);
      if (isReset) {
        verifier.reset();
      }
      verifier.notify(revision);
      // One that comes now does not wait for the old answer either.
      expect(await verifier.verify(token)).toBeNull();
      held.open();
      expect(await slow).toBeNull();
      expect(await verifier.verify(token)).toBeNull();
    },
  );

  it('fails a look-up rather than repeat it for ever', async () => {
    const { world, verifier } = setUp();
    const token = world.add();
    let revision = 2;
    const answer = world.lookup.getMockImplementation() as Lookup;
    world.lookup.mockImplementation(async (hashes) => {
      const records = await answer(hashes);
      verifier.notify(String(revision++));
      return records;
    });
    await expect(verifier.verify(token)).rejects.toThrow('changed during every look-up');
  });

  it('is looked up in the background for keys that are not in use', async () => {
    const { world, verifier } = setUp();
    const revoked = world.add();
    const others = Array.from({ length: 600 }, () => world.add());
    await Promise.all([revoked, ...others].map((token) => verifier.verify(token)));
    world.revoke(revoked);
    verifier.notify(2n);
    await settle();
    const calls = world.lookup.mock.calls.length;
    world.down = true;
    world.at += SILENCE_MS + 1;
    expect(verifier.verify(revoked)).toBeNull();
    expect(verifier.verify(others[0] ?? '')).toMatchObject({ state: 'active' });
    expect(world.lookup).toHaveBeenCalledTimes(calls);
  });
});

describe('a database that does not answer', () => {
  it('fails a key that was never seen, and still rejects an expired one', async () => {
    const { world, verifier } = setUp();
    const [unseen, expiring] = [world.add(), world.add({ expiresAt: world.at + 1_000 })];
    await verifier.verify(expiring);
    world.down = true;
    world.at += 1_000;
    await expect(verifier.verify(unseen)).rejects.toThrow('no database');
    expect(verifier.verify(expiring)).toBeNull();
  });

  it('accepts keys that were valid in the last 10 minutes, without a query', async () => {
    const { world, verifier } = setUp();
    const token = world.add();
    await verifier.verify(token);
    world.at += 3_600_000;
    verifier.notify(1n);
    world.down = true;
    world.at += GRACE_MS;
    expect(verifier.verify(token)).toMatchObject({ id: 'key_1' });
    expect(world.lookup).toHaveBeenCalledTimes(1);
    world.at += 1;
    await expect(verifier.verify(token)).rejects.toThrow('no database');
  });

  it('right after a change fails keys until polls fail too, then leaves them on for 10 minutes', async () => {
    const { world, verifier } = setUp();
    const token = world.add();
    await verifier.verify(token);
    const seenAt = world.at;
    world.down = true;
    verifier.notify(2n);
    await expect(verifier.verify(token)).rejects.toThrow('no database');
    world.at += SILENCE_MS + 1;
    expect(verifier.verify(token)).toMatchObject({ id: 'key_1' });
    world.at = seenAt + GRACE_MS + 1;
    await expect(verifier.verify(token)).rejects.toThrow('no database');
  });

  it('is asked again about all keys once it is back', async () => {
    const { world, verifier } = setUp();
    const token = world.add();
    await verifier.verify(token);
    world.down = true;
    verifier.notify(2n);
    await settle();
    world.at += SILENCE_MS + 1;
    world.revoke(token);
    expect(verifier.verify(token)).toMatchObject({ id: 'key_1' });
    world.down = false;
    verifier.notify(2n);
    expect(await verifier.verify(token)).toBeNull();
  });
});

describe('the first use of a key that has not agreed to the policy', () => {
  it('is reported once, without delaying the request, and again when recording it failed', async () => {
    const { opened, open } = createGate();
    const onFirstUse = vi.fn(() => opened);
    onFirstUse.mockRejectedValueOnce(new Error('no database'));
    const { world, verifier } = setUp({ onFirstUse });
    const token = world.add({ policyAccepted: false });
    expect(await verifier.verify(token)).toMatchObject({ id: 'key_1' });
    await settle();
    expect(verifier.verify(token)).toMatchObject({ id: 'key_1' });
    open();
    await settle();
    await verifier.verify(token);
    expect(onFirstUse.mock.calls).toEqual([['key_1'], ['key_1']]);
  });

  it('is not reported for keys that accepted it, are disabled or have expired', async () => {
    const onFirstUse = vi.fn(async () => {});
    const { world, verifier } = setUp({ onFirstUse });
    const policyAccepted = false;
    for (const more of [{}, { policyAccepted, disabled: true }, { policyAccepted, expiresAt: world.at }]) {
      await verifier.verify(world.add(more));
    }
    expect(onFirstUse).not.toHaveBeenCalled();
  });
});
