import { AsyncLocalStorage } from 'node:async_hooks';
import type { PrismaClient } from '../../../db/generated/client/client.ts';
import { isUnavailable } from '../../../db/unavailable.ts';
import { ApiError, withReason } from '../../../lib/errors.ts';
import type { Mailer } from '../../../lib/mail/open-mailer.ts';
import { type RandomBytes, randomBase62 } from '../../../lib/text/base62.ts';
import type { Service } from '../../../lib/text/service.ts';
import type { Counter } from '../../limits/counter.ts';
import { deleteAccount } from '../change.ts';
import type { OperatorAddresses } from '../operators.ts';
import { type AuthMailOptions, createAuthMails } from './auth-mails.ts';
import { createPasswordHashing, PASSWORD_MAX, PASSWORD_MIN, type PasswordHashing } from './passwords.ts';

export interface AuthOptions {
  readonly prisma: PrismaClient;
  /** The public origin of the dashboard, such as https://api.example.com. */
  readonly origin: string;
  /** Signs cookies and the tokens of mails. */
  readonly secret: string;
  readonly github: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly isInvitedOnly: boolean;
  readonly service: Service;
  readonly mailer: Mailer;
  /** How passwords are hashed; with scrypt by default. */
  readonly hashing?: PasswordHashing | undefined;
  readonly operators: OperatorAddresses;
  readonly requiresFactor: boolean;
  readonly counter: Counter;
  readonly randomBytes: RandomBytes;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Receives errors that are masked for visitors, and those of mails that could not be sent. */
  readonly onError: (error: unknown) => void;
  /** Counts what becomes of mails. */
  readonly onMail: AuthMailOptions['onMail'];
}

/** The path of better-auth. Of it, browsers can reach only the callback of a provider. */
export const AUTH_BASE = '/dashboard/auth';

/** The header that passes the client's address to better-auth; a value that a client sends is discarded. */
export const ADDRESS_HEADER = 'x-revgate-client';

/** Sessions end after this many seconds without use. */
const SESSION_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
/** How long the link of a mail works, in seconds. */
const LINK_SECONDS = 3_600;

/**
 * The attempts of an address per minute, by path. Paths not listed here are only called by our own pages for
 * signed-in users.
 */
const perMinute: Readonly<Record<string, number>> = {
  '/sign-in/social': 20,
  '/request-password-reset': 5,
  '/reset-password': 10,
  '/verify-email': 20,
  '/change-email': 5,
  '/change-password': 10,
  '/delete-user': 10,
  '/two-factor/enable': 10,
  '/two-factor/generate-backup-codes': 10,
};

const noTokens = {
  accessToken: undefined,
  refreshToken: undefined,
  idToken: undefined,
  accessTokenExpiresAt: undefined,
  refreshTokenExpiresAt: undefined,
  scope: undefined,
};

export function cookiePrefix(origin: string): string {
  // Browsers accept a cookie with this prefix only over https, from this host and for all of its paths.
  return origin.startsWith('https:') ? '__Host-revgate' : 'revgate';
}

/**
 * Loads better-auth's code, which takes half as long as the rest. Call this before the gateway listens, not at
 * the first use: if clients use up all file descriptors, the import fails permanently.
 */
export async function loadBetterAuth() {
  const [{ betterAuth }, { prismaAdapter }, { twoFactor }] = await Promise.all([
    import('better-auth'),
    import('better-auth/adapters/prisma'),
    import('better-auth/plugins/two-factor'),
  ]);
  return { betterAuth, prismaAdapter, twoFactor };
}

export async function openBetterAuth(
  options: Omit<AuthOptions, 'hashing' | 'operators' | 'requiresFactor'>,
  passwords: PasswordHashing = createPasswordHashing(),
) {
  const mails = createAuthMails(options);
  const { prisma, service, origin, secret, github, isInvitedOnly, counter, randomBytes, now, onError } =
    options;
  const { betterAuth, prismaAdapter, twoFactor } = await loadBetterAuth();
  return betterAuth({
    appName: service.name,
    baseURL: origin,
    basePath: AUTH_BASE,
    secret,
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log(_level, message, ...details) {
        const error = details.find((detail) => detail instanceof Error) ?? new Error(message);
        // The poll of the database logs once that it does not answer.
        if (!isUnavailable(error)) {
          onError(error);
        }
      },
    },
    database: prismaAdapter(authModels(prisma), { provider: 'postgresql', transaction: false }),
    user: {
      // An address that GitHub has not verified may belong to anyone.
      validateUserInfo: ({ user, source }) =>
        source.method === 'oauth' && user.emailVerified !== true
          ? { error: 'email_not_verified' }
          : undefined,
      additionalFields: {
        operator: { type: 'boolean', required: false, input: false },
        disabledAt: { type: 'date', required: false, input: false },
      },
      changeEmail: { enabled: true, sendChangeEmailConfirmation: mails.changeOfAddress },
      deleteUser: {
        enabled: true,
        // Deletes everything; nothing is left for better-auth to delete.
        beforeDelete: async ({ id }) => {
          await deleteAccount({ prisma, now, actor: id }, id);
        },
      },
    },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: DAY_SECONDS,
      freshAge: DAY_SECONDS,
      additionalFields: { factorAt: { type: 'date', required: false, input: false } },
    },
    // Without its hook, which knows only signing in with a password: auth.ts checks every session.
    plugins: [{ ...twoFactor({ allowPasswordless: true }), hooks: {} }],
    account: {
      accountLinking: { enabled: true, disableImplicitLinking: true },
      updateAccountOnSignIn: false,
    },
    emailAndPassword: {
      enabled: true,
      // Our own page creates accounts: their users choose a password when they confirm the address.
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      resetPasswordTokenExpiresIn: LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: passwords,
      sendResetPassword: mails.password,
      // A user who followed the link controls the mailbox.
      onPasswordReset: async ({ user }) => {
        await prisma.account.updateMany({ where: { id: user.id }, data: { emailVerified: true } });
      },
    },
    emailVerification: {
      sendOnSignIn: false,
      autoSignInAfterVerification: false,
      expiresIn: LINK_SECONDS,
      sendVerificationEmail: mails.newAddress,
    },
    socialProviders: github === undefined ? {} : { github: { ...github, disableSignUp: isInvitedOnly } },
    // Names, pictures and access tokens of GitHub are not used, and so not stored.
    databaseHooks: {
      account: { create: { before: async () => ({ data: noTokens }) } },
      user: {
        create: {
          before: async () => ({ data: { name: '', image: undefined } }),
          after: async ({ id }) => {
            const data = { at: new Date(now()), actor: id, action: 'account.create', subject: id };
            await prisma.auditEntry.create({ data, select: { id: true } });
          },
        },
      },
      // Only a verified holder of the address gets a session.
      session: { create: { before: async ({ userId }) => refuseDisabled(prisma, userId) } },
    },
    // Anything but an answer to a visitor is an error of the request, masked and logged like all others.
    onAPIError: { throw: true },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 60,
      customRules: {
        ...Object.fromEntries(Object.entries(perMinute).map(([path, max]) => [path, { window: 60, max }])),
        // Counted in sign-in.ts, which knows browsers that signed in before.
        '/sign-in/email': false,
      },
      customStorage: {
        consume: async (key, { max }) => {
          const { admitted, resetAt } = await counter.reserve(`dashboard:${key}`, 1, max);
          return {
            allowed: admitted,
            retryAfter: admitted ? null : Math.ceil((resetAt - now()) / 1000),
          };
        },
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(origin),
      useSecureCookies: false,
      defaultCookieAttributes: {
        secure: origin.startsWith('https:'),
        httpOnly: true,
        sameSite: 'lax',
        path: '/',
      },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: {
        generateId: ({ model }) =>
          model === 'user' ? `acc_${randomBase62(12, randomBytes)}` : randomBase62(22, randomBytes),
      },
    },
  });
}

/** @throws ApiError for a disabled account, with the reason, which its holder sees. */
async function refuseDisabled(prisma: PrismaClient, id: string): Promise<void> {
  const account = await prisma.account.findUnique({
    where: { id },
    select: { disabledAt: true, disabledReason: true },
  });
  if (account?.disabledAt) {
    const message = 'Your account is disabled under the acceptable-use policy';
    throw new ApiError('ACCESS_DISABLED', withReason(message, account.disabledReason));
  }
}

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
function authModels(prisma: PrismaClient): Record<string, unknown> {
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
