import { readFileSync } from 'node:fs';

/** Reads a file that the build makes of `client/` or `embed/`, for programs and pages of others. */
export function readBuiltFile(name: 'client.js' | 'embed.js' | 'revgate-client.tgz'): Buffer {
  return readFileSync(new URL(`../../../dist/${name}`, import.meta.url));
}

export function readVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * The compiled file of a worker thread's source. Node 20 cannot load TypeScript in a worker, so from
 * a source checkout (as under vitest) the built file in `dist` is used.
 */
export function workerUrl(importMetaUrl: string, source: string): URL {
  const { href } = new URL(source, importMetaUrl);
  const compiled = href.replace(/\.ts$/, '.js');
  const at = /\.tsx?$/.test(importMetaUrl) ? compiled.lastIndexOf('/src/') : -1;
  return new URL(at === -1 ? compiled : `${compiled.slice(0, at)}/dist/${compiled.slice(at + 5)}`);
}
