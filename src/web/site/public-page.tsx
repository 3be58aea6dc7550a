import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Content } from '../shared/jsx.ts';
import { hasSessionCookie, type ShellPage, shellPage } from '../shared/shell.tsx';

/** Only files of this server: no other origin, no frame, and scripts only where a page has some. */
const policy = ({ scripts = [], connects = false }: Pick<PublicPage, 'scripts' | 'connects'>): string =>
  `default-src 'none'; ${scripts.length > 0 ? "script-src 'self'; " : ''}style-src 'self'; img-src 'self'; ` +
  (connects ? "connect-src 'self'; " : '') +
  `base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** A public page for people. */
interface PublicPage extends Omit<ShellPage, 'path' | 'isSignedIn' | 'children'> {
  readonly main: Content;
  /** Whether its scripts may send requests to this server. */
  readonly connects?: boolean;
  /** 200 by default. */
  readonly status?: ContentfulStatusCode;
}

/** Answers with a public page. */
export function publicPage(c: Context<PageEnv>, { main, status = 200, ...page }: PublicPage): Response {
  const text = shellPage({
    ...page,
    path: c.req.path,
    isSignedIn: hasSessionCookie(c.env.request.header('cookie')),
    children: <main id="main">{main}</main>,
  });
  return c.body(text, status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(page),
    'Cache-Control': 'no-cache',
    Vary: 'Accept, Cookie',
  });
}
