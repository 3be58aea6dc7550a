import type { ReadDocument } from '../../documents/read.ts';
import { type Html, html } from '../../html.ts';
import type { KeySummary } from '../../keys/key.ts';
import type { Paged } from '../../paged.ts';
import { notice, time } from '../forms.ts';
import type { Page } from '../page.ts';
import { copyButton, snippet } from '../snippet.ts';

interface Documents {
  readonly key: KeySummary;
  /** A page of them, newest first. */
  readonly documents: Paged<ReadDocument> & { readonly page: number };
  /** The submitted document, and its errors. */
  readonly sent: { readonly text: string; readonly errors: readonly string[] };
  /** The public origin of the gateway. */
  readonly origin: string;
}

/** The documents of a key, and the form to publish one. */
export function documentsPage({ key, documents, sent, origin }: Documents): Page {
  const { id, name, trustedOnly } = key;
  const { items, page, hasMore } = documents;
  const link = (to: number, text: string): Html =>
    html`<a class="button second" href="/dashboard/keys/${id}/documents?page=${to}">${text}</a>`;
  return {
    status: sent.errors.length === 0 ? 200 : 400,
    title: `Documents of ${name}`,
    back: { path: `/dashboard/keys/${id}`, label: name },
    styles: ['data.css'],
    main: html`<p class="lead">${trustedOnly ? 'This key runs only the GraphQL documents published here. Requests name them by their ids.' : 'This key runs any GraphQL document. Those published here can be requested by their ids.'}</p>
${sent.errors.map((error) => notice(error, 'wrong'))}
${items.length === 0 && html`<section class="card empty"><h2>No document published</h2><p class="soft">Publish the first one below. Keys that replace this one keep its documents.</p></section>`}
${items.map((document, index) => documentCard(key, document, index, origin))}
${(page > 1 || hasMore) && html`<nav class="pager" aria-label="Pages of documents">${page > 1 && link(page - 1, 'Newer')}<span class="soft">Page ${page}</span>${hasMore && link(page + 1, 'Older')}</nav>`}
<section class="card"><h2>Publish a document</h2><form class="stack" method="post" action="/dashboard/keys/${id}/documents">
<div class="field"><label for="document">GraphQL document</label><textarea id="document" name="document" rows="8" class="mono" spellcheck="false" required aria-describedby="document-hint">${sent.text}</textarea><p class="hint" id="document-hint">Such as query Top { startups(first: 3) { nodes { name } } }</p></div>
<div class="actions"><button>Publish</button></div></form></section>`,
  };
}

function documentCard(key: KeySummary, document: ReadDocument, index: number, origin: string): Html {
  const { id, operations, publishedAt, text } = document;
  const name = operations.join(', ') || 'Unnamed operation';
  const [idPlace, textPlace] = [`document-${index}-id`, `document-${index}-text`];
  return html`<section class="card document"><div class="heading sub"><h2>${name}</h2>
<form method="post" action="/dashboard/keys/${key.id}/documents/remove"><input type="hidden" name="document" value="${id}"><button class="quiet">Remove<span class="hidden"> ${name}</span></button></form></div>
<dl class="facts"><dt>Id</dt><dd class="copied-id"><code class="long" id="${idPlace}">${id}</code>${copyButton(idPlace, 'Copy the id')}</dd><dt>Published</dt><dd>${time(publishedAt, 'minute')}</dd></dl>
<details><summary>Text</summary>${snippet(textPlace, 'GraphQL', text, `text of ${name}`)}</details>
<details><summary>Example request</summary>${snippet(`document-${index}-curl`, 'curl', curlExample(key, document, origin), `curl request of ${name}`)}
${snippet(`document-${index}-fetch`, 'fetch', fetchExample(document, origin), `fetch request of ${name}`)}</details></section>`;
}

/** A document of several operations is sent with the name of one. */
function operationOf({ operations }: ReadDocument): { operationName?: string } {
  const [operationName] = operations;
  return operationName !== undefined && operations.length > 1 ? { operationName } : {};
}

function curlExample({ origins: [page] }: KeySummary, document: ReadDocument, origin: string): string {
  return `curl -H "Authorization: Bearer $REVGATE_KEY" \\
  -H "Content-Type: application/json" \\${page === undefined ? '' : `\n  -H "Origin: ${page}" \\`}
  -d '${JSON.stringify({ documentId: document.id, ...operationOf(document) })}' \\
  "${origin}/graphql"`;
}

function fetchExample(document: ReadDocument, origin: string): string {
  const query = new URLSearchParams({ documentId: document.id, ...operationOf(document) });
  return `const response = await fetch(
  '${origin}/graphql?${decodeURIComponent(query.toString())}',
  { headers: { Authorization: 'Bearer YOUR_KEY' } },
);
const { data, errors } = await response.json();`;
}
