import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Handler } from 'hono';
import { digestOf } from '../../text/digest.ts';
import { type PageEnv, sharedBody } from '../shared/page-app.ts';
import { type AssetUrl, hasSessionCookie } from '../shared/shell.tsx';
import { negotiate } from '../shared/static-files.ts';
import { referencePage } from './reference-page.tsx';
import { schemaPage } from './schema-page.tsx';
import type { DocsData } from './section.tsx';

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
  /** The URL of a file of `assets/`. */
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
    reference: constantPage((isSignedIn) =>
      referencePage({ ...data, origin: origin() }, { assetUrl, isSignedIn }),
    ),
    schema: constantPage((isSignedIn) => schemaPage(schema, data.types, { assetUrl, isSignedIn })),
  };
}

/** A page that stays the same as long as the process runs, for visitors with a session and for others. */
function constantPage(render: (isSignedIn: boolean) => string): Handler<PageEnv> {
  const pages = new Map<boolean, ReturnType<typeof compress>>();
  return (c) => {
    const isSignedIn = hasSessionCookie(c.env.request.header('cookie'));
    const page = pages.get(isSignedIn) ?? compress(render(isSignedIn));
    pages.set(isSignedIn, page);
    const { body, headers } = negotiate(c, page.bodies);
    return sharedBody(c, body, {
      ...headers,
      Vary: `${headers.Vary}, Cookie`,
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
