import { readFileSync } from 'node:fs';
import { workerUrl } from '../../lib/files/built-files.ts';
import { acceptedQuality } from '../../lib/http/header-values.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { render } from '../shared/jsx.ts';
import { Header } from '../shared/navigation.tsx';
import { SESSION_GRAPHQL_PATH, SESSION_PATH } from '../shared/paths.ts';
import { hasSessionCookie, type Look } from '../shared/shell.tsx';
import { readCompressedFiles, type StaticFile } from '../shared/static-files.ts';

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

/** Four megabytes, which all gateways of a process share. */
let builtFiles: readonly StaticFile[] | undefined;

/**
 * GraphiQL as `scripts/graphiql.mjs` built it: a page at the GraphQL endpoint, and the files that it loads.
 *
 * @param hasSessions whether users can sign in, and run operations without a key.
 */
export function openGraphiQL({ brand, assetUrl }: Look, hasSessions: boolean) {
  const directory = workerUrl(import.meta.url, './graphiql/');
  const paths = hasSessions
    ? `data-session="${SESSION_PATH}" data-session-graphql="${SESSION_GRAPHQL_PATH}"`
    : '';
  const text = readFileSync(new URL('page.html', directory), 'utf8')
    .replace('data-sessions', paths)
    .replace('{{shell.css}}', assetUrl('shell.css'))
    .replace('GraphiQL · revgate', () => render(<>GraphiQL · {brand.name}</>))
    .replace('</head>', (end) =>
      brand.style === undefined ? end : `${render(<link rel="stylesheet" href={brand.style} />)}${end}`,
    );
  const [page, pageWithSession] = [false, true].map((isSignedIn) =>
    text.replace('{{header}}', render(<Header path="/graphql" isSignedIn={isSignedIn} brand={brand} />)),
  ) as [string, string];
  builtFiles ??= readCompressedFiles(directory, '/graphiql/');
  return {
    /** The page for a browser that navigates to the endpoint; undefined for any other request. */
    findPage: (request: GatewayRequest): GatewayResponse | undefined =>
      wantsGraphiQL(request)
        ? {
            status: 200,
            headers: [
              'Content-Type',
              'text/html; charset=utf-8',
              'Vary',
              'Authorization, Accept, Cookie',
              'Content-Security-Policy',
              POLICY,
              'Cross-Origin-Opener-Policy',
              'same-origin',
              'Referrer-Policy',
              'no-referrer',
            ],
            body: hasSessionCookie(request.header('cookie')) ? pageWithSession : page,
          }
        : undefined,
    files: builtFiles,
  };
}

/** Whether a request to the GraphQL endpoint comes from a browser that navigates there, without an operation. */
function wantsGraphiQL(request: GatewayRequest): boolean {
  const { method } = request;
  const accept = request.header('accept') ?? '';
  if ((method !== 'GET' && method !== 'HEAD') || !/text\/html/i.test(accept)) {
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
