import { deleteAccount } from '../accounts/delete.ts';
import type { PrismaClient } from '../db/generated/client/client.ts';
import type { GatewayRequest } from '../exchange.ts';
import { type RandomBytes, randomBase62 } from '../keys/base62.ts';
import type { Mailer } from '../mail/mail.ts';
import type { Counter } from '../rate-limit/counter.ts';
import { type AuthMails, createAuthMails } from './auth-mails.ts';
import { authModels } from './auth-models.ts';
import { createPasswordHashing } from './passwords.ts';

/** What signing in is made of. */
export interface AuthOptions {
  readonly prisma: PrismaClient;
  /** Where the dashboard is reached, such as https://api.example.com. */
  readonly origin: string;
  /** Signs cookies and the tokens of mails. */
  readonly secret: string;
  readonly github: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly mailer: Mailer;
  /** What attempts are counted with. */
  readonly counter: Counter;
  readonly randomBytes: RandomBytes;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Told of faults that a visitor sees masked, and of mails that did not leave. */
  readonly onFault: (error: unknown) => void;
}

/** Who is signed in. */
export interface Visitor {
  readonly id: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  /** The session that this request belongs to. */
  readonly sessionId: string;
}

/** What better-auth answered to a form. */
export interface AuthAnswer {
  readonly status: number;
  /** Its code for what went wrong, such as INVALID_PASSWORD. */
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  readonly location: string | undefined;
}

/** Signing in, out and up. */
export interface Auth {
  /** Who sent a request, and what to set in its answer when the session was prolonged. */
  visitor(
    request: GatewayRequest,
  ): Promise<{ readonly visitor: Visitor | undefined; readonly cookies: readonly string[] }>;
  /**
   * Hands a form to better-auth's own handler, where attempts are throttled.
   *
   * @param path such as `/sign-in/email`.
   */
  post(request: GatewayRequest, path: string, body: object): Promise<AuthAnswer>;
  /** The same for a GET; `path` may have a query. */
  get(request: GatewayRequest, path: string): Promise<AuthAnswer>;
}

/** Below this path stands better-auth. Of it, only the way back from a provider is served to browsers. */
export const AUTH_BASE = '/dashboard/auth';

/** Sessions end after so many seconds without use. */
const SESSION_SECONDS = 7 * 86_400;
const DAY_SECONDS = 86_400;
/** For how long the link of a mail works, in seconds. */
export const LINK_SECONDS = 3_600;
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 128;

const ADDRESS_HEADER = 'x-revgate-client';
const USER_AGENT_MAX = 256;

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

/** A user of better-auth's with our own columns. */
interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly operator?: boolean | null;
  readonly disabledAt?: Date | null;
  readonly disabledReason?: string | null;
}

type BetterAuth = Awaited<ReturnType<typeof openBetterAuth>>;

/**
 * Makes signing in. better-auth itself is loaded at its first use: a gateway whose dashboard nobody opens
 * never pays for it.
 */
export function createAuth(options: AuthOptions): Auth {
  let opened: Promise<BetterAuth> | undefined;
  const open = (): Promise<BetterAuth> => {
    opened ??= openBetterAuth(options, createAuthMails(options));
    return opened;
  };
  const call = async (
    request: GatewayRequest,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<AuthAnswer> => {
    const auth = await open();
    const headers = ownHeaders(request, options.origin);
    const init =
      body === undefined
        ? { method, headers }
        : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return readAnswer(await auth.handler(new Request(`${options.origin}${AUTH_BASE}${path}`, init)));
  };
  return {
    async visitor(request) {
      // Without a cookie of ours there is nobody to look up.
      if (!(request.header('cookie') ?? '').includes(cookiePrefix(options.origin))) {
        return { visitor: undefined, cookies: [] };
      }
      const auth = await open();
      const { response, headers } = await auth.api.getSession({
        headers: new Headers(ownHeaders(request, options.origin)),
        returnHeaders: true,
      });
      const cookies = headers.getSetCookie();
      if (response === null) {
        return { visitor: undefined, cookies };
      }
      const user = response.user as StoredUser;
      return {
        visitor: {
          id: user.id,
          email: user.email,
          isOperator: user.operator === true,
          disabledAt: user.disabledAt ?? null,
          disabledReason: user.disabledReason ?? null,
          sessionId: response.session.id,
        },
        cookies,
      };
    },
    post: (request, path, body) => call(request, 'POST', path, body),
    get: (request, path) => call(request, 'GET', path),
  };
}

/** Only what better-auth needs of a request, and the address as we know it in place of any that it claims. */
function ownHeaders(request: GatewayRequest, origin: string): Record<string, string> {
  const headers: Record<string, string> = { origin };
  for (const [name, value] of [
    ['cookie', request.header('cookie')],
    ['user-agent', request.header('user-agent')?.slice(0, USER_AGENT_MAX)],
    [ADDRESS_HEADER, request.address],
  ] as const) {
    if (value !== undefined) {
      headers[name] = value;
    }
  }
  return headers;
}

async function readAnswer(response: Response): Promise<AuthAnswer> {
  const text = await response.text();
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    body = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    // A redirect has no body.
  }
  return {
    status: response.status,
    code: typeof body.code === 'string' ? body.code : undefined,
    body,
    cookies: response.headers.getSetCookie(),
    location: response.headers.get('location') ?? undefined,
  };
}

function cookiePrefix(origin: string): string {
  // Browsers take a cookie of this prefix only over https, from this very host and for all of it.
  return origin.startsWith('https:') ? '__Host-revgate' : 'revgate';
}

async function openBetterAuth(options: AuthOptions, mails: AuthMails) {
  const { prisma, origin, secret, github, counter, randomBytes, now, onFault } = options;
  const [{ betterAuth }, { prismaAdapter }] = await Promise.all([
    import('better-auth'),
    import('better-auth/adapters/prisma'),
  ]);
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
        onFault(details.find((detail) => detail instanceof Error) ?? new Error(message)),
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
        disabledReason: { type: 'string', required: false, input: false },
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
      password: createPasswordHashing(),
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
    databaseHooks: { user: { create: { before: async (user) => ({ data: { ...user, name: '' } }) } } },
    // What is no answer to a visitor is a fault of the request, masked and logged as all are.
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
