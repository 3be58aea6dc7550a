import { readFileSync } from 'node:fs';
import type { Context, Handler } from 'hono';
import { etag } from 'hono/etag';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { ApiError } from '../../errors.ts';
import { readBuiltFile } from '../../files/built-files.ts';
import type { OpenApiDocument } from '../../rest/openapi.ts';
import { errorBody } from '../../rest/responses.ts';
import type { GatewayRequest, GatewayResponse } from '../../server/request-response.ts';
import { type ReportError, toApiError } from '../../server/to-api-error.ts';
import { digestOf } from '../../text/digest.ts';
import { SESSION_GRAPHQL_PATH } from '../dashboard/graphql.ts';
import type { Dashboard } from '../dashboard/open.ts';
import type { Docs } from '../docs/docs.ts';
import { answerWith, createPageApp, type PageEnv, sharedBody } from '../shared/hono-app.ts';
import { renderMarkdown } from '../shared/markdown.tsx';
import type { AssetUrl } from '../shared/shell.tsx';
import { compressContent, negotiate, type StaticFile, serveFiles } from '../shared/static-files.ts';
import { publicPage } from './public-page.tsx';

interface PagesOptions {
  /** The acceptable-use policy, Markdown. */
  readonly policy: string;
  /** The URL of a file of `assets/`. */
  readonly assetUrl: AssetUrl;
  /** The GraphQL schema, SDL. */
  readonly schema: string;
  /** The description of the REST surface, OpenAPI 3.1. Before the server listens, its URL may be unknown. */
  readonly openApi: () => OpenApiDocument;
  /** The human-readable reference, also as Markdown. */
  readonly docs: Docs;
  readonly landing: Handler<PageEnv>;
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
const MARK = readFileSync(new URL('../../../assets/mark.svg', import.meta.url));

/** Creates all pages. */
export function createPages(options: PagesOptions): Pages {
  const { policy, assetUrl, schema, openApi, docs, landing, metrics, dashboard, files, unready, report } =
    options;
  const app = createPageApp();
  app.onError((error, c) => errorAnswer(c, toApiError(error, c.env.requestId, report)));
  // HTML for browsers, and JSON for programs.
  app.notFound((c) => {
    const path = c.req.path.slice(0, 200);
    const main = (
      <>
        <h1>Page not found</h1>
        <p class="lead">
          There is no page at <code>{path}</code>. Go to the <a href="/">home page</a>.
        </p>
      </>
    );
    return wantsHtml(c)
      ? publicPage(c, { title: 'Page not found', assetUrl, main, status: 404 })
      : errorAnswer(c, new ApiError('NOT_FOUND', `No such path: ${path}`));
  });
  app.use(async (c, next) => {
    const { method, path, query } = c.env.request;
    const page = path.slice(0, -1);
    if (path.endsWith('/') && (method === 'GET' || method === 'HEAD') && isPage(page)) {
      return c.redirect(query === '' ? page : `${page}?${query}`, 308);
    }
    return next();
  });
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
    app.get(path, (c) => sharedBody(c, MARK, headers));
  }
  // Pages and programs of all origins load these.
  const javascript = 'text/javascript; charset=utf-8';
  app.get('/embed.js', etag(), publicFile(readBuiltFile('embed.js'), javascript));
  app.get('/client.js', etag(), publicFile(readBuiltFile('client.js'), javascript));
  app.get('/revgate-client.tgz', etag(), publicFile(readBuiltFile('revgate-client.tgz'), 'application/gzip'));
  app.get('/', landing);
  app.get('/health', (c) => c.json({ status: 'alive' }, 200, NO_STORE));
  app.get('/ready', (c) => {
    const reasons = unready();
    return reasons.length === 0
      ? c.json({ status: 'ready' }, 200, NO_STORE)
      : c.json({ status: 'unready', reasons }, 503, NO_STORE);
  });
  app.get('/metrics', metrics);
  const policyText = text('text/markdown', policy);
  const policyMain = (
    <>
      <h1>Acceptable-use policy</h1>
      <div class="prose">{renderMarkdown(policy)}</div>
    </>
  );
  // Programs get the text.
  app.get('/policy', (c, next) =>
    wantsHtml(c)
      ? publicPage(c, { title: 'Acceptable use', assetUrl, main: policyMain })
      : policyText(c, next),
  );
  app.get('/schema.graphql', text('application/graphql', schema));
  app.get('/openapi.json', (c) => c.body(JSON.stringify(openApi()), 200, JSON_TYPE));
  for (const path of ['/docs', '/docs.md', '/docs/:page', '/llms.txt']) {
    app.get(path, etag(), docs);
  }
  app.all('/dashboard/*', (c) => dashboard(c.req.raw, c.env));

  const pages = new Set(app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  // Of the dashboard and the reference, any path that may be a page. Such a path never leads to another host.
  const isPage = (path: string): boolean =>
    pages.has(path) || (/^\/(dashboard|docs)(\/[\w-]+)*$/.test(path) && path !== SESSION_GRAPHQL_PATH);
  return (request, requestId) => answerWith(app, request, requestId);
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const NO_STORE = { ...JSON_TYPE, 'Cache-Control': 'no-store' };

function text(type: string, content: string): Handler<PageEnv> {
  const body = Buffer.from(content);
  return (c) => sharedBody(c, body, { 'Content-Type': `${type}; charset=utf-8` });
}

/** A file that pages of all origins may load, and keep for an hour. */
function publicFile(content: Buffer, type: string): Handler<PageEnv> {
  const isPacked = type === 'application/gzip';
  const bodies = isPacked ? new Map([['identity', () => content]]) : compressContent(content);
  const ETag = `"${digestOf(content)}"`;
  return async (c) => {
    const { body, headers } = await negotiate(c, bodies);
    return sharedBody(c, body, {
      ...headers,
      ETag,
      'Content-Type': type,
      'Cache-Control': 'public, max-age=3600',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  };
}

/** HTML for browsers, which send it in Accept. */
const wantsHtml = (c: Context<PageEnv>): boolean => /text\/html/i.test(c.req.header('accept') ?? '');

function errorAnswer(c: Context<PageEnv>, error: ApiError, headers: Record<string, string> = {}): Response {
  return c.json(errorBody(error, c.env.requestId), error.status, { ...JSON_TYPE, ...headers });
}
