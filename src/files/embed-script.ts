import { readFileSync } from 'node:fs';

/** Reads the component for web pages, as the build makes it from `embed/`. */
export function readEmbedScript(): Buffer {
  return readFileSync(new URL('../../dist/embed.js', import.meta.url));
}
