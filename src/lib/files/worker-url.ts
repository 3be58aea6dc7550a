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
