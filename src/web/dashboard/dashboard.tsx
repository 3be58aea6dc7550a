import type { Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { addressSubject } from '../../access/limits/subject.ts';
import { type ReportError, toApiError } from '../../api/gateway/to-api-error.ts';
import { ApiError, OperatorError, UnknownError } from '../../lib/errors.ts';
import {
  allowedOrigins,
  isByMail,
  isForm,
  isOwnForm,
  limited,
  requestedPath,
  reservePage,
  TOO_MANY_PAGES,
} from '../page/access.ts';
import { layOut } from '../page/layout.tsx';
import { type DashboardEnv, OtherPage, type Page, setCookies, takeNotice } from '../page/page.ts';
import { RoleEndedError, type Services } from '../page/services.ts';
import { createPageApp } from '../shared/hono-app.ts';
import type { Content } from '../shared/jsx.ts';
import { listAbove } from '../shared/navigation.tsx';
import { type PageLink, pageLinks } from '../shared/page-links.ts';
import {
  EXPLORER_PATH,
  FACTOR_PATH,
  FORGOTTEN_PASSWORD_PATH,
  HOME_PATH,
  OPERATOR_PATH,
  SIGN_IN_PATH,
} from '../shared/paths.ts';
import { refusal, refusedBy, searchInstead } from '../shared/refusal.tsx';
import type { Look } from '../shared/shell.tsx';
import { addRoutes } from './routes.ts';

/**
 * Creates the dashboard. Requests are checked in the order of the code.
 *
 * @param report receives every error that is masked for visitors.
 */
export function createDashboard(services: Services, look: Look, report: ReportError): Hono<DashboardEnv> {
  const { auth, counter } = services;
  const origins = allowedOrigins(services.origin);
  const meter = async (by: Parameters<typeof reservePage>[1], name: string): Promise<void> => {
    const reservation = await reservePage(counter, by, name);
    if (!reservation.admitted) {
      throw limited(TOO_MANY_PAGES, reservation, services.now());
    }
  };

  const app = createPageApp<DashboardEnv>();
  app.onError((error, context) => {
    if (error instanceof OtherPage) {
      return context.render(error.page);
    }
    const { visitor } = context.var;
    if (error instanceof RoleEndedError && visitor !== undefined) {
      context.set('visitor', { ...visitor, isOperator: false });
    } else if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') {
      context.set('visitor', undefined);
    }
    // For an invalid request, the client gets the message of the domain error.
    if (error instanceof OperatorError) {
      return context.render(
        error instanceof UnknownError
          ? notFoundPage(context, error.message)
          : errorPage(context, new ApiError('BAD_USER_INPUT', error.message)),
      );
    }
    const { id: requestId } = context.env.request;
    const refused = toApiError(error, requestId, report);
    return context.render(
      refused.code === 'NOT_FOUND' ? notFoundPage(context, refused.message) : errorPage(context, refused),
    );
  });
  app.notFound((context) => {
    const path = <code>{context.req.path.slice(0, 200)}</code>;
    return context.render(notFoundPage(context, <>There is no page at {path}.</>));
  });

  // Not what a form returns, such as a new key: from the size of a response, others could guess parts of it.
  const gzip = compress({ encoding: 'gzip' });
  app.use((context, next) => (context.req.method === 'GET' ? gzip(context, next) : next()));
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) {
      context.header(name, value);
    }
    context.setRenderer((page) => show(context, page, look));
    context.set('form', {});
    await next();
  });
  app.use(async (context, next) => {
    const { request } = context.env;
    if (request.method === 'POST' && !isByMail(context) && !isOwnForm(request, origins)) {
      throw new ApiError(
        'ACCESS_DISABLED',
        'This form was not sent from a page of the dashboard. Open the page again, and send it from there.',
      );
    }
    const browsers = auth.browsers.findAccount(request);
    await (browsers === undefined
      ? meter('address', addressSubject(request.address).name)
      : meter('browsers', browsers));
    if (isForm(context)) {
      // Before the session is looked up, which may end while a form arrives.
      await context.req.text();
    }
    const { visitor, pending, cookies } = await auth.visitor(request);
    context.set('visitor', visitor);
    context.set('pending', pending);
    setCookies(context, cookies);
    const account = visitor ?? pending;
    if (account !== undefined) {
      const reservation = await reservePage(counter, 'account', account.id);
      if (!reservation.admitted) {
        const refused = limited(TOO_MANY_PAGES, reservation, services.now());
        if (request.method !== 'GET' || context.req.path !== EXPLORER_PATH) {
          throw refused;
        }
        context.header('Retry-After', String(refused.retryAfter));
        context.set('exceeded', reservation);
      }
    }
    await next();
  });
  const checkMethod = methodNotAllowed({
    app,
    onMethodNotAllowed(context, methods) {
      const Allow = methods.toSorted().join(', ');
      const page = errorPage(context, new ApiError('METHOD_NOT_ALLOWED', `Allowed here: ${Allow}.`));
      return context.render({ ...page, headers: { Allow } });
    },
  });
  // The pages of operators do not exist for others, whatever their methods.
  app.use((context, next) => {
    const isHidden = context.req.path.startsWith(OPERATOR_PATH) && context.var.visitor?.isOperator !== true;
    return isHidden ? next() : checkMethod(context, next);
  });
  addRoutes(app, services);
  return app;
}

function show(context: Context<DashboardEnv>, page: Page, look: Look): Response {
  const { req, var: shown } = context;
  const { errors = [], status = errors.length === 0 ? 200 : 400 } = page;
  const options = { ...look, path: req.path, notice: takeNotice(context), visitor: shown.visitor };
  return context.body(layOut(page, options), status, { ...page.headers, ...contentHeaders(page) });
}

const contentHeaders = (page: Page) => ({
  'Content-Security-Policy': pagePolicy(page),
  'Content-Type': 'text/html; charset=utf-8',
});

/** The response to every request where the dashboard has no secret to sign cookies with. */
export function switchedOff(path: string, look: Look): Response {
  const page: Page = {
    title: 'The dashboard is not set up',
    main: (
      <p class="lead">
        The operator of this server must set <code>AUTH_SECRET</code> to at least 32 random characters. The
        API works without it.
      </p>
    ),
  };
  return new Response(layOut(page, { ...look, path, visitor: undefined }), {
    status: 503,
    headers: { ...securityHeaders, ...contentHeaders(page) },
  });
}

/** Where refused pages of the dashboard lead. */
const HOME: PageLink = { path: HOME_PATH, label: 'Go to the dashboard' };

/**
 * Where a page at a limit leads. The dashboard has the same limit of pages. Who sent too many forms to sign in gets back to
 * them, and may have forgotten the password.
 */
function linksAtLimit({ req, var: { visitor, pending } }: Context<DashboardEnv>): readonly PageLink[] {
  return req.method === 'GET'
    ? []
    : visitor !== undefined
      ? [HOME]
      : pending !== undefined
        ? [{ path: FACTOR_PATH, label: 'Back to the code' }]
        : [
            { path: SIGN_IN_PATH, label: 'Back to sign in' },
            ...(req.path === SIGN_IN_PATH
              ? [{ path: FORGOTTEN_PASSWORD_PATH, label: 'Reset your password' }]
              : []),
          ];
}

function errorPage(context: Context<DashboardEnv>, error: ApiError): Page {
  const { request } = context.env;
  const refused = refusedBy(error, request.id);
  const again = request.method === 'GET' ? requestedPath(context) : undefined;
  const links = error.code === 'RATE_LIMITED' ? linksAtLimit(context) : [HOME];
  return {
    ...refusal({ ...refused, again, links }),
    status: error.status,
    ...(refused.retryAfter !== undefined && { headers: { 'Retry-After': String(refused.retryAfter) } }),
  };
}

/** Where a page that is not found leads operators who are on one of theirs. */
const operatorLinks = [
  { ...pageLinks.overview, text: 'Requests, errors and health.' },
  { ...pageLinks.imports, text: 'Load startups, and see what changed.' },
  { ...pageLinks.audit, text: 'Who changed what, and when.' },
];

/** Says what is not there, and leads to the list that it would be in. */
function notFoundPage({ req: { path }, var: { visitor } }: Context<DashboardEnv>, missing: Content): Page {
  const isOperator = visitor?.isOperator === true;
  return {
    ...refusal({
      code: 'NOT_FOUND',
      message: missing,
      links: [HOME],
      instead:
        isOperator && path.startsWith(OPERATOR_PATH)
          ? searchInstead([pageLinks.accounts.path, 'q', 'Search accounts'], operatorLinks)
          : searchInstead([EXPLORER_PATH, 'search', 'Search startups']),
    }),
    status: 404,
    back: listAbove(path, isOperator),
  };
}

/** Headers of every response: nothing may cache it, frame it or get its URL. A page replaces the content policy. */
const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** The content policy of a page: it loads files of this server only, and nothing is inline. */
function pagePolicy({ connects = false, formTargets = [] }: Page): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ...(connects ? ["connect-src 'self'"] : []),
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
