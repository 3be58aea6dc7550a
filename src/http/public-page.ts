import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Html, html, htmlPage } from '../html.ts';

const STYLE = `:root{color-scheme:light dark;--line:#ddd;--soft:#f4f6f5;--accent:#0b7a55}
@media(prefers-color-scheme:dark){:root{--line:#444;--soft:#232624;--accent:#5cc79d}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
a{color:var(--accent)}nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center}
nav a:first-child{display:flex;gap:.5rem;align-items:center;font-weight:600;margin-right:auto;text-decoration:none}
h1{line-height:1.2}pre{background:var(--soft);padding:1rem;overflow:auto;border-radius:.5rem}
table{border-collapse:collapse;display:block;overflow-x:auto;margin:1rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
code{font-family:ui-monospace,monospace;font-size:.9em}th,td:first-child code{white-space:nowrap}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:0 1rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem;padding:0;list-style:none}
.cards li{border:1px solid var(--line);border-radius:.5rem;padding:1rem}.cards p{margin:.25rem 0 0}`;

/** Only the page's own style and its icon: no script, no other origin, no frame. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A public page for people. */
export function publicPage(
  c: Context,
  title: string,
  main: Html,
  status: ContentfulStatusCode = 200,
): Response {
  const page = htmlPage({
    title,
    head: html`<style>${raw(STYLE)}</style>`,
    body: html`<nav aria-label="Pages"><a href="/"><img src="/favicon.svg" alt="" width="24" height="24">revgate</a><a href="/docs">Docs</a><a href="/graphql">GraphiQL</a><a href="/dashboard">Dashboard</a></nav>
<main>
<h1>${title}</h1>
${main}
</main>`,
  });
  return c.body(page, status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-cache',
  });
}
