import { readFileSync } from 'node:fs';
import { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import { html } from '../html.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { errorResponse } from '../rest/responses.ts';
import { docsPage } from './docs-page.ts';
import { GRAPHIQL_BASE, type GraphiQL } from './graphiql.ts';
import { publicPage } from './public-page.ts';

/** What the pages beside the API show. None needs a key or is metered. */
export interface Pages {
  /** The acceptable-use policy, Markdown. */
  readonly policy: string;
  /** The GraphQL schema, SDL. */
  readonly schema: string;
  /** The description of the REST surface, OpenAPI 3.1. */
  readonly openApi: OpenApiDocument;
  /** For people who write queries. Its page stands at the GraphQL endpoint, its files here. */
  readonly graphiql: GraphiQL;
  /** The page at /. */
  readonly landing: (request: GatewayRequest, requestId: string) => Promise<GatewayResponse>;
  /** What keeps the gateway from answering; empty when it can. */
  readonly unready: () => readonly string[];
}

type Page = (
  pages: Pages,
  request: GatewayRequest,
  requestId: string,
) => GatewayResponse | Promise<GatewayResponse>;

/** Read at start: later there may be no file left to open. */
const MARK = readFileSync(new URL('../../assets/mark.svg', import.meta.url));
const mark: Page = () => ({
  status: 200,
  headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' },
  body: MARK,
});

const routes: Record<string, Page> = {
  '/': ({ landing }, request, requestId) => landing(request, requestId),
  '/favicon.svg': mark,
  // Where browsers look by themselves.
  '/favicon.ico': mark,
  '/health': () => json(200, { status: 'alive' }),
  '/ready': ({ unready }) => {
    const reasons = unready();
    return reasons.length === 0 ? json(200, { status: 'ready' }) : json(503, { status: 'unready', reasons });
  },
  '/policy': ({ policy }) => text('text/markdown', policy),
  '/schema.graphql': ({ schema }) => text('application/graphql', schema),
  '/openapi.json': ({ openApi }) => text('application/json', JSON.stringify(openApi)),
  '/docs': ({ openApi }) => docsPage(openApi),
  '/docs/schema': ({ schema }) =>
    publicPage(
      200,
      'GraphQL schema',
      html`<p>For programs: <a href="/schema.graphql">schema.graphql</a>.</p><pre><code>${schema}</code></pre>`,
    ),
};

/** Answers a path outside the API. */
export function handlePage(
  request: GatewayRequest,
  pages: Pages,
  requestId: string,
): GatewayResponse | Promise<GatewayResponse> {
  const page = findPage(request, pages);
  if (page === undefined) {
    return notFound(request, requestId);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const error = new ApiError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed here, allowed: GET, HEAD`,
    );
    const response = errorResponse(error, requestId);
    return { ...response, headers: { ...response.headers, Allow: 'GET, HEAD' } };
  }
  return page(pages, request, requestId);
}

/** In the language of who asks: browsers say that they take HTML, programs do not. */
function notFound(request: GatewayRequest, requestId: string): GatewayResponse {
  const path = request.path.slice(0, 200);
  return request.header('accept')?.includes('text/html')
    ? publicPage(
        404,
        'Page not found',
        html`<p>Nothing is at <code>${path}</code>. Start at <a href="/">the first page</a>.</p>`,
      )
    : errorResponse(new ApiError('NOT_FOUND', `Nothing is at ${path}`), requestId);
}

function findPage(request: GatewayRequest, { graphiql }: Pages): Page | undefined {
  const { path } = request;
  if (path.startsWith(GRAPHIQL_BASE)) {
    const file = graphiql.file(request);
    return file && (() => file);
  }
  return Object.hasOwn(routes, path) ? routes[path] : undefined;
}

function json(status: number, body: object): GatewayResponse {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

function text(type: string, body: string): GatewayResponse {
  return { status: 200, headers: { 'Content-Type': `${type}; charset=utf-8` }, body };
}
