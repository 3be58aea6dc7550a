import { expect, it } from 'vitest';
import { openBetterAuth } from '../../src/access/accounts/sign-in/better-auth.ts';
import type { PrismaClient } from '../../src/db/generated/client/client.ts';
import { DEFAULT_SERVICE } from '../../src/lib/text/service.ts';

it('says nowhere that this is a test, which dependencies would check less in', () => {
  const names = ['NODE_ENV', 'TEST', 'VITEST', 'JEST_WORKER_ID', 'DEV', 'BETTER_AUTH_SECRET', 'AUTH_SECRET'];
  expect(names.filter((name) => process.env[name] !== undefined)).toEqual([]);
});

it('leaves the checks of better-auth on: where a form comes from, and how often', async () => {
  const never = (): never => {
    throw new Error('Nothing is asked here');
  };
  const auth = await openBetterAuth({
    // Never asked: the settings are all that is looked at.
    prisma: { $extends: () => ({}) } as unknown as PrismaClient,
    origin: 'https://api.example.com',
    secret: '5c1b0e7f2d9a4b8e6f3a7c2d1e0f9b8a',
    github: undefined,
    isInvitedOnly: false,
    service: DEFAULT_SERVICE,
    mailer: { kind: 'terminal', send: never, check: never, close: never },
    counter: { reserve: never } as never,
    randomBytes: never,
    now: never,
    onError: never,
    onMail: never,
  });
  const { skipOriginCheck, skipCSRFCheck, rateLimit } = await auth.$context;
  expect({ skipOriginCheck, skipCSRFCheck, throttles: rateLimit.enabled }).toEqual({
    skipOriginCheck: false,
    skipCSRFCheck: false,
    throttles: true,
  });
});
