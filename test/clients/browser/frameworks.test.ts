import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { compile } from 'svelte/compiler';
import { expect, it } from 'vitest';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { testDirectory } from '../../main/commands/process.ts';
import { record } from '../../support/records.ts';
import { root } from '../../support/suites.ts';
import { serve } from '../served.ts';
import { embedScript, openBlog } from './origin.ts';

const LIST = 'query List { startups { page { name } } }';
const served = await serve(undefined, { records: [record('acme')] });
const { origin, visit } = await openBlog(served);
const key = await served.embedKey(origin, LIST);
const document = documentId(hashDocument(LIST));
const attributes = JSON.stringify({ 'embed-key': key, document, columns: 'name' });
const properties = JSON.stringify({ embedKey: key, document, columns: 'name', rows: 3 });
const withValues = (program: string): string =>
  program.replaceAll('ATTRIBUTES', attributes).replaceAll('PROPERTIES', properties);

/** Makes one module of a program that uses packages of test/clients. */
async function bundle(text: string, platform: 'node' | 'browser'): Promise<string> {
  const input = 'program.js';
  const program = withValues(text);
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

/** The page of a program, with the elements defined before the program runs, and after it. */
async function visitBoth(script: string, main: string) {
  const program = `<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`;
  const elements = embedScript(served.url);
  return [await visit(main + program), await visit(main, { head: '', foot: program + elements })];
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
  writeFileSync(file, await bundle(server, 'node'));
  const { html: markup } = await import(pathToFileURL(file).href);
  expect(markup).toContain(` embed-key="${key}"`);
  const script = await bundle(client, 'browser');
  const main = `<div id="hydrated">${markup}</div><div id="rendered"></div>`;
  for (const { page } of await visitBoth(script, main)) {
    for (const id of ['hydrated', 'rendered']) {
      await page.locator(`#${id} revgate-list tbody th`, { hasText: 'acme' }).waitFor();
    }
  }
});

/** A component of Svelte as the module that its compiler makes of it. */
const svelteModule = (source: string): string =>
  compile(source, { generate: 'client', name: 'App' }).js.code.replace('export default', '');

it.each([
  {
    name: 'Angular, by bindings and interpolation',
    client: `import '@angular/compiler';
      import { Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection } from '@angular/core';
      import { bootstrapApplication } from '@angular/platform-browser';
      class App { it = PROPERTIES; }
      const template = \`
        <revgate-list [embedKey]="it.embedKey" [document]="it.document" [columns]="it.columns" [rows]="3" />
        <revgate-list embed-key="{{it.embedKey}}" document="{{it.document}}" columns="{{it.columns}}" rows="3" />\`;
      Component({ selector: '#rendered', template, schemas: [CUSTOM_ELEMENTS_SCHEMA] })(App);
      bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });`,
    count: 2,
  },
  {
    name: 'Solid',
    client: `import h from 'solid-js/h'; import { render } from 'solid-js/web';
      render(() => h('revgate-list', PROPERTIES), rendered);`,
    count: 1,
  },
  {
    name: 'Svelte, by attributes and a spread',
    client: `import { mount } from 'svelte';
      ${svelteModule(`<script>const { it } = $props();</script>
        <revgate-list embed-key={it.embedKey} document={it.document} columns={it.columns} rows={3}></revgate-list>
        <revgate-list {...it}></revgate-list>`)}
      mount(App, { target: rendered, props: { it: PROPERTIES } });`,
    count: 2,
  },
  {
    name: 'Lit, by properties and attributes',
    client: `import { html, render } from 'lit'; const { embedKey, document, columns, rows } = PROPERTIES;
      const properties = html\`<revgate-list .embedKey=\${embedKey} .document=\${document} .columns=\${columns} .rows=\${rows}></revgate-list>\`;
      const attributes = html\`<revgate-list embed-key=\${embedKey} document=\${document} columns=\${columns} rows=\${rows}></revgate-list>\`;
      render([properties, attributes], rendered);`,
    count: 2,
  },
  {
    name: 'React',
    client: `import { createElement } from 'react'; import { createRoot } from 'react-dom/client';
      createRoot(rendered).render(createElement('revgate-list', PROPERTIES));`,
    count: 1,
  },
  {
    name: 'a script without a framework',
    client: `rendered.append(Object.assign(document.createElement('revgate-list'), PROPERTIES));`,
    count: 1,
  },
])('$name sets properties of the element', async ({ client, count }) => {
  for (const { page } of await visitBoth(await bundle(client, 'browser'), '<div id="rendered"></div>')) {
    const elements = page.locator('#rendered revgate-list');
    await expect.poll(() => elements.locator('tbody th', { hasText: 'acme' }).count()).toBe(count);
    // All are reflected, numbers too. Solid and spreads of Svelte write names in lower case.
    const reflected = (all: Element[]) =>
      all.map((one) => [
        one.getAttribute('embed-key') ?? one.getAttribute('embedkey'),
        one.getAttribute('rows'),
      ]);
    expect(await elements.evaluateAll(reflected)).toEqual(Array(count).fill([key, '3']));
  }
});
