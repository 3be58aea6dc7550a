import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openBrowser, openPage, type WatchedPage } from './browser.ts';

/** The origin of a web site of somebody else: a page at every path, its content policy, and scripts by their paths. */
export async function openOrigin(
  page: () => string,
  { policy = () => undefined, scripts = {} }: { policy?: () => string | undefined; scripts?: object } = {},
): Promise<string> {
  const files = new Map<string | undefined, string>(Object.entries(scripts));
  const server = createServer(({ url }, response) => {
    const script = files.get(url);
    response.setHeader('Content-Type', script === undefined ? 'text/html; charset=utf-8' : 'text/javascript');
    const allowed = policy();
    if (allowed !== undefined) {
      response.setHeader('Content-Security-Policy', allowed);
    }
    response.end(script ?? page());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterwards(() => server.close());
  // Not the address of the gateway with another port alone: another host.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** A page of such a site. */
const pageOf = (head: string, main: string, dir = 'ltr'): string =>
  `<!doctype html><html lang="en" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Blog</title><link rel="icon" href="data:,">${head}<main>${main}</main>`;

/** A web site of somebody else in a browser, whose pages draw elements of a gateway. */
export async function openBlog(served: { readonly url: string }, scripts: object = {}) {
  let shown: { html: string; policy?: string | undefined } = { html: '' };
  const [browser, origin] = await Promise.all([
    openBrowser(),
    openOrigin(() => shown.html, { policy: () => shown.policy, scripts }),
  ]);
  /** Opens a page with this between its heading and its last line. */
  async function visit(
    main: string,
    { head = embedScript(served.url), foot = '', dir = 'ltr', policy, prepare, ...options }: BlogPage = {},
  ): Promise<WatchedPage> {
    shown = { html: pageOf(head, `<h1>Blog</h1>${main}<p>The end</p>${foot}`, dir), policy };
    const opened = await openPage(browser, options);
    await prepare?.(opened.page);
    await opened.page.goto(origin);
    return opened;
  }
  return { origin, visit };
}

interface BlogPage extends BrowserContextOptions {
  readonly head?: string;
  readonly foot?: string;
  readonly dir?: string;
  /** Its content policy. */
  readonly policy?: string;
  /** What is done before it is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** What draws the elements of a page, by the origin that serves it. */
export const embedScript = (url: string): string => `<script type="module" src="${url}/embed.js"></script>`;

export const FIGURES =
  'query Figures { startups { meta { total } stats { revenue { median sum } growth { median } } } }';
export const HISTORY = 'query History { startup(slug: "acme") { history { day revenue { last30Days } } } }';

/** An element that draws what a published document finds. */
export const elementOf = (key: string, name: string, document: string, attributes = '', content = '') =>
  `<revgate-${name} embed-key="${key}" document="${documentId(hashDocument(document))}" ${attributes}>${content}</revgate-${name}>`;
