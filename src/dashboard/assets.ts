import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';

/** The dashboard's own styles, scripts and pictures: it loads nothing from elsewhere. */
export interface Assets {
  /**
   * Where a file is served, under a name that changes with its content.
   *
   * @throws when there is no such file.
   */
  url(name: string): string;
  /** Answers a path under {@link ASSET_BASE}; undefined when nothing is there. */
  answer(request: GatewayRequest): GatewayResponse | undefined;
}

export const ASSET_BASE = '/dashboard/assets/';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Asset {
  readonly url: string;
  readonly etag: string;
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** Reads and compresses every file of a directory, once. */
export function openAssets(directory: URL): Assets {
  const assets = new Map(
    readdirSync(directory)
      .filter((name) => Object.hasOwn(types, extname(name)))
      .map((name) => [name, readAsset(name, readFileSync(new URL(name, directory)))]),
  );
  const byUrl = new Map([...assets.values()].map((asset) => [asset.url, asset]));
  return {
    url(name) {
      const asset = assets.get(name);
      if (asset === undefined) {
        throw new Error(`No asset is named ${name}`);
      }
      return asset.url;
    },
    answer(request) {
      const asset = byUrl.get(request.path);
      return asset === undefined ? undefined : respond(request, asset);
    },
  };
}

function readAsset(name: string, plain: Buffer): Asset {
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 12);
  const extension = extname(name);
  return {
    url: `${ASSET_BASE}${name.slice(0, -extension.length)}.${hash}${extension}`,
    etag: `"${hash}"`,
    type: types[extension] ?? 'application/octet-stream',
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain),
  };
}

function respond(request: GatewayRequest, asset: Asset): GatewayResponse {
  const headers = {
    'Content-Type': asset.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    // What one origin's page may load, another's may not.
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
    ETag: asset.etag,
  };
  if (request.header('if-none-match') === asset.etag) {
    return { status: 304, headers, body: '' };
  }
  const accepted = (request.header('accept-encoding') ?? '').split(',').map((coding) => coding.trim());
  for (const [coding, body] of [
    ['br', asset.brotli],
    ['gzip', asset.gzip],
  ] as const) {
    if (accepted.includes(coding)) {
      return { status: 200, headers: { ...headers, 'Content-Encoding': coding }, body };
    }
  }
  return { status: 200, headers, body: asset.plain };
}
