import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Counter, Reservation } from '../../access/limits/counter.ts';
import { addressSubject } from '../../access/limits/subject.ts';
import { UNSUBSCRIBE_PATH } from '../../access/mails/saved-mail-settings.ts';
import { ApiError } from '../../lib/errors.ts';
import type { GatewayRequest } from '../../lib/http/request-response.ts';
import type { PageEnv } from '../shared/hono-app.ts';
import type { DashboardEnv } from './page.ts';
import type { Services } from './services.ts';

/**
 * Whether a form comes from a page of ours. Every browser sends Origin with a POST, and a page cannot
 * forge it, so a request without Origin and Sec-Fetch-Site is not from a form of ours.
 *
 * @param origins the origins of the dashboard; never derived from the request's Host.
 */
export function isOwnForm(request: Pick<GatewayRequest, 'header'>, origins: readonly string[]): boolean {
  const origin = request.header('origin');
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') {
    return false;
  }
  return origin === undefined ? site === 'same-origin' : origins.includes(origin);
}

/** The origins of the dashboard: one, or on loopback all names of this machine. */
export function allowedOrigins(publicOrigin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(publicOrigin);
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  if (protocol !== 'http:' || !loopback.includes(hostname)) {
    return [publicOrigin];
  }
  return loopback.map((name) => new URL(`http://${name}:${port}`).origin);
}

/** Pages that an account can open in a minute: each costs 1, whatever it shows. */
export const PAGES_PER_MINUTE = 120;

/**
 * Pages that can be requested in a minute: by one account, by all browsers that signed in to one before, and by one
 * address, which many people may share.
 */
const limits = { account: PAGES_PER_MINUTE, browsers: 2 * PAGES_PER_MINUTE, address: 600 } as const;

/** Until a window ends. */
export function secondsLeft(resetAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}

/** Of a page that is refused. */
export const TOO_MANY_PAGES = 'Too many pages in a minute.';

/** A refusal by a limit, which says when its window ends. */
export const limited = (message: string, { resetAt }: Pick<Reservation, 'resetAt'>, now: number): ApiError =>
  new ApiError('RATE_LIMITED', message, [], secondsLeft(resetAt, now));

/** Counts a page request: of an address or known browsers, before anything is looked up, or of an account. */
export async function reservePage(
  counter: Counter,
  by: keyof typeof limits,
  name: string,
): Promise<Reservation> {
  return counter.reserve(`dashboard:pages:${by}:${name}`, 1, limits[by]);
}

/** Whether the visitor who sent a request is an operator, and the cookies to set. */
export type FindOperator = (
  request: GatewayRequest,
) => Promise<{ readonly isOperator: boolean; readonly cookies: readonly string[] }>;

/** Creates the check for pages outside the dashboard, which everyone can see: a failure is not theirs. */
export const createOperatorCheck =
  ({ auth, counter }: Pick<Services, 'auth' | 'counter'>): FindOperator =>
  async (request) => {
    try {
      const { admitted } = await reservePage(counter, 'address', addressSubject(request.address).name);
      const { visitor, cookies } = admitted ? await auth.visitor(request) : { cookies: [] };
      return { isOperator: visitor?.isOperator ?? false, cookies };
    } catch {
      return { isOperator: false, cookies: [] };
    }
  };

/** No form of ours has as many fields. */
const MOST_FIELDS = 1_000;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Whether a request sends a form other than an upload. */
export function isForm({ req }: Context<DashboardEnv>): boolean {
  const type = (req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  return req.method === 'POST' && type === FORM_TYPE;
}

/** Whether the token in its address authorizes a request, so that mail services may send it. */
export const isByMail = ({ req }: Context): boolean => req.path === UNSUBSCRIBE_PATH;

/** Reads the fields of a POST. What mail services send is not read. */
export const readForm = createMiddleware<DashboardEnv>(async (context, next) => {
  if (context.req.method === 'POST' && !isByMail(context)) {
    if (!isForm(context)) {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `A form is sent as ${FORM_TYPE}.`);
    }
    const text = await context.req.text();
    if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) {
      throw new ApiError('PAYLOAD_TOO_LARGE', `The form has more than ${MOST_FIELDS} fields.`);
    }
    context.set('form', Object.fromEntries(new URLSearchParams(text)));
  }
  await next();
});

/** The path of a request, with its query. */
export function requestedPath(context: { readonly env: PageEnv['Bindings'] }): string {
  const { path, query } = context.env.request;
  return query === '' ? path : `${path}?${query}`;
}
