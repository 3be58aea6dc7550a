import { createKey, type NewKey } from '../../src/access/keys/create.ts';

/** Creates a key: what a test does not say of it is not at issue there. */
export const createTestKey = (context: Parameters<typeof createKey>[0], input: Partial<NewKey> = {}) =>
  createKey(context, {
    name: 'test',
    tier: 'standard',
    policyVersion: '2026-11-20',
    acceptedBy: 'a test',
    ...input,
  });
