import { readFileSync } from 'node:fs';
import type { Context, Handler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { errorBody } from '../../api/gateway/responses.ts';
import type { Route } from '../../api/gateway/surface.ts';
import { type ReportError, toApiError } from '../../api/gateway/to-api-error.ts';
import type { Engine } from '../../api/graphql/execution/engine.ts';
import { textOf } from '../../api/graphql/schema.ts';
import type { OpenApiDocument } from '../../api/rest/openapi.ts';
import { ApiError } from '../../lib/errors.ts';
import { readBuiltFile } from '../../lib/files/built-files.ts';
import type { Service } from '../../lib/text/service.ts';
import { requestedPath } from '../page/access.ts';
import { brandFiles, brandOf } from '../shared/brand.ts';
import { type AnswerPage, answerWith, createPageApp, type PageEnv } from '../shared/hono-app.ts';
import { SESSION_GRAPHQL_PATH } from '../shared/paths.ts';
import { refusal, refusedBy, searchInstead } from '../shared/refusal.tsx';
import type { AssetUrl } from '../shared/shell.tsx';
import {
  contentOf,
  publicEtag,
  type StaticFile,
  sendContent,
  serveFiles,
  servePublicFiles,
} from '../shared/static-files.ts';
import { publicPage } from './public-page.tsx';

interface PagesOptions {
  readonly engine: Pick<Engine, 'own' | 'schema'>;
  /** The acceptable-use policy, Markdown. */
  readonly policy: string;
  readonly service: Service;
  /** The URL of a file of `assets/`. */
  readonly assetUrl: AssetUrl;
  /** The description of the REST surface, OpenAPI 3.1. Before the server listens, its URL may be unknown. */
  readonly openApi: () => OpenApiDocument;
  /** The human-readable reference, also as Markdown. */
  readonly docs: Handler<PageEnv>;
  readonly landing: Handler<PageEnv>;
  /** Every page at and below /dashboard. */
  readonly dashboard: AnswerPage;
  /** The examples that the documentation links, by their paths in the package. */
  readonly examples: readonly string[];
  /** The files that the pages load. */
  readonly files: Iterable<StaticFile>;
  /** Receives every error that is masked for clients. */
  readonly report: ReportError;
}

/** Where refused pages lead. */
const HOME = { path: '/', label: 'Go to the home page' };

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** What pages and programs of all origins load. Read at start: later there may be no file descriptor left. */
const builtFiles = [
  ['embed.js', JAVASCRIPT],
  ['client.js', JAVASCRIPT],
  ['revgate-client.tgz', 'application/gzip'],
] as const;

/** An example as a program outside of the package has it: it imports the client that is installed from this server. */
const exampleText = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
    .replace(
      /^\/\/ In a program of your own.*\n/m,
      '// npm install URL/revgate-client.tgz, with the URL of the gateway\n',
    )
    .replace("'../client/dist/index.js'", "'revgate-client'");

/** Creates all pages. */
export function createPages(options: PagesOptions): Route {
  const { engine, policy, service, assetUrl, openApi, docs, landing, dashboard, examples, files, report } =
    options;
  const brand = brandOf(service);
  const app = createPageApp();
  // HTML for browsers, and JSON for programs.
  const refuse = (
    c: Context<PageEnv>,
    error: ApiError,
    more: Partial<Parameters<typeof refusal>[0]> = {},
  ) => {
    if (!wantsHtml(c)) {
      return errorAnswer(c, error);
    }
    const { request } = c.env;
    const again = request.method === 'GET' ? requestedPath(c) : undefined;
    const refused = { ...refusedBy(error, request.id), again, links: [HOME], ...more };
    if (refused.retryAfter !== undefined) {
      c.header('Retry-After', String(refused.retryAfter));
    }
    const { title, main } = refusal(refused);
    return publicPage(c, { title, brand, assetUrl, main: [<h1>{title}</h1>, main], status: error.status });
  };
  app.onError((error, c) => refuse(c, toApiError(error, c.env.request.id, report)));
  app.notFound((c) => {
    const path = c.req.path.slice(0, 200);
    return refuse(c, new ApiError('NOT_FOUND', `No such path: ${path}`), {
      message: (
        <>
          There is no page at <code>{path}</code>. Search the docs, or start at the <a href="/">home page</a>.
        </>
      ),
      instead: searchInstead(['/docs', 'q', 'Search the docs']),
    });
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
  servePublicFiles(app, [
    ...brandFiles(service),
    ...builtFiles.map(([name, type]) => ({ path: `/${name}`, type, content: readBuiltFile(name) })),
    ...examples.map((file) => ({ path: `/${file}`, type: JAVASCRIPT, content: exampleText(file) })),
    {
      path: '/schema.graphql',
      type: 'application/graphql; charset=utf-8',
      content: () => textOf(engine.schema()),
      madeOf: engine.own,
    },
    {
      path: '/openapi.json',
      type: JSON_TYPE['Content-Type'],
      content: () => JSON.stringify(openApi()),
      madeOf: engine.own,
    },
  ]);
  app.get('/', landing);
  const policyText = contentOf(policy);
  // Programs get the text.
  app.get('/policy', publicEtag, (c, next) =>
    wantsHtml(c)
      ? docs(c, next)
      : sendContent(c, policyText, { 'Content-Type': 'text/markdown; charset=utf-8', Vary: 'Accept' }),
  );
  for (const path of ['/docs', '/docs.md', '/docs/:page', '/llms.txt']) {
    app.get(path, publicEtag, docs);
  }
  app.all('/dashboard/*', (c) => dashboard(c.req.raw, c.env));

  const pages = new Set(app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  // Of the dashboard and the reference, any path that may be a page. Such a path never leads to another host.
  const isPage = (path: string): boolean =>
    pages.has(path) ||
    (/^\/(health|ready|metrics|(dashboard|docs)(\/[\w-]+)*)$/.test(path) && path !== SESSION_GRAPHQL_PATH);
  return { methods: ['GET', 'HEAD', 'POST'], answer: (request) => answerWith(app, request) };
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** HTML for browsers, which send it in Accept. */
const wantsHtml = (c: Context<PageEnv>): boolean => /text\/html/i.test(c.req.header('accept') ?? '');

function errorAnswer(c: Context<PageEnv>, error: ApiError, headers: Record<string, string> = {}): Response {
  return c.json(errorBody(error, c.env.request.id), error.status, { ...JSON_TYPE, ...headers });
}
