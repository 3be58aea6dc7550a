import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { testDirectory } from '../../main/commands/process.ts';
import { record } from '../../support/records.ts';
import { root } from '../../support/suites.ts';
import { serve } from '../served.ts';
import { openBlog } from './origin.ts';

const LIST = 'query List { startups { page { name } } }';
const served = await serve(undefined, { records: [record('acme')] });
const { origin, visit } = await openBlog(served);
const key = await served.embedKey(origin, LIST);
const attributes = JSON.stringify({
  'embed-key': key,
  document: documentId(hashDocument(LIST)),
  columns: 'name',
});

/** Makes one module of a program that uses packages of test/clients. */
async function bundle(program: string, platform: 'node' | 'browser'): Promise<string> {
  const input = 'program.js';
  const build = await rolldown({
    input,
    platform,
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        resolveId: (id, importer) =>
          id === input ? join(root, 'test/clients', input) : importer === undefined ? id : undefined,
        load: (id) => (id.endsWith(input) ? program : undefined),
      },
    ],
    transform: {
      define: {
        'process.env.NODE_ENV': '"development"',
        __VUE_OPTIONS_API__: 'false',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
      },
    },
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  return output[0].code;
}

it.each([
  {
    name: 'React',
    server: `import { createElement } from 'react'; import { renderToString } from 'react-dom/server';
      export const html = renderToString(createElement('revgate-list', ATTRIBUTES));`,
    client: `import { createElement } from 'react'; import { createRoot, hydrateRoot } from 'react-dom/client';
      hydrateRoot(hydrated, createElement('revgate-list', ATTRIBUTES));
      createRoot(rendered).render(createElement('revgate-list', ATTRIBUTES));`,
  },
  {
    name: 'Preact',
    server: `import { h } from 'preact'; import { renderToString } from 'preact-render-to-string';
      export const html = renderToString(h('revgate-list', ATTRIBUTES));`,
    client: `import { h, hydrate, render } from 'preact';
      hydrate(h('revgate-list', ATTRIBUTES), hydrated); render(h('revgate-list', ATTRIBUTES), rendered);`,
  },
  {
    name: 'Vue',
    server: `import { createSSRApp, h } from 'vue'; import { renderToString } from 'vue/server-renderer';
      export const html = await renderToString(createSSRApp(() => h('revgate-list', ATTRIBUTES)));`,
    client: `import { createApp, createSSRApp, h } from 'vue';
      createSSRApp(() => h('revgate-list', ATTRIBUTES)).mount(hydrated);
      createApp(() => h('revgate-list', ATTRIBUTES)).mount(rendered);`,
  },
])('$name renders the element on a server and in a browser', async ({ server, client }) => {
  const file = join(testDirectory(), 'server.mjs');
  writeFileSync(file, await bundle(server.replaceAll('ATTRIBUTES', attributes), 'node'));
  const { html: markup } = await import(pathToFileURL(file).href);
  expect(markup).toContain(` embed-key="${key}"`);
  const script = await bundle(client.replaceAll('ATTRIBUTES', attributes), 'browser');
  const { page } = await visit(`<div id="hydrated">${markup}</div><div id="rendered"></div>
<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`);
  for (const id of ['hydrated', 'rendered']) {
    await page.locator(`#${id} revgate-list tbody th`, { hasText: 'acme' }).waitFor();
  }
});
