import { readFileSync } from 'node:fs';
import { SESSION_GRAPHQL_PATH, SESSION_PATH } from '../dashboard/graphql.ts';
import { acceptedQuality } from '../graphql/http.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import { readCompressedFiles, type StaticFile } from '../static-files.ts';
import { workerUrl } from '../worker-url.ts';

// Scripts, workers and requests are from this server only. The editor writes styles into the page while it
// runs, and its fonts are inside its style sheet. No other page may frame it, as users type keys into it.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'font-src data:',
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GraphiQL as built: a page at the GraphQL endpoint, and the files that it loads. */
export interface GraphiQL {
  page(): GatewayResponse;
  readonly files: readonly StaticFile[];
}

/**
 * Reads the output of `scripts/graphiql.mjs`.
 *
 * @param hasSessions whether users can sign in, and run operations without a key.
 */
export function openGraphiQL({ hasSessions }: { readonly hasSessions: boolean }): GraphiQL {
  const directory = workerUrl(import.meta.url, './graphiql/');
  const paths = hasSessions
    ? `data-session="${SESSION_PATH}" data-session-graphql="${SESSION_GRAPHQL_PATH}"`
    : '';
  const page = readFileSync(new URL('page.html', directory), 'utf8').replace('data-sessions', paths);
  return {
    page: () => ({
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': POLICY,
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
      },
      body: page,
    }),
    files: readCompressedFiles(directory, '/graphiql/'),
  };
}

/** Whether a request to the GraphQL endpoint comes from a browser that navigates there, without an operation. */
export function wantsGraphiQL(request: GatewayRequest): boolean {
  const { method } = request;
  const accept = request.header('accept') ?? '';
  if ((method !== 'GET' && method !== 'HEAD') || !accept.includes('text/html')) {
    return false;
  }
  const json = ['application/json', 'application/graphql-response+json'].map((type) =>
    acceptedQuality(accept, type),
  );
  const quality = acceptedQuality(accept, 'text/html');
  const query = new URLSearchParams(request.query);
  return (
    quality > 0 &&
    quality >= Math.max(...json) &&
    request.header('authorization') === undefined &&
    !['query', 'documentId', 'extensions'].some((name) => query.has(name))
  );
}
