import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Handler } from 'hono';
import { digestOf } from '../digest.ts';
import type { PageEnv } from '../page-app.ts';
import { negotiate, type StaticFile } from '../static-files.ts';
import type { AssetUrl } from './frame.ts';
import { referencePage } from './reference-page.ts';
import { schemaPage } from './schema-page.ts';
import type { DocsData } from './section.ts';

/** The pages of the reference. */
export interface Docs {
  readonly reference: Handler<PageEnv>;
  readonly schema: Handler<PageEnv>;
}

interface DocsOptions extends Omit<DocsData, 'origin'> {
  /** Called at the first request, when it is known. */
  readonly origin: () => string;
  /** The schema as text. */
  readonly schema: string;
  /** The URL of a file of `assets/docs/`. */
  readonly assetUrl: AssetUrl;
}

/** Files and requests are from this server only, as users type keys into the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Creates the pages, each at its first request, and keeps them. */
export function openDocs({ origin, schema, assetUrl, ...data }: DocsOptions): Docs {
  return {
    reference: constantPage(() => referencePage({ ...data, origin: origin() }, assetUrl)),
    schema: constantPage(() => schemaPage(schema, data.types, assetUrl)),
  };
}

/** A page that stays the same as long as the process runs. */
function constantPage(render: () => string): Handler<PageEnv> {
  let page: { readonly etag: string; readonly bodies: StaticFile['bodies'] } | undefined;
  return (c) => {
    page ??= compress(render());
    const { body, headers } = negotiate(c, page.bodies);
    return c.body(body, 200, {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
      ETag: page.etag,
    });
  };
}

function compress(text: string) {
  const plain = Buffer.from(text);
  // The highest quality would delay other requests by a third of a second.
  const brotli = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  const bodies = new Map([
    ['br', brotli],
    ['gzip', gzipSync(plain)],
    ['identity', plain],
  ]);
  return { etag: `"${digestOf(plain)}"`, bodies };
}
