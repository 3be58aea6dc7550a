import { type Html, html, htmlPage } from '../html.ts';
import { type LinkGroup, navigation } from './navigation.ts';

/** The URL of a file of `assets/docs/`, under a name that changes with its content. */
export type AssetUrl = (name: string) => string;

interface Framed {
  readonly title: string;
  /** The page's own path. */
  readonly path: string;
  readonly groups: readonly LinkGroup[];
  readonly main: Html;
}

/** Scripts that improve the pages; each page works without them. */
const scripts = ['contents.js', 'tabs.js', 'search.js', 'try.js'];

const pages = [
  { path: '/docs', label: 'Reference' },
  { path: '/docs/schema', label: 'Schema' },
  { path: '/graphql', label: 'GraphiQL' },
  { path: '/dashboard', label: 'Dashboard' },
];

/** Lays out a page of the reference: the bar, the navigation and the text. */
export function frame(assetUrl: AssetUrl, { title, path, groups, main }: Framed): string {
  return htmlPage({
    title: `${title} · revgate`,
    head: html`<link rel="stylesheet" href="${assetUrl('docs.css')}">
${scripts.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>`)}`,
    body: html`<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="24" height="24">revgate</a>
<search class="search"></search>
<nav class="pages" aria-label="Pages">${pages.map(
      (page) =>
        html`<a href="${page.path}"${page.path === path && html` aria-current="page"`}>${page.label}</a>`,
    )}</nav>
</header>
<div class="layout">
${navigation(groups)}
<main id="main">
<h1>${title}</h1>
${main}
</main>
</div>`,
  });
}
