import { readFileSync } from 'node:fs';

/** Reads a file that the build makes of `client/` or `embed/`, for programs and pages of others. */
export function readBuiltFile(name: 'client.js' | 'embed.js' | 'revgate-client.tgz'): Buffer {
  return readFileSync(new URL(`../../../dist/${name}`, import.meta.url));
}

export function readVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
