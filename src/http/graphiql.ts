import { readdirSync, readFileSync } from 'node:fs';
import { acceptedQuality } from '../graphql/http.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import { workerUrl } from '../worker-url.ts';

/** Where the files of GraphiQL are served, each under a name that changes with its content. */
export const GRAPHIQL_BASE = '/graphiql/';

// Scripts, workers and requests are this server's own. The editor writes its styles into the page as it
// goes, and its fonts are inside its style sheet. No other page may frame it: a key is typed into it.
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

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** GraphiQL as the build laid it down: a page, and files that come compressed. */
export interface GraphiQL {
  page(): GatewayResponse;
  /** The file at a path under {@link GRAPHIQL_BASE}; undefined when nothing is there. */
  file(request: GatewayRequest): GatewayResponse | undefined;
}

/** Opens what `scripts/graphiql.mjs` wrote. Files are read when they are first asked for. */
export function openGraphiQL(): GraphiQL {
  const directory = workerUrl(import.meta.url, './graphiql/');
  const compressed = new Set(readdirSync(directory));
  const page = readFileSync(new URL('page.html', directory), 'utf8');
  const read = new Map<string, Buffer>();
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
    file(request) {
      const name = request.path.slice(GRAPHIQL_BASE.length);
      // Every browser that can run it reads gzip; the rest is for who asks.
      const isBrotli = acceptedQuality(request.header('accept-encoding') ?? '', 'br') > 0;
      const file = `${name}.${isBrotli ? 'br' : 'gz'}`;
      const type = types[name.slice(name.lastIndexOf('.') + 1)];
      if (type === undefined || !compressed.has(file)) {
        return undefined;
      }
      const body = read.get(file) ?? readFileSync(new URL(file, directory));
      read.set(file, body);
      const headers = {
        'Content-Type': type,
        'Content-Encoding': isBrotli ? 'br' : 'gzip',
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'same-origin',
        Vary: 'Accept-Encoding',
      };
      return { status: 200, headers, body };
    },
  };
}

/** Whether a request to the GraphQL endpoint is a browser's that was led there, and asks for no operation. */
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
