import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnavailable } from '../../../db/connection-error.ts';
import type { PrismaClient } from '../../../db/generated/client/client.ts';

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
 * Our tables under better-auth's names for them; errors of the database are recorded. There is no `$transaction` among
 * them: the embedded database has one session, and better-auth's steps are safe each by itself.
 */
export function authModels(prisma: PrismaClient): Record<string, unknown> {
  const recorded = prisma.$extends({
    query: {
      async $allOperations({ args, query }) {
        try {
          return await query(args);
        } catch (error) {
          // better-auth may expect other errors.
          if (isUnavailable(error)) {
            Object.assign(failures.getStore() ?? {}, { error });
          }
          throw error;
        }
      },
    },
  });
  return {
    user: recorded.account,
    session: recorded.session,
    account: recorded.accountProvider,
    verification: recorded.verification,
    twoFactor: recorded.twoFactor,
  };
}
