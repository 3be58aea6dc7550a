import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { hashDocument } from '../../../src/documents/document-id.ts';
import { serve, slugs } from '../served.ts';
import { openBrowser, openPage } from './browser.ts';
import { openOrigin } from './origin.ts';

const QUERY = 'query Top { startups(limit: 3) { nodes { slug } } }';

const [served, browser] = await Promise.all([serve({ standard: 3, premium: 60 }), openBrowser()]);
const [site, stranger] = [await openOrigin(page), await openOrigin(page)];
let key: string;
beforeEach(async () => {
  key = await served.embedKey(site.origin, QUERY);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([site.close(), stranger.close()]);
  await served.close();
});

/** A page that shows what its script was answered. */
function page(): string {
  return `<!doctype html><title>Embed</title><link rel="icon" href="data:,">
<pre></pre>
<script type="module">
  const response = await fetch('${served.url}/graphql?documentId=${hashDocument(QUERY)}', {
    headers: { Authorization: 'Bearer ${key}' },
    cache: 'reload',
  });
  const header = (name) => response.headers.get(name);
  document.querySelector('pre').textContent = JSON.stringify({
    status: response.status,
    body: await response.json(),
    budget: ['limit', 'remaining', 'reset'].map((name) => Number(header('x-ratelimit-' + name))),
    ietf: [header('ratelimit-policy'), header('ratelimit')],
    retryAfter: header('retry-after'),
    requestId: header('x-request-id'),
  });
</script>`;
}

async function visit(origin: string) {
  const { page } = await openPage(browser);
  await page.goto(origin);
  await page.locator('pre:not(:empty)').waitFor();
  return JSON.parse((await page.locator('pre').textContent()) ?? '');
}

describe('a page of another origin', () => {
  it('embeds a query, and reads what is left of the limit until it is refused', async () => {
    const first = await visit(site.origin);
    expect(first).toMatchObject({
      status: 200,
      body: { data: { startups: { nodes: slugs.slice(0, 3).map((slug) => ({ slug })) } } },
      requestId: expect.any(String),
      retryAfter: null,
    });
    const [limit, remaining, reset] = first.budget;
    expect([limit, remaining]).toEqual([3, 2]);
    expect(reset - Date.now() / 1000).toBeGreaterThan(30);
    expect(first.ietf[0]).toContain('q=3;w=60');
    expect((await visit(site.origin)).budget[1]).toBe(1);
    expect((await visit(site.origin)).budget[1]).toBe(0);
    const refused = await visit(site.origin);
    expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  });

  it('gets the reason if the key is for another origin', async () => {
    const { status, body } = await visit(stranger.origin);
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });
});
