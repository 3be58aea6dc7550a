import { ApiError, type ErrorCode, OperatorError, UnknownError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import { html } from '../html.ts';
import { maskError, RETRY_SECONDS, type ReportError } from '../mask-error.ts';
import type { Counter } from '../rate-limit/counter.ts';
import { addressSubject } from '../rate-limit/subject.ts';
import type { Assets } from './assets.ts';
import { ASSET_BASE } from './assets.ts';
import type { Auth, Visitor } from './auth.ts';
import { layOut } from './layout.ts';
import type { Page, PageContext, Reply, Route } from './page.ts';
import { createRouter } from './router.ts';
import { allowedOrigins, isOwnForm } from './same-origin.ts';

/** What the dashboard is made of. */
interface DashboardOptions {
  readonly auth: Auth;
  readonly assets: Assets;
  readonly routes: readonly Route[];
  /** What pages are counted with. */
  readonly counter: Counter;
  /** Where the dashboard is reached, such as https://api.example.com. */
  readonly origin: string;
  /** Told of every fault that a visitor sees masked. */
  readonly report: ReportError;
}

/** Answers a path at or below `/dashboard`; never rejects. */
export type Dashboard = (request: GatewayRequest, requestId: string) => Promise<GatewayResponse>;

/** Pages that one account may ask for in a minute, and one address, which may be many people's. */
const PAGES_OF_ACCOUNT = 120;
const PAGES_OF_ADDRESS = 600;
/** Longest form in bytes; the longest of ours is a query of the explorer. */
const FORM_LIMIT = 128 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Makes the dashboard of its parts. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const { auth, assets, counter, origin, report } = options;
  const find = createRouter(options.routes);
  const origins = allowedOrigins(origin);

  return async (request, requestId) => {
    if (request.path.startsWith(ASSET_BASE)) {
      const asset = assets.answer(request);
      if (asset !== undefined) {
        return asset;
      }
    }
    let visitor: Visitor | undefined;
    let cookies: readonly string[] = [];
    const finish = (reply: Reply): GatewayResponse => {
      const response = 'title' in reply ? show(reply, request, visitor) : follow(reply);
      return { ...response, cookies: [...cookies, ...(response.cookies ?? [])] };
    };
    try {
      // Before anything else of a form is looked at.
      if (request.method === 'POST' && !isOwnForm(request, origins)) {
        throw new ApiError('ACCESS_DISABLED', 'This form was not sent from a page of the dashboard.');
      }
      await meter(addressSubject(request.address).identity, PAGES_OF_ADDRESS);
      ({ visitor, cookies } = await auth.visitor(request));
      if (visitor !== undefined) {
        await meter(visitor.id, PAGES_OF_ACCOUNT);
      }
      return finish(await answer(request, requestId, visitor));
    } catch (error) {
      return finish(failure(error, requestId));
    }
  };

  async function meter(identity: string, limit: number): Promise<void> {
    if (!(await counter.reserve(`dashboard:pages:${identity}`, 1, limit)).admitted) {
      throw new ApiError('RATE_LIMITED', 'Too many pages in a minute. Wait a moment, then try again.');
    }
  }

  async function answer(
    request: GatewayRequest,
    requestId: string,
    visitor: Visitor | undefined,
  ): Promise<Reply> {
    const found = find(request.method, request.path);
    if (!('route' in found)) {
      if (found.methods.length === 0) {
        throw new ApiError('NOT_FOUND', 'There is no such page.');
      }
      const Allow = found.methods.join(', ');
      return { ...errorPage(405, 'METHOD_NOT_ALLOWED', `Allowed here: ${Allow}.`), headers: { Allow } };
    }
    const { route, params } = found;
    if (route.access !== 'anyone' && visitor === undefined) {
      return { location: signInPath(request) };
    }
    if (route.access === 'operator' && visitor?.isOperator !== true) {
      throw new ApiError('NOT_FOUND', 'There is no such page.');
    }
    const context: PageContext = {
      request,
      requestId,
      params,
      query: new URLSearchParams(request.query),
      form: route.method === 'POST' ? await readForm(request) : new URLSearchParams(),
      visitor,
    };
    return route.answer(context);
  }

  function failure(error: unknown, requestId: string): Page {
    // An error in what was asked, in the domain's own words.
    if (error instanceof OperatorError) {
      if (error instanceof UnknownError) {
        return errorPage(404, 'NOT_FOUND', error.message);
      }
      return errorPage(400, 'BAD_USER_INPUT', error.message);
    }
    const { status, code, message } = maskError(error, requestId, report);
    const text =
      code === 'INTERNAL_SERVER_ERROR'
        ? `Something went wrong on our side. If it happens again, send us the request id ${requestId}.`
        : message;
    const page = errorPage(status, code, text);
    return status === 503 ? { ...page, headers: { 'Retry-After': String(RETRY_SECONDS) } } : page;
  }

  function show(page: Page, request: GatewayRequest, visitor: Visitor | undefined): GatewayResponse {
    return {
      status: page.status ?? 200,
      headers: { ...page.headers, ...pageHeaders(page), 'Content-Type': 'text/html; charset=utf-8' },
      cookies: page.cookies ?? [],
      body: layOut(page, { assets, path: request.path, visitor }),
    };
  }
}

/** Where somebody signs in who asked for a page that needs it, to come back to it where it can be shown. */
function signInPath({ method, path, query }: GatewayRequest): string {
  const isPage = method === 'GET' || method === 'HEAD';
  const next = query === '' ? path : `${path}?${query}`;
  return isPage ? `/dashboard/sign-in?next=${encodeURIComponent(next)}` : '/dashboard/sign-in?notice=expired';
}

async function readForm(request: GatewayRequest): Promise<URLSearchParams> {
  const type = (request.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `A form is sent as ${FORM_TYPE}.`);
  }
  return new URLSearchParams((await request.body(FORM_LIMIT)).toString('utf8'));
}

function follow(reply: Exclude<Reply, Page>): GatewayResponse {
  return 'location' in reply
    ? {
        status: 303,
        headers: { ...securityHeaders, Location: reply.location },
        cookies: reply.cookies ?? [],
        body: '',
      }
    : { ...reply, headers: { ...securityHeaders, ...reply.headers } };
}

const headings: Readonly<Partial<Record<ErrorCode, string>>> = {
  NOT_FOUND: 'Not found',
  ACCESS_DISABLED: 'Refused',
  RATE_LIMITED: 'Too many attempts',
  INTERNAL_SERVER_ERROR: 'Something went wrong',
  SERVICE_UNAVAILABLE: 'Temporarily unavailable',
};

function errorPage(status: number, code: ErrorCode, message: string): Page {
  return {
    status,
    title: headings[code] ?? 'That did not work',
    isNarrow: true,
    main: html`<p class="lead">${message}</p><p><a class="button" href="/dashboard">To the dashboard</a></p>`,
  };
}

/** Of every answer that is not an asset: nobody keeps it, frames it, or is told where it was. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

function pageHeaders({ connects = false, formTargets = [] }: Page): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ...(connects ? ["connect-src 'self'"] : []),
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...securityHeaders, 'Content-Security-Policy': policy.join('; ') };
}
