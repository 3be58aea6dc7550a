import { AsyncLocalStorage } from 'node:async_hooks';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import { isUnavailable } from '../../db/pool.ts';

/** Data that better-auth would store and we do not: pictures, and access tokens of providers. */
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

/** The database error that made a call of better-auth fail, which reports only its own errors. */
const failures = new AsyncLocalStorage<{ error?: unknown }>();

/**
 * Calls better-auth.
 *
 * @param hasFailed whether a result indicates a failure.
 * @throws the database's error if that is the reason of a failure.
 */
export async function withDatabaseErrors<T>(
  call: () => Promise<T>,
  hasFailed: (result: T) => boolean = () => false,
): Promise<T> {
  const failure: { error?: unknown } = {};
  let result: T;
  try {
    result = await failures.run(failure, call);
  } catch (error) {
    throw failure.error ?? error;
  }
  if (failure.error !== undefined && hasFailed(result)) {
    throw failure.error;
  }
  return result;
}

/**
 * Our tables under better-auth's names for them. There is no `$transaction` among them: the embedded
 * database has one session, and better-auth's steps are safe each by itself.
 */
export function authModels(prisma: PrismaClient): Record<string, unknown> {
  return {
    user: adapt(prisma.account, unkept.user),
    session: adapt(prisma.session),
    account: adapt(prisma.accountProvider, unkept.account),
    verification: adapt(prisma.verification),
  };
}

/** A table in which some fields are never written, and whose errors are recorded. */
function adapt(table: object, fields: readonly string[] = []): object {
  return new Proxy(table, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      return typeof method !== 'function'
        ? method
        : async (args?: { data?: object }) => {
            const kept = args?.data === undefined ? args : { ...args, data: omit(args.data, fields) };
            try {
              return await method.call(target, kept);
            } catch (error) {
              // better-auth may expect other errors.
              if (isUnavailable(error)) {
                Object.assign(failures.getStore() ?? {}, { error });
              }
              throw error;
            }
          };
    },
  });
}

function omit(data: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !fields.includes(name)));
}
