import { readFileSync } from 'node:fs';
import type { Context, Handler } from 'hono';
import { etag } from 'hono/etag';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Dashboard } from '../dashboard/open.ts';
import type { Docs } from '../docs/docs.ts';
import { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import { html } from '../html.ts';
import { maskError, type ReportError } from '../mask-error.ts';
import { answerWith, createPageApp, type PageEnv } from '../page-app.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { errorBody } from '../rest/responses.ts';
import { type StaticFile, serveFiles } from '../static-files.ts';
import { publicPage } from './public-page.ts';

/** The dependencies of the pages. */
interface PagesOptions {
  /** The acceptable-use policy, Markdown. */
  readonly policy: string;
  /** The GraphQL schema, SDL. */
  readonly schema: string;
  /** The description of the REST surface, OpenAPI 3.1. */
  readonly openApi: OpenApiDocument;
  /** The human-readable reference. */
  readonly docs: Docs;
  /** The page at /. */
  readonly landing: Handler<PageEnv>;
  /** The page at /metrics. */
  readonly metrics: Handler<PageEnv>;
  /** Every page at and below /dashboard. */
  readonly dashboard: Dashboard;
  /** The files that the pages load. */
  readonly files: Iterable<StaticFile>;
  /** Why the gateway cannot answer; empty if it can. */
  readonly unready: () => readonly string[];
  /** Receives every error that is masked for clients. */
  readonly report: ReportError;
}

/** Answers every path outside the API. None requires a key or is charged to the budget of a key. */
export type Pages = (request: GatewayRequest, requestId: string) => Promise<GatewayResponse>;

/** Read at start: later there may be no file descriptor left. */
const MARK = readFileSync(new URL('../../assets/mark.svg', import.meta.url));

/** Creates all pages. */
export function createPages(options: PagesOptions): Pages {
  const { policy, schema, openApi, docs, landing, metrics, dashboard, files, unready, report } = options;
  const app = createPageApp();
  app.onError((error, c) => errorAnswer(c, maskError(error, c.env.requestId, report)));
  app.notFound(notFound);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed(c, methods) {
        const Allow = methods.join(', ');
        const message = `${c.env.request.method} is not allowed here, allowed: ${Allow}`;
        return errorAnswer(c, new ApiError('METHOD_NOT_ALLOWED', message), { Allow });
      },
    }),
  );

  serveFiles(app, files);
  // Browsers request the second path on their own.
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' };
    app.get(path, (c) => c.body(MARK, 200, headers));
  }
  app.get('/', landing);
  app.get('/health', (c) => c.json({ status: 'alive' }, 200, NO_STORE));
  app.get('/ready', (c) => {
    const reasons = unready();
    return reasons.length === 0
      ? c.json({ status: 'ready' }, 200, NO_STORE)
      : c.json({ status: 'unready', reasons }, 503, NO_STORE);
  });
  app.get('/metrics', metrics);
  app.get('/policy', text('text/markdown', policy));
  app.get('/schema.graphql', text('application/graphql', schema));
  app.get('/openapi.json', text('application/json', JSON.stringify(openApi)));
  app.get('/docs', etag(), docs.reference);
  app.get('/docs/schema', etag(), docs.schema);
  app.all('/dashboard/*', (c) => dashboard(c.req.raw, c.env));

  return (request, requestId) => answerWith(app, request, requestId);
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const NO_STORE = { ...JSON_TYPE, 'Cache-Control': 'no-store' };

function text(type: string, content: string): Handler<PageEnv> {
  return (c) => c.body(content, 200, { 'Content-Type': `${type}; charset=utf-8` });
}

/** HTML for browsers, which send it in Accept, and JSON for programs. */
function notFound(c: Context<PageEnv>): Response {
  const path = c.req.path.slice(0, 200);
  return c.req.header('accept')?.includes('text/html')
    ? publicPage(
        c,
        'Page not found',
        html`<p>There is no page at <code>${path}</code>. Go to the <a href="/">home page</a>.</p>`,
        404,
      )
    : errorAnswer(c, new ApiError('NOT_FOUND', `There is nothing at ${path}`));
}

function errorAnswer(c: Context<PageEnv>, error: ApiError, headers: Record<string, string> = {}): Response {
  return c.json(errorBody(error, c.env.requestId), error.status, { ...JSON_TYPE, ...headers });
}
