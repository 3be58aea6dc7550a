import { type Html, html, htmlPage } from '../html.ts';
import type { Visitor } from './auth.ts';
import type { Page } from './page.ts';

/** A part of the dashboard in its navigation. */
interface Section {
  readonly path: string;
  readonly label: string;
  /** Only operators see it. */
  readonly isForOperators?: boolean;
}

/** The navigation of signed-in users, in this order. */
const sections: readonly Section[] = [
  { path: '/dashboard/keys', label: 'Keys' },
  { path: '/dashboard/usage', label: 'Usage' },
  { path: '/dashboard/explorer', label: 'Explorer' },
  { path: '/dashboard/account', label: 'Account' },
  { path: '/dashboard/operator', label: 'Operator', isForOperators: true },
];

/** Lays out a page: the same head, navigation and foot around any content. */
export function layOut(
  page: Page,
  {
    assetUrl,
    path,
    visitor,
  }: { assetUrl: (name: string) => string; path: string; visitor: Visitor | undefined },
): string {
  const { title, main, back, action, scripts = [], styles = [], isNarrow = false } = page;
  return htmlPage({
    title: `${title} · revgate`,
    head: html`${['dashboard.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">`)}
${['dashboard.js', ...scripts].map((name) => html`<script src="${assetUrl(name)}" defer blocking="render"></script>`)}`,
    body: html`<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/dashboard"><img src="/favicon.svg" alt="" width="24" height="24">revgate</a>
${visitor === undefined ? guestNavigation(path) : navigation(path, visitor)}
</header>
<main id="main" class="${isNarrow ? 'narrow' : 'wide'}">
${back !== undefined && html`<p class="back"><a href="${back.path}">${back.label}</a></p>`}
<div class="heading"><h1>${title}</h1>${action}</div>
${main}
</main>
<footer class="foot">
<nav aria-label="Further pages"><a href="/dashboard/policy">Acceptable use</a><a href="/docs">API reference</a><a href="/docs/schema">GraphQL schema</a></nav>
</footer>`,
  });
}

function navigation(path: string, visitor: Visitor): Html {
  const links = sections.filter(({ isForOperators = false }) => !isForOperators || visitor.isOperator);
  return html`<nav class="sections" aria-label="Dashboard">${links.map((section) => navigationLink(section, path))}</nav>
<form class="leave" method="post" action="/dashboard/sign-out"><span class="who" title="${visitor.email}">${visitor.email}</span><button class="quiet">Sign out</button></form>`;
}

function guestNavigation(path: string): Html {
  return html`<nav class="sections guest" aria-label="Dashboard">${[
    { path: '/dashboard/sign-in', label: 'Sign in' },
    { path: '/dashboard/sign-up', label: 'Sign up' },
  ].map((section) => navigationLink(section, path))}</nav>`;
}

function navigationLink({ path, label }: Section, current: string): Html {
  const isHere = current === path || current.startsWith(`${path}/`);
  return html`<a href="${path}"${isHere && html` aria-current="page"`}>${label}</a>`;
}
