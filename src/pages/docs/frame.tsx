import type { Html } from '../shared/jsx.ts';
import { type AssetUrl, shellPage } from '../shared/shell.tsx';
import type { Place } from './section.tsx';

/** What the header and the head of a page depend on. */
export interface FrameOptions {
  readonly isSignedIn: boolean;
  readonly assetUrl: AssetUrl;
}

interface Framed extends FrameOptions {
  readonly title: string;
  /** The page's own path. */
  readonly path: string;
  readonly groups: readonly LinkGroup[];
  readonly main: Html;
}

/** Lays out a page of the reference: the navigation and the text. */
export function frame({ title, groups, main, ...place }: Framed): string {
  return shellPage({
    ...place,
    title: `${title} · revgate`,
    styles: ['docs.css'],
    modules: ['contents.js', 'tabs.js', 'search.js', 'try.js'],
    hasSearch: true,
    children: (
      <div class="layout">
        {navigation(groups)}
        <main id="main">
          <h1>{title}</h1>
          {main}
        </main>
      </div>
    ),
  });
}

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
  const links = groups.map(({ title, links }) => (
    <>
      <p class="group">{title}</p>
      <ul>
        {links.map(({ id, title, parts = [] }) => (
          <li>
            {link({ id, title })}
            {parts.length > 0 && (
              <ul>
                {parts.map((part) => (
                  <li>{link(part)}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  ));
  return (
    <>
      <details class="menu">
        <summary>Contents</summary>
        <nav aria-label="Contents">{links}</nav>
      </details>
      <nav class="side" aria-label="Contents">
        {links}
      </nav>
    </>
  );
}

function link({ id, title }: Place): Html {
  return <a href={`#${id}`}>{title}</a>;
}
