// Records what a release promises, in test/released/VERSION: test/compatibility.test.ts compares later versions with it.
// Usage, after a build: node scripts/record-release.mjs 0.1.0
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) {
  console.error('Specify the version, such as 0.1.0.');
  process.exit(2);
}
const { openApiDocument } = await import('../dist/api/rest/openapi.js');
const { DEFAULT_LIMITS } = await import('../dist/access/limits/tiers.js');
const directory = new URL(`../test/released/${version}/`, import.meta.url);
mkdirSync(directory, { recursive: true });
copyFileSync(new URL('../schema.graphql', import.meta.url), new URL('schema.graphql', directory));
writeFileSync(
  new URL('openapi.json', directory),
  `${JSON.stringify(openApiDocument(DEFAULT_LIMITS), null, 2)}\n`,
);
