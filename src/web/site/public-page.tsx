import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Brand } from '../shared/brand.ts';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Content } from '../shared/jsx.ts';
import { type AssetUrl, hasSessionCookie, shellPage } from '../shared/shell.tsx';

/** Only files of this server: no other origin, no frame, and scripts only where a page has some. */
const policy = (scripts: readonly string[]): string =>
  `default-src 'none'; ${scripts.length > 0 ? "script-src 'self'; " : ''}style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** A public page for people. */
interface PublicPage {
  /** The title of the window. */
  readonly title: string;
  readonly brand: Brand;
  readonly assetUrl: AssetUrl;
  readonly main: Content;
  /** Names of style files. */
  readonly styles?: readonly string[];
  /** Names of script files. */
  readonly scripts?: readonly string[];
  /** The text of the field that searches the documentation, if there is one. */
  readonly search?: string;
  /** 200 by default. */
  readonly status?: ContentfulStatusCode;
}

/** Answers with a public page. */
export function publicPage(
  c: Context<PageEnv>,
  { title, main, status = 200, ...page }: PublicPage,
): Response {
  const { path } = c.req;
  const text = shellPage({
    ...page,
    title,
    path,
    isSignedIn: hasSessionCookie(c.env.request.header('cookie')),
    children: <main id="main">{main}</main>,
  });
  return c.body(text, status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(page.scripts ?? []),
    'Cache-Control': 'no-cache',
    Vary: 'Accept, Cookie',
  });
}
