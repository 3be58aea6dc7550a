import { contactUrl, PROGRAM } from '../../lib/text/service.ts';
import type { Brand } from './brand.ts';
import { type Content, render } from './jsx.ts';
import { Header, type Place } from './navigation.tsx';

/** The URL of a file of `assets/`, under a name that changes with its content. */
export type AssetUrl = (name: string) => string;

/** What all pages of a service have in common. */
export interface Look {
  readonly brand: Brand;
  readonly assetUrl: AssetUrl;
}

/** A whole page. */
export interface ShellPage extends Place, Look {
  /** Without the name of the service. */
  readonly title: string;
  /** Names of style files, in addition to those of every page. */
  readonly styles?: readonly string[];
  /** Names of script files. Each page works without them. */
  readonly scripts?: readonly string[];
  /** The same for modules, which do not see each other's names. */
  readonly modules?: readonly string[];
  /** What the page is about, for search engines. */
  readonly description?: string;
  /** The URL of the page as Markdown. */
  readonly markdown?: string;
  /** The text of the field in the header that searches the documentation; undefined: there is none. */
  readonly search?: string;
  /** Between the header and the footer. */
  readonly children: Content;
}

/** The text of a page: the same header and footer around any content. */
export function shellPage(page: ShellPage): string {
  const {
    title,
    brand,
    assetUrl,
    styles = [],
    scripts = [],
    modules = [],
    description,
    markdown,
    children,
  } = page;
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${brand.name}`}</title>
        {description !== undefined && <meta name="description" content={description} />}
        {markdown !== undefined && <link rel="alternate" type="text/markdown" href={markdown} />}
        <link rel="icon" href={brand.logo} type={brand.logoType} />
        {['shell.css', 'base.css', ...styles].map((name) => (
          <link rel="stylesheet" href={assetUrl(name)} />
        ))}
        {brand.style !== undefined && <link rel="stylesheet" href={brand.style} />}
        {scripts.map((name) => (
          <script src={assetUrl(name)} defer blocking="render" />
        ))}
        {modules.map((name) => (
          <script type="module" src={assetUrl(name)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header {...page} />
        {children}
        <footer class="foot">
          <nav aria-label="Further pages">
            {footerLinks.map((link) => (
              <a href={link.path}>{link.label}</a>
            ))}
            {brand.contact !== undefined && <a href={contactUrl(brand.contact)}>Contact</a>}
          </nav>
          {brand.isNamed && <p class="soft small">Runs on {PROGRAM}</p>}
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>${render(html)}`;
}

const footerLinks = [
  { path: '/docs', label: 'Documentation' },
  { path: '/schema.graphql', label: 'GraphQL schema' },
  { path: '/openapi.json', label: 'OpenAPI' },
  { path: '/policy', label: 'Acceptable use' },
];

/** Whether a request has the cookie of a session, which may have ended: enough to name a link. */
export function hasSessionCookie(cookies: string | undefined): boolean {
  return cookies?.includes('revgate.session_token=') ?? false;
}
