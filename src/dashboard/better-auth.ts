import { deleteAccount } from '../accounts/delete.ts';
import { type RandomBytes, randomBase62 } from '../base62.ts';
import type { PrismaClient } from '../db/generated/client/client.ts';
import { ApiError } from '../errors.ts';
import type { Mailer } from '../mail/mail.ts';
import type { Counter } from '../rate-limit/counter.ts';
import { createAuthMails } from './auth-mails.ts';
import { authModels } from './auth-models.ts';
import { createPasswordHashing, PASSWORD_MAX, PASSWORD_MIN, type PasswordHashing } from './passwords.ts';

/** What signing in is made of. */
export interface AuthOptions {
  readonly prisma: PrismaClient;
  /** Where the dashboard is reached, such as https://api.example.com. */
  readonly origin: string;
  /** Signs cookies and the tokens of mails. */
  readonly secret: string;
  readonly github: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly mailer: Mailer;
  /** How passwords are hashed; with scrypt where it is not given. */
  readonly hashing?: PasswordHashing | undefined;
  /** What attempts are counted with. */
  readonly counter: Counter;
  readonly randomBytes: RandomBytes;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Receives errors that a visitor sees masked, and those of mails that could not be sent. */
  readonly onError: (error: unknown) => void;
}

/** Below this path stands better-auth. Of it, only the way back from a provider is served to browsers. */
export const AUTH_BASE = '/dashboard/auth';

/** The header in which better-auth gets the client's address; what a client sends under it goes nowhere. */
export const ADDRESS_HEADER = 'x-revgate-client';

/** Sessions end after so many seconds without use. */
const SESSION_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
/** For how long the link of a mail works, in seconds. */
const LINK_SECONDS = 3_600;

/**
 * How often an address may do what, in a minute. What is not named here is only ever called by a page of
 * ours for somebody who is signed in.
 */
const perMinute: Readonly<Record<string, number>> = {
  '/sign-up/email': 5,
  '/sign-in/email': 10,
  '/sign-in/social': 20,
  '/request-password-reset': 5,
  '/reset-password': 10,
  '/send-verification-email': 5,
  '/verify-email': 20,
  '/change-email': 5,
  '/change-password': 10,
  '/delete-user': 10,
};

/** What the names of our cookies begin with. */
export function cookiePrefix(origin: string): string {
  // Browsers take a cookie of this prefix only over https, from this very host and for all of it.
  return origin.startsWith('https:') ? '__Host-revgate' : 'revgate';
}

/**
 * Loads better-auth's code, which takes half as long as the rest. To be called before the gateway listens, and not at
 * the first use: where clients have taken all files by then, an import fails for good.
 */
export async function loadBetterAuth() {
  const [{ betterAuth }, { prismaAdapter }] = await Promise.all([
    import('better-auth'),
    import('better-auth/adapters/prisma'),
  ]);
  return { betterAuth, prismaAdapter };
}

/** Sets up better-auth. */
export async function openBetterAuth(options: AuthOptions) {
  const mails = createAuthMails(options);
  const { prisma, origin, secret, github, hashing, counter, randomBytes, now, onError } = options;
  const { betterAuth, prismaAdapter } = await loadBetterAuth();
  return betterAuth({
    appName: 'revgate',
    baseURL: origin,
    basePath: AUTH_BASE,
    secret,
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message, ...details) =>
        onError(details.find((detail) => detail instanceof Error) ?? new Error(message)),
    },
    database: prismaAdapter(authModels(prisma), { provider: 'postgresql', transaction: false }),
    user: {
      // An address that GitHub has not verified may be anybody's.
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
        // All there is to delete; nothing is left for better-auth then.
        beforeDelete: ({ id }) => deleteAccount({ prisma, now, actor: id }, id),
      },
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: DAY_SECONDS, freshAge: DAY_SECONDS },
    account: {
      accountLinking: { enabled: true, disableImplicitLinking: true },
      updateAccountOnSignIn: false,
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      resetPasswordTokenExpiresIn: LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: createPasswordHashing(hashing),
      sendResetPassword: mails.passwordReset,
      onExistingUserSignUp: mails.accountExists,
      // Who followed the link has the mailbox.
      onPasswordReset: async ({ user }) => {
        await prisma.account.updateMany({ where: { id: user.id }, data: { emailVerified: true } });
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: false,
      autoSignInAfterVerification: false,
      expiresIn: LINK_SECONDS,
      sendVerificationEmail: mails.verification,
    },
    socialProviders: github === undefined ? {} : { github: { ...github } },
    // A name that GitHub knows is asked for nowhere else, and shown nowhere.
    databaseHooks: {
      user: {
        create: {
          before: async (user) => ({ data: { ...user, name: '' } }),
          after: async ({ id }) => {
            const data = { at: new Date(now()), actor: id, action: 'account.create', subject: id };
            await prisma.auditEntry.create({ data, select: { id: true } });
          },
        },
      },
      // Only somebody who has shown to be its holder gets as far as a session.
      session: { create: { before: async ({ userId }) => refuseDisabled(prisma, userId) } },
    },
    // What is no answer to a visitor is an error of the request, masked and logged like all others.
    onAPIError: { throw: true },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 60,
      customRules: Object.fromEntries(
        Object.entries(perMinute).map(([path, max]) => [path, { window: 60, max }]),
      ),
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

/** @throws ApiError for a disabled account, with the reason for its holder to read. */
async function refuseDisabled(prisma: PrismaClient, id: string): Promise<void> {
  const account = await prisma.account.findUnique({
    where: { id },
    select: { disabledAt: true, disabledReason: true },
  });
  if (account?.disabledAt) {
    const reason = account.disabledReason === null ? '' : `: ${account.disabledReason}`;
    const message = `Your account is disabled under the acceptable-use policy${reason}`;
    throw new ApiError('ACCESS_DISABLED', message);
  }
}
