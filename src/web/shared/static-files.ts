import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { getMimeType } from 'hono/utils/mime';
import { digestOf } from '../../lib/text/digest.ts';
import { type PageEnv, sharedBody } from './hono-app.ts';

/** Content in memory: at a later request there may be no free file descriptor to read it with. */
export interface FileContent {
  readonly etag: string;
  /** By content coding, the preferred one first; the last one is for clients that accept none of them. */
  readonly bodies: ReadonlyMap<string, () => Buffer | Promise<Buffer>>;
}

/** A file at a path, under a name that changes with its content. */
export interface StaticFile extends FileContent {
  readonly path: string;
}

/** A file at a path that stays. */
export interface PublicFile {
  readonly path: string;
  readonly type: string;
  /** A function is called at the first request, when the URL of this server is known. */
  readonly content: Buffer | string | (() => string);
  /** What a function makes it of: it is called again when that is another object. */
  readonly madeOf?: () => object;
  /** By default, programs and pages of all origins may load it, and use it for an hour. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Content, which is compressed for the first client that asks, in another thread: a start need not wait for it.
 *
 * @param quality of brotli, from 0 to 11.
 */
export function contentOf(text: Buffer | string, quality = constants.BROTLI_MAX_QUALITY): FileContent {
  const content = typeof text === 'string' ? Buffer.from(text) : text;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return {
    etag: `"${digestOf(content)}"`,
    bodies: new Map<string, () => Buffer | Promise<Buffer>>([
      ['br', once(() => promisify(brotliCompress)(content, { params }))],
      ['gzip', once(() => promisify(gzip)(content, { level: 9 }))],
      ['identity', () => content],
    ]),
  };
}

/** What is made at the first call. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What is made at the first call, and again when it is made of another object. */
export function onceFor<T>(madeOf: () => object, make: () => T): () => T {
  let of: object | undefined;
  let made: T | undefined;
  return () => {
    const now = madeOf();
    made = of === now ? made : make();
    of = now;
    return made as T;
  };
}

/** Reads the files of a directory, and returns them by name. */
export function hashFiles(directory: URL, base: string): ReadonlyMap<string, StaticFile> {
  const entries = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map(({ name }) => [name, hashFile(new URL(name, directory), base + name)]));
}

/** Reads a file, which is served below another name. */
export function hashFile(file: URL, path: string): StaticFile {
  const content = contentOf(readFileSync(file));
  return { ...content, path: path.replace(/(?=\.\w+$)/, `.${content.etag.slice(1, 13)}`) };
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
      etag: `"${name}"`,
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

/** Answers 304 with the headers that pages of other origins need. */
export const publicEtag = etag({
  retainedHeaders: [...RETAINED_304_HEADERS, 'access-control-allow-origin'],
});

/** Serves files, which clients may cache for ever, and pages of other origins may not load. */
export function serveFiles(app: Hono<PageEnv>, files: Iterable<StaticFile>): void {
  for (const file of files) {
    const headers = {
      'Content-Type': getMimeType(file.path) ?? 'application/octet-stream',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'same-origin',
    };
    app.get(file.path, publicEtag, (c) => sendContent(c, file, headers));
  }
}

/** Serves files at paths that stay. */
export function servePublicFiles(app: Hono<PageEnv>, files: readonly PublicFile[]): void {
  for (const { path, type, content, madeOf = () => files, headers = PUBLIC_FILE_HEADERS } of files) {
    const open = onceFor(madeOf, () => contentOf(typeof content === 'function' ? content() : content));
    app.get(path, publicEtag, (c) => sendContent(c, open(), { ...headers, 'Content-Type': type }));
  }
}

/** Answers with the body that a client accepts, and the headers that name its encoding. */
export async function sendContent(
  c: Context<PageEnv>,
  { etag, bodies }: FileContent,
  headers: Record<string, string>,
): Promise<Response> {
  // A package is compressed.
  const codings = headers['Content-Type'] === 'application/gzip' ? ['identity'] : [...bodies.keys()];
  const coding = accepts(c, {
    header: 'Accept-Encoding',
    supports: codings,
    default: codings.at(-1) ?? '',
    match: (accepted, { supports, default: last }) =>
      supports.find((one) => accepted.some(({ type, q }) => type === one && q > 0)) ?? last,
  });
  const encoding: Record<string, string> = coding === 'identity' ? {} : { 'Content-Encoding': coding };
  const body = (await bodies.get(coding)?.()) as Buffer;
  return sharedBody(c, body, { Vary: 'Accept-Encoding', ...headers, ...encoding, ETag: etag });
}
