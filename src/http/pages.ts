import { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { errorResponse } from '../rest/responses.ts';
import { DOCS_POLICY, docsPage } from './docs-page.ts';
import { GRAPHIQL_BASE, type GraphiQL } from './graphiql.ts';

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
  /** What keeps the gateway from answering; empty when it can. */
  readonly unready: () => readonly string[];
}

type Page = (pages: Pages) => GatewayResponse;

const routes: Record<string, Page> = {
  '/health': () => json(200, { status: 'alive' }),
  '/ready': ({ unready }) => {
    const reasons = unready();
    return reasons.length === 0 ? json(200, { status: 'ready' }) : json(503, { status: 'unready', reasons });
  },
  '/policy': ({ policy }) => text('text/markdown', policy),
  '/schema.graphql': ({ schema }) => text('application/graphql', schema),
  '/openapi.json': ({ openApi }) => text('application/json', JSON.stringify(openApi)),
  '/docs': ({ openApi }) => {
    const { headers, ...response } = text('text/html', docsPage(openApi));
    return { ...response, headers: { ...headers, 'Content-Security-Policy': DOCS_POLICY } };
  },
};

/** Answers a path outside the API. */
export function handlePage(request: GatewayRequest, pages: Pages, requestId: string): GatewayResponse {
  const page = findPage(request, pages);
  if (page === undefined) {
    return errorResponse(new ApiError('NOT_FOUND', `Nothing is at ${request.path.slice(0, 200)}`), requestId);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const error = new ApiError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed here, allowed: GET, HEAD`,
    );
    const response = errorResponse(error, requestId);
    return { ...response, headers: { ...response.headers, Allow: 'GET, HEAD' } };
  }
  return page(pages);
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
