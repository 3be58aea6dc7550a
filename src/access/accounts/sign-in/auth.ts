import { createHmac } from 'node:crypto';
import { ApiError } from '../../../lib/errors.ts';
import type { GatewayRequest } from '../../../lib/http/request-response.ts';
import type { MailOutcome } from '../../../lib/mail/outcome.ts';
import { WINDOW_MS } from '../../limits/tiers.ts';
import { isOperator } from '../operators.ts';
import { type MailOfCall, mailOfCall } from './auth-mails.ts';
import {
  ADDRESS_HEADER,
  AUTH_BASE,
  type AuthOptions,
  cookiePrefix,
  openBetterAuth,
  withDatabaseErrors,
} from './better-auth.ts';
import { createKnownBrowsers } from './known-browsers.ts';
import { createPasswordHashing } from './passwords.ts';

export type Auth = ReturnType<typeof createAuth>;

const USER_AGENT_MAX = 256;

/** A better-auth user with our own columns. */
interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly operator?: boolean | null;
  readonly disabledAt?: Date | null;
  readonly twoFactorEnabled?: boolean | null;
}

/** What better-auth needs to know of a request. */
type Sender = Pick<GatewayRequest, 'header' | 'address'>;

type BetterAuth = Awaited<ReturnType<typeof openBetterAuth>>;

export function createAuth(options: AuthOptions) {
  const browsers = createKnownBrowsers(options);
  const passwords = createPasswordHashing(options.hashing);
  let opened: Promise<BetterAuth> | undefined;
  const open = (): Promise<BetterAuth> => {
    opened ??= openBetterAuth(options, passwords);
    return opened;
  };
  const encryptionKey = async () => (await (await open()).$context).secretConfig;
  const call = async (
    request: Sender,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    isSignUp = false,
  ): Promise<AuthAnswer> => {
    const auth = await open();
    const headers = ownHeaders(request, options.origin);
    if (body !== undefined) {
      headers.set('content-type', 'application/json');
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const mail: MailOfCall = { isSignUp };
    const response = await mailOfCall.run(mail, () =>
      withDatabaseErrors(
        () => auth.handler(new Request(`${options.origin}${AUTH_BASE}${path}`, init)),
        ({ status }) => status >= 500,
      ),
    );
    const answer = { ...(await readAnswer(response)), mail: mail.outcome };
    if (answer.status === 429) {
      throw tooManyAttempts();
    }
    if (answer.status >= 500) {
      throw unexpected(answer);
    }
    return answer;
  };
  return {
    /**
     * The visitor who sent a request, and the cookies to set. A disabled account cannot visit. A session that lacks the
     * second factor is pending: it can only give it, or set it up.
     */
    async visitor(
      request: GatewayRequest,
    ): Promise<{ visitor?: Visitor; pending?: Visitor; cookies: string[] }> {
      // Without a cookie of ours there is no session to look up.
      if (!(request.header('cookie') ?? '').includes(cookiePrefix(options.origin))) {
        return { cookies: [] };
      }
      const auth = await open();
      const { response, headers } = await withDatabaseErrors(() =>
        auth.api.getSession({ headers: ownHeaders(request, options.origin), returnHeaders: true }),
      );
      const cookies = headers.getSetCookie();
      const user = response?.user as StoredUser | undefined;
      if (response === null || user === undefined || user.disabledAt) {
        return { cookies };
      }
      const { id, email, emailVerified } = user;
      const account = { email, emailVerified, operator: user.operator === true };
      // Whichever way it signed in, and also after a change of the address.
      if (browsers.find(request, email) === undefined) {
        cookies.push(browsers.remember(email));
      }
      const { factorAt } = response.session as { factorAt?: Date | null };
      const visitor = {
        id,
        email,
        isOperator: isOperator(account, options.operators),
        sessionId: response.session.id,
        hasFactor: user.twoFactorEnabled === true,
        factorAt: factorAt?.getTime() ?? null,
      };
      const isPending = visitor.hasFactor
        ? visitor.factorAt === null
        : options.requiresFactor && visitor.isOperator;
      return { ...(isPending ? { pending: visitor } : { visitor }), cookies };
    },
    /**
     * Passes a form to better-auth's own handler, which limits attempts.
     *
     * @param path such as `/sign-in/email`.
     * @throws ApiError RATE_LIMITED when there were too many attempts; Error when it failed.
     */
    post: (request: Sender, path: string, body: object) => call(request, 'POST', path, body),
    /** Sends a link to an address that signs up, for which there is an account by now; throws the same. */
    postSignUp: (request: Sender, email: string) =>
      call(request, 'POST', '/request-password-reset', { email }, true),
    /** The same for a GET; `path` may have a query. */
    get: (request: GatewayRequest, path: string) => call(request, 'GET', path),
    /** Reads what the plugin of the second factor encrypted. */
    async decrypt(data: string): Promise<string> {
      const { symmetricDecrypt } = await import('better-auth/crypto');
      return symmetricDecrypt({ key: await encryptionKey(), data });
    },
    /** Encrypts as the plugin does. */
    async encrypt(data: string): Promise<string> {
      const { symmetricEncrypt } = await import('better-auth/crypto');
      return symmetricEncrypt({ key: await encryptionKey(), data });
    },
    hashPassword: (password: string) => passwords.hash(password),
    browsers,
    /** A token that our scripts send to prove that they could read a page of this session. It is not stored. */
    csrfToken: ({ sessionId }: Pick<Visitor, 'sessionId'>): string =>
      createHmac('sha256', options.secret).update(`csrf token of session ${sessionId}`).digest('base64url'),
  };
}

/** The headers for better-auth: only what it needs, with the address as we know it in place of any claimed one. */
function ownHeaders(request: Sender, origin: string): Headers {
  const own = {
    origin,
    cookie: request.header('cookie'),
    'user-agent': request.header('user-agent')?.slice(0, USER_AGENT_MAX),
    [ADDRESS_HEADER]: request.address,
  };
  return new Headers(
    Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function readAnswer(response: Response): Promise<AuthAnswer> {
  // A redirect has no body.
  const body: Record<string, unknown> = (await response.json().catch(() => null)) ?? {};
  return {
    status: response.status,
    code: typeof body.code === 'string' ? body.code : undefined,
    body,
    cookies: response.headers.getSetCookie(),
    location: response.headers.get('location') ?? undefined,
  };
}

/** The signed-in user. */
export interface Visitor {
  readonly id: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly sessionId: string;
  readonly hasFactor: boolean;
  /** When the session last gave it, in ms since 1970; null: never. */
  readonly factorAt: number | null;
}

export interface AuthAnswer {
  readonly status: number;
  /** Its error code, such as INVALID_PASSWORD. */
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  readonly location: string | undefined;
  /** What becomes of the email that it has sent, if any. */
  readonly mail?: Promise<MailOutcome> | undefined;
}

/** @param waitMs until the window of the attempts ends: a minute at most. */
export const tooManyAttempts = (waitMs = WINDOW_MS): ApiError =>
  new ApiError('RATE_LIMITED', 'Too many attempts.', [], Math.max(1, Math.ceil(waitMs / 1000)));

/** The error for an answer that no page explains. */
export function unexpected({ status, code }: AuthAnswer): Error {
  return new Error(`better-auth answered ${status}: ${code ?? 'no code'}`);
}
