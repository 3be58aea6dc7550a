import { type Html, html } from '../html.ts';
import type { Place } from './section.ts';

/** A group of links in the navigation. */
export interface LinkGroup {
  readonly title: string;
  readonly links: readonly (Place & { readonly parts?: readonly Place[] })[];
}

/**
 * The navigation: beside the text on wide screens, otherwise a menu. A `details` cannot be forced open by a
 * style in every browser, so it is written twice, and the style shows one of them.
 */
export function navigation(groups: readonly LinkGroup[]): Html {
  const links = groups.map(
    ({ title, links }) => html`<p class="group">${title}</p>
<ul>
${links.map(
  ({
    id,
    title,
    parts = [],
  }) => html`<li>${link({ id, title })}${parts.length > 0 && html`<ul>${parts.map((part) => html`<li>${link(part)}</li>`)}</ul>`}</li>
`,
)}</ul>
`,
  );
  return html`<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${links}</nav></details>
<nav class="side" aria-label="Contents">${links}</nav>
`;
}

function link({ id, title }: Place): Html {
  return html`<a href="#${id}">${title}</a>`;
}
