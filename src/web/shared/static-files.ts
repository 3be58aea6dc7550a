import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { etag } from 'hono/etag';
import { getMimeType } from 'hono/utils/mime';
import { type PageEnv, sharedBody } from './hono-app.ts';

/** A file in memory: at a later request there may be no free file descriptor to read it with. */
export interface StaticFile {
  /** Its path, under a name that changes with its content. */
  readonly path: string;
  /** Its content by content coding, the preferred one first; the last one is for clients that accept none of them. */
  readonly bodies: ReadonlyMap<string, () => Buffer | Promise<Buffer>>;
}

/** Reads the files of a directory, and returns them by name. */
export function hashFiles(directory: URL, base: string): ReadonlyMap<string, StaticFile> {
  const entries = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map(({ name }) => [name, hashFile(new URL(name, directory), base + name)]));
}

/** Reads a file, which is served below another name. */
export function hashFile(file: URL, path: string): StaticFile {
  const content = readFileSync(file);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { path: path.replace(/(?=\.\w+$)/, `.${hash}`), bodies: compressContent(content) };
}

/**
 * Content by content coding. It is compressed for the first client that asks, in another thread: a start need not
 * wait for it.
 *
 * @param quality of brotli, from 0 to 11.
 */
export function compressContent(
  content: Buffer,
  quality = constants.BROTLI_MAX_QUALITY,
): StaticFile['bodies'] {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return new Map<string, () => Buffer | Promise<Buffer>>([
    ['br', once(() => promisify(brotliCompress)(content, { params }))],
    ['gzip', once(() => promisify(gzip)(content, { level: 9 }))],
    ['identity', () => content],
  ]);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Reads files that the build named by their content and compressed: NAME.br and NAME.gz. */
export function readCompressedFiles(directory: URL, base: string): readonly StaticFile[] {
  const read = (name: string) => {
    const body = readFileSync(new URL(name, directory));
    return () => body;
  };
  return readdirSync(directory)
    .filter((name) => name.endsWith('.br'))
    .map((name) => name.slice(0, -'.br'.length))
    .map((name) => ({
      path: base + name,
      bodies: new Map([
        ['br', read(`${name}.br`)],
        ['gzip', read(`${name}.gz`)],
      ]),
    }));
}

/** Headers of a file that programs and pages of all origins may load, and use for an hour. */
export const PUBLIC_FILE_HEADERS = {
  'Cache-Control': 'public, max-age=3600',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** Serves files, which clients may cache for ever. */
export function serveFiles(app: Hono<PageEnv>, files: Iterable<StaticFile>): void {
  for (const { path, bodies } of files) {
    app.get(path, etag(), async (c) => {
      const { body, headers } = await negotiate(c, bodies);
      return sharedBody(c, body, {
        ...headers,
        'Content-Type': getMimeType(path) ?? 'application/octet-stream',
        'Cache-Control': 'public, max-age=31536000, immutable',
        // Pages of other origins may not load it.
        'Cross-Origin-Resource-Policy': 'same-origin',
        ETag: `"${path.slice(path.lastIndexOf('/') + 1)}"`,
      });
    });
  }
}

/** The body that a client accepts, and the headers that name its encoding. */
export async function negotiate(c: Context, bodies: StaticFile['bodies']) {
  const codings = [...bodies.keys()];
  const coding = accepts(c, {
    header: 'Accept-Encoding',
    supports: codings,
    default: codings.at(-1) ?? '',
    match: (accepted, { supports, default: last }) =>
      supports.find((one) => accepted.some(({ type, q }) => type === one && q > 0)) ?? last,
  });
  const encoding: Record<string, string> = coding === 'identity' ? {} : { 'Content-Encoding': coding };
  return {
    body: (await bodies.get(coding)?.()) as Buffer,
    headers: { ...encoding, Vary: 'Accept-Encoding' },
  };
}
