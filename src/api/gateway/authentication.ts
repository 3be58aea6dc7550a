import { isWellFormed, parseBearer } from '../../access/keys/token.ts';
import type { KeyVerifier, VerifiedKey } from '../../access/keys/verify.ts';
import type { RateLimitState } from '../../access/limits/limiter.ts';
import { accountSubject, addressSubject, embedSubject, type Subject } from '../../access/limits/subject.ts';
import { ApiError, withReason } from '../../lib/errors.ts';
import type { GatewayRequest } from '../../lib/http/request-response.ts';

/** The surfaces of the API. */
export type SurfaceName = 'rest' | 'graphql' | 'mcp' | 'feed';

/** What a session allows a request: operations on the budget of its account, or nothing. */
type SessionAccess = {
  /** Values of Set-Cookie: a session is extended by its use. */
  readonly cookies?: readonly string[];
} & (
  | {
      /** The account whose budget the request is charged to. */
      readonly accountId: string;
      /** Why the account may not run operations; undefined if it may. */
      readonly refusal?: ApiError;
      readonly exceeded?: never;
    }
  | {
      /** No account: the request is charged to the budget of its address. */
      readonly accountId?: never;
      readonly refusal: ApiError;
      /** The limit of pages, if it is exceeded and nothing was looked up. */
      readonly exceeded?: RateLimitState;
    }
);

/** Determines the rights of a request's session. Rejects if the database does not answer. */
export type AuthenticateSession = (request: GatewayRequest) => Promise<SessionAccess>;

/** The sender of a request. */
export interface Client {
  /** Undefined for a request without a valid key. */
  readonly key: VerifiedKey | undefined;
  /** Why there is no key. */
  readonly missing?: keyof typeof missingKeys;
  /** Whether an embed key is used by a page of another origin, or outside of a web page. */
  readonly isStranger: boolean;
  /** The budget that the request is charged to, and whose work it is. */
  readonly subject: Subject;
  /** The rights of a session, if the surface accepts one in place of a key. */
  readonly session?: SessionAccess;
}

/**
 * Determines the sender of a request, at once if its key is in memory.
 *
 * @throws when the key cannot be looked up.
 */
export function authenticate(
  request: GatewayRequest,
  verifier: Pick<KeyVerifier, 'verify'>,
): Client | Promise<Client> {
  const header = request.header('authorization');
  const token = parseBearer(header);
  if (token === undefined) {
    const isKeySent = header !== undefined && /^bearer +[^ ]/i.test(header);
    return { ...addressClient(request), missing: isKeySent ? 'malformed' : 'unsent' };
  }
  const found = verifier.verify(token);
  return found instanceof Promise
    ? found.then((key) => clientOf(request, token, key))
    : clientOf(request, token, found);
}

/** The client that sent a key. @param key null for one that is not known. */
function clientOf(request: GatewayRequest, token: string, key: VerifiedKey | null): Client {
  if (key === null) {
    return { ...addressClient(request), missing: isWellFormed(token) ? 'unknown' : 'malformed' };
  }
  if (!key.isEmbed) {
    return { key, isStranger: false, subject: key.subject };
  }
  const isStranger = !key.origins.includes(request.header('origin') ?? '');
  return { key, isStranger, subject: embedSubject(key, request.address, !isStranger) };
}

/** The client by its address alone, whatever key it sends. */
export function addressClient({ address }: GatewayRequest): Client {
  return { key: undefined, isStranger: false, subject: addressSubject(address) };
}

/** The client that a session represents. */
export function sessionClient(request: GatewayRequest, session: SessionAccess): Client {
  const { accountId } = session;
  const subject = accountId === undefined ? addressSubject(request.address) : accountSubject(accountId);
  return { key: undefined, isStranger: false, subject, session };
}

/** How to authenticate, as every 401 says it. https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export function challenge({ missing }: Pick<Client, 'missing'>): string {
  return missing === 'unsent' ? 'Bearer' : 'Bearer error="invalid_token"';
}

/** Why a request has no valid key. Whether an unknown one was revoked is for its holder, who sees that in the dashboard. */
const missingKeys = {
  unsent: 'An API key is required. Send it as a header: Authorization: Bearer <API_KEY>',
  malformed:
    'This is not an API key: a key is rvg_ and 38 letters and digits. Check that it is complete and correctly typed',
  unknown: 'This API key does not exist, or it has expired or was revoked',
  unembedded: 'A feed needs an embed key in its address: ?key=rvg_pub_…',
} as const;

/**
 * Checks that a client may use a surface.
 *
 * @param keySource returns a sentence about where to get a key.
 * @throws ApiError if not.
 */
export function authorize(
  { key, missing = 'unsent', isStranger, session }: Client,
  request: GatewayRequest,
  surface: SurfaceName,
  keySource: () => string,
): void {
  if (session !== undefined) {
    if (session.refusal !== undefined) {
      throw session.refusal;
    }
    return;
  }
  if (key === undefined) {
    throw new ApiError('UNAUTHENTICATED', `${missingKeys[missing]}. ${keySource()}`);
  }
  if (key.state === 'disabled') {
    const message = 'This API key is disabled under the acceptable-use policy';
    // Everyone can use an embed key, but the reason is for its holder, who can read it in the dashboard.
    throw new ApiError('ACCESS_DISABLED', withReason(message, key.isEmbed ? null : key.disabledReason));
  }
  if (key.trustedOnly && surface === 'mcp') {
    throw new ApiError(
      'DOCUMENT_NOT_TRUSTED',
      key.isEmbed
        ? 'An embed key is for the scripts of web pages, and agents cannot use it: connect with a secret key (rvg_…)'
        : 'This key can run only its published documents, and the tools of agents are none: connect with another key',
    );
  }
  if (isStranger) {
    const origin = request.header('origin')?.slice(0, 200) || null;
    throw new ApiError(
      'ORIGIN_NOT_ALLOWED',
      `Origin: got ${JSON.stringify(origin)}, allowed: the origins of this embed key. ${
        origin === null || origin === 'null'
          ? 'Send the request from a web page at one of them.'
          : 'To allow this one, create an embed key for it in the dashboard.'
      }`,
    );
  }
  if (key.isEmbed && surface === 'rest') {
    throw new ApiError(
      'DOCUMENT_NOT_TRUSTED',
      'An embed key can run only published documents: request one at /graphql by its documentId',
    );
  }
}

/** Where requests with an embed key come from that its holder did not allow, or that are sent by no page. */
const OTHER_ORIGIN = 'other';

/** The origin of a request with an embed key: one that its holder has allowed, so that no client adds any. */
export function originOf(key: VerifiedKey, request: GatewayRequest): string {
  const origin = request.header('origin') ?? '';
  return key.origins.includes(origin) ? origin : OTHER_ORIGIN;
}
