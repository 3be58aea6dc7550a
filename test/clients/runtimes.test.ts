import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { documentId, hashDocument } from '../../src/access/keys/documents/list.ts';
import { only } from '../support/only.ts';
import { serve, slugs } from './served.ts';

const DOCUMENT =
  'query One($slug: String!) { startup(slug: $slug) { slug } } query Other { dataset { total } }';
const run = promisify(execFile);
const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** A later Node than the one that runs the tests; the registry has it as a package. */
const LATER = fileAt(`node_modules/node-linux-${process.arch}/bin/node`);

const served = await serve();

async function useClient(runtime: string): Promise<void> {
  const key = await served.trustedKey(DOCUMENT);
  served.methods.length = 0;
  const { stdout } = await run(runtime, [
    fileAt('uses-client.mjs'),
    served.url,
    key,
    documentId(hashDocument(DOCUMENT)),
  ]);
  expect(JSON.parse(stdout)).toEqual({
    slugs: slugs.filter((_, index) => index % 2 === 0),
    isSame: true,
    changes: slugs.length,
    error: ['NOT_FOUND', 404, 'string'],
    aborted: 'AbortError',
    published: { startup: { slug: 's-02' } },
  });
  expect(new Set(served.methods)).toEqual(new Set(['GET']));
}

it('the client works in the Node that runs this test', () => useClient(process.execPath));

only(existsSync(LATER), 'Linux on x64 or arm64').it('the client works in Node 24', async () => {
  expect((await run(LATER, ['--version'])).stdout).toMatch(/^v24\./);
  await useClient(LATER);
});
