import { readFileSync } from 'node:fs';

/** Reads a file that the build makes of `client/` or `embed/`, for programs and pages of others. */
export function readBuiltFile(name: 'client.js' | 'embed.js' | 'revgate-client.tgz'): Buffer {
  return readFileSync(new URL(`../../dist/${name}`, import.meta.url));
}
