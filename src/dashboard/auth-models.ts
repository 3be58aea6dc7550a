import type { PrismaClient } from '../db/generated/client/client.ts';

/** What better-auth would store and we do not: pictures, and what opens an account at a provider. */
const unkept = {
  user: ['image'],
  account: [
    'accessToken',
    'refreshToken',
    'idToken',
    'accessTokenExpiresAt',
    'refreshTokenExpiresAt',
    'scope',
  ],
} as const;

/**
 * Our tables under better-auth's names for them. There is no `$transaction` among them: the embedded
 * database has one session, and better-auth's steps are safe each by itself.
 */
export function authModels(prisma: PrismaClient): Record<string, unknown> {
  return {
    user: withoutFields(prisma.account, unkept.user),
    session: prisma.session,
    account: withoutFields(prisma.accountProvider, unkept.account),
    verification: prisma.verification,
  };
}

/** A table that is never written some fields. */
function withoutFields(table: object, fields: readonly string[]): object {
  return new Proxy(table, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      return typeof method !== 'function'
        ? method
        : (args?: { data?: object }) =>
            method.call(target, args?.data === undefined ? args : { ...args, data: omit(args.data, fields) });
    },
  });
}

function omit(data: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !fields.includes(name)));
}
