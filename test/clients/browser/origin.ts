import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { closeAfterwards } from '../../support/closing.ts';

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
export const pageOf = (head: string, main: string, dir = 'ltr'): string =>
  `<!doctype html><html lang="en" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Blog</title><link rel="icon" href="data:,">${head}<main>${main}</main>`;

/** What draws the elements of a page, by the origin that serves it. */
export const embedScript = (url: string): string => `<script type="module" src="${url}/embed.js"></script>`;

export const FIGURES =
  'query Figures { startups { meta { total } stats { revenue { median sum } growth { median } } } }';
export const HISTORY = 'query History { startup(slug: "acme") { history { day revenue { last30Days } } } }';

/** An element that draws what a published document finds. */
export const elementOf = (key: string, name: string, document: string, attributes = '', content = '') =>
  `<revgate-${name} embed-key="${key}" document="${documentId(hashDocument(document))}" ${attributes}>${content}</revgate-${name}>`;
