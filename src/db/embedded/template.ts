import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** A file of a cluster, or a directory where `bytes` is undefined. */
interface ClusterEntry {
  /** Relative to the cluster's directory. */
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Packs the directory of a cluster that was shut down into one compressed file: a line of JSON with
 * the paths and sizes of its entries, then the bytes of its files.
 */
export function packCluster(directory: string): Buffer {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { path: path.slice(directory.length + 1), bytes: entry.isFile() ? readFileSync(path) : undefined };
  });
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const index = JSON.stringify(entries.map(({ path, bytes }) => [path, bytes?.length]));
  const files = entries.flatMap(({ bytes }) => bytes ?? []);
  return gzipSync(Buffer.concat([Buffer.from(`${index}\n`), ...files]), { level: 9 });
}

/** The entries of a packed cluster, each directory before what is in it. */
export function readCluster(file: string): ClusterEntry[] {
  const packed = gunzipSync(readFileSync(file));
  const endOfIndex = packed.indexOf('\n');
  let at = endOfIndex + 1;
  const index = JSON.parse(packed.toString('utf8', 0, endOfIndex)) as [path: string, size: number | null][];
  return index.map(([path, size]) => {
    const bytes = size === null ? undefined : packed.subarray(at, at + size);
    at += size ?? 0;
    return { path, bytes };
  });
}

export function unpackCluster(file: string, directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const { path, bytes } of readCluster(file)) {
    const target = join(directory, path);
    if (bytes === undefined) {
      mkdirSync(target, { mode: 0o700 });
    } else {
      writeFileSync(target, bytes, { mode: 0o600 });
    }
  }
}
