import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/access/keys/change.ts';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { listen } from '../../../src/lib/http/node-server.ts';
import { findFreePort } from '../../support/free-port.ts';
import { LOCAL_SERVER } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';
import { serve } from '../served.ts';
import { boxOf } from './browser.ts';
import { look, watchMoves } from './look.ts';
import { elementOf, embedScript, FIGURES, HISTORY, openBlog } from './origin.ts';

const SCRIPT = readFileSync(new URL('../../../dist/embed.js', import.meta.url), 'utf8');
const CLIENT = readFileSync(new URL('../../../client/dist/index.js', import.meta.url), 'utf8');
const LIST =
  'query List { startups(filter: { onSale: true }) { page { name website category askingPrice growth30d multiple revenue { mrr } } } }';
const EMPTY = 'query Empty { startups(filter: { onSale: true, category: LEGAL }) { page { name } } }';
const INHERITED =
  'query Inherited { startups { page { constructor: name __proto__: slug toString: customers } } }';
const documents = [LIST, EMPTY, FIGURES, HISTORY, INHERITED];

let key: string;
/** The gateway's time, which moves only where a test moves it. */
let clock = Date.now();
const records = [
  record('acme', {
    name: '<b>Acme</b>',
    website: 'https://www.acme.example/?a=1',
    category: 'developer-tools',
    onSale: true,
    askingPrice: 123_456_00,
    growth30d: 24.25,
    revenue: { last30Days: 100_000, mrr: 4_200_00, total: 1 },
  }),
  record('plain', {
    name: 'A startup whose name is too long for a column of a small page',
    onSale: true,
    growth30d: null,
  }),
  record('other', { onSale: false }),
];
const served = await serve({ standard: 8, premium: 60 }, { records, now: () => clock });
const [point] = (await served.gateway.database.pool.query('SELECT day::text FROM startup_points')).rows;
const scripts = { '/embed.js': SCRIPT, '/other.js': SCRIPT, '/client.js': CLIENT };
const { origin, visit } = await openBlog(served, scripts);
beforeEach(async () => {
  key = await served.embedKey(origin, ...documents);
});

const element = (name: string, document: string, attributes?: string, content?: string): string =>
  elementOf(key, name, document, attributes, content);
const columns = 'columns="name,category,askingPrice,growth30d,revenue.mrr"';

const asked = (requests: readonly string[]): string[] => requests.filter((url) => url.includes('/graphql?'));

describe('<revgate-list>', () => {
  it('draws a table of texts, with units, from another origin', async () => {
    const { page, requests } = await visit(element('list', LIST, columns));
    const cells = page.locator('revgate-list td, revgate-list th');
    await cells.first().waitFor();
    expect(await cells.allInnerTexts()).toEqual([
      'Startup',
      'Category',
      'Asking price',
      'Growth 30d',
      'MRR',
      '<b>Acme</b>',
      'Developer Tools',
      '$123,456',
      '+24.3%',
      '$4,200',
      'A startup whose name is too long for a column of a small page',
      '–',
      '–',
      '–',
      '$80',
    ]);
    const aligned = await cells.evaluateAll((all) =>
      all.slice(5, 10).map((cell) => getComputedStyle(cell).textAlign),
    );
    expect(aligned).toEqual(['start', 'start', 'end', 'end', 'end']);
    const links = page
      .locator('revgate-list tbody a')
      .evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.getAttribute('rel')]));
    expect(await links).toEqual([['https://www.acme.example/?a=1', 'noopener nofollow']]);
    expect(await page.locator('revgate-list p').last().innerText()).toMatch(
      /^Source: 127\.0\.0\.1:\d+\s*Updated just now$/,
    );
    expect([...requests, page.url()].filter((url) => url.includes('rvg_'))).toEqual([]);
  });

  it('has no fault for axe, moves nothing, and fits every width, light and dark', async () => {
    const place = (height: number): string => `<svg display="block" width="100%" height="${height}"></svg>`;
    const head = `<meta name="color-scheme" content="light dark">${embedScript(served.url)}`;
    for (const [name, width, colorScheme, theme] of [
      ['light', 1280, 'light', ''],
      ['dark', 1280, 'dark', 'theme="dark"'],
      ['small', 320, 'light', 'theme="light"'],
    ] as const) {
      // With a limit of its own.
      key = await served.embedKey(origin, ...documents);
      const padding = theme === '' ? 0 : 16;
      const body = `${element('list', LIST, `${theme} ${columns} label="Startups for sale"`, place(486 + padding))}
${element('chart', HISTORY, theme, place(252 + padding))}`;
      const shown = `${theme} figures="meta.total,stats.revenue.sum,stats.growth.median"`;
      const foot = element('figures', FIGURES, shown);
      const window = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true };
      const { page } = await visit(body, { head, foot, prepare: watchMoves, ...window });
      await page.locator('revgate-list td').first().waitFor();
      await page.locator('revgate-figures dd').first().waitFor();
      await page.locator('revgate-chart [part=plot]').waitFor();
      expect(await look(page, `component-${name}`)).toEqual([]);
    }
  });

  it('asks once for equal elements, and again when they are seen after a minute', async () => {
    const twice = element('list', LIST, columns) + element('list', LIST, 'columns="name"');
    const { page, requests } = await visit(twice, { prepare: ({ clock }) => clock.install() });
    await expect.poll(() => page.locator('revgate-list tr').count()).toBe(6);
    expect(asked(requests)).toHaveLength(1);
    await page.clock.fastForward('05:00');
    await page.getByText('Updated 5 minutes ago').first().waitFor();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => page.getByText('Updated just now').count()).toBe(2);
    expect(asked(requests)).toHaveLength(2);
  });

  it('follows its attributes', async () => {
    const { page } = await visit(element('list', LIST, 'columns="name"'));
    const list = page.locator('revgate-list');
    await list.locator('tbody th').first().waitFor();
    await list.evaluate((one) => one.setAttribute('columns', 'name,multiple,website'));
    await page.getByText('acme.example', { exact: true }).waitFor();
    expect(await list.locator('thead th').allInnerTexts()).toEqual(['Startup', 'Multiple', 'Website']);
  });

  it('has a reflected property for each attribute, of texts, numbers, booleans, lists and objects', async () => {
    const { page } = await visit('', {
      foot: '<script type="module">await customElements.whenDefined("revgate-list"); document.title = "ready"</script>',
    });
    await page.waitForFunction("document.title === 'ready'");
    const values = await page.evaluate(() => {
      const list = document.createElement('revgate-list') as HTMLElement & Record<string, unknown>;
      const { observedAttributes } = list.constructor as unknown as { observedAttributes: string[] };
      const without = observedAttributes.filter(
        (name) => !(name.replace(/-./g, (part) => part.charAt(1).toUpperCase()) in list) || !(name in list),
      );
      const given = {
        embedKey: 'a',
        rows: 5,
        label: true,
        accent: 'red',
        columns: ['name', 'mrr'],
        variables: { x: 1 },
      };
      Object.assign(list, given);
      const { outerHTML: html, embedKey } = list;
      Object.assign(list, { embedKey: null, rows: undefined, label: false, accent: '' });
      return { without, html, embedKey, after: list.outerHTML, absent: list.rows };
    });
    expect(values).toEqual({
      without: [],
      embedKey: 'a',
      html:
        '<revgate-list embed-key="a" rows="5" label="true" accent="red" columns="name,mrr" ' +
        'variables="{&quot;x&quot;:1}"></revgate-list>',
      after: '<revgate-list accent="" columns="name,mrr" variables="{&quot;x&quot;:1}"></revgate-list>',
      absent: '',
    });
  });

  it('is drawn once for several changes, and not for one that changes nothing', async () => {
    const { page } = await visit(element('list', LIST, 'columns="name"'));
    const list = page.locator('revgate-list');
    await list.locator('tbody th').first().waitFor();
    const drawn = await list.evaluate(async (one: HTMLElement & Record<string, unknown>) => {
      let count = 0;
      const draw = one.draw as (data: unknown) => boolean;
      one.draw = (data: unknown) => {
        count++;
        return draw.call(one, data);
      };
      const counts: number[] = [];
      for (const change of [
        { columns: 'name,multiple', label: 'A', labels: 'B,C' },
        { columns: 'name,multiple' },
      ]) {
        Object.assign(one, change);
        await new Promise((resolve) => setTimeout(resolve));
        counts.push(count);
      }
      return counts;
    });
    expect(drawn).toEqual([1, 1]);
    expect(await list.locator('thead th').allInnerTexts()).toEqual(['B', 'C']);
  });
});

describe('what a result does not have', () => {
  it('is drawn as nothing to show, and named in the console unless there are no startups', async () => {
    const body = [
      element('list', EMPTY),
      element('list', LIST, 'columns="name,mrr,revenue" labels="A,B,C"'),
      element('list', LIST, 'columns="foo"'),
      element('figures', FIGURES, 'figures="stats.revenue.mean,meta.total"'),
      element('chart', HISTORY, 'value="revenue.sum"'),
    ].join('');
    const { page, errors } = await visit(body);
    const messages = () => page.locator('.message').allInnerTexts();
    const [nothing, noFigures] = ['There are no startups to show.', 'There are no figures to show yet.'];
    await expect.poll(messages).toEqual([nothing, '', nothing, '', noFigures]);
    expect(await page.locator('revgate-list thead th').allInnerTexts()).toEqual(['A']);
    expect(await page.locator('revgate-figures dd').allInnerTexts()).toEqual(['3']);
    expect(await page.locator('td, dd').allInnerTexts()).not.toContain('–');
    expect(errors.splice(0).sort()).toEqual([
      '<revgate-chart>: value: "revenue.sum" is not in the result, which has revenue.last30Days',
      expect.stringMatching(
        /^<revgate-figures>: figures: "stats.revenue.mean" is not in the result, which has /,
      ),
      expect.stringMatching(
        /^<revgate-list>: columns: "foo" is not in the result, which has name, website, /,
      ),
      expect.stringMatching(
        /^<revgate-list>: columns: "mrr", "revenue" is not in the result, which has name/,
      ),
    ]);
  });

  it('is not taken from what every object has', async () => {
    const { page } = await visit(element('list', INHERITED));
    const head = page.locator('revgate-list thead th');
    await head.first().waitFor();
    expect(await head.allInnerTexts()).toEqual(['Constructor', '__proto__', 'To string']);
    expect(await page.locator('revgate-list tbody tr').first().innerText()).toContain('acme');
  });
});

it('<revgate-figures> shows the figures that it names, or all', async () => {
  const body =
    element('figures', FIGURES) + element('figures', FIGURES, 'figures="meta.total" labels="All of them"');
  const { page, requests } = await visit(body);
  // While they load, there are as many empty places.
  await expect
    .poll(() => page.locator('revgate-figures dt').allInnerTexts())
    .toEqual(['Startups', 'Median revenue', 'Revenue 30d', 'Median growth', 'All of them']);
  expect(await page.locator('revgate-figures dd').first().innerText()).toBe('3');
  expect(asked(requests)).toHaveLength(1);
});

it('<revgate-chart> draws one day as a point with its date', async () => {
  const { page } = await visit(element('chart', HISTORY));
  const image = page.getByRole('img', { name: `Revenue 30d: $1,000 on ${point.day}.` });
  await image.waitFor();
  expect(await page.locator('revgate-chart [part=line]').getAttribute('d')).toMatch(/^M500 [\d.]+h0$/);
  expect(await page.locator('revgate-chart [part=area]').count()).toBe(0);
  const date = new Date(point.day).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  const texts = await image.locator('p').allInnerTexts();
  expect([texts[1], texts.at(-1)]).toEqual([`$1,000 on ${date}`, date]);
});

describe('a content policy', () => {
  const strict = "default-src 'none'; base-uri 'none'; img-src data:; require-trusted-types-for 'script'";

  it('has to allow the script and the API, and nothing else', async () => {
    const body = element('list', LIST, columns) + element('figures', FIGURES) + element('chart', HISTORY);
    const policy = `${strict}; script-src ${served.url}; connect-src ${served.url}`;
    const { page } = await visit(body, { policy });
    await page.locator('revgate-list td').first().waitFor();
    await page.locator('revgate-chart [part=plot]').waitFor();
    // Its styles, too.
    expect((await boxOf(page, 'revgate-list td')).height).toBe(40);
  });

  it('can name the hash of a file that the site has itself', async () => {
    const hash = `sha384-${createHash('sha384').update(SCRIPT).digest('base64')}`;
    const { page } = await visit(element('list', LIST, `${columns} api="${served.url}"`), {
      head: `<script type="module" src="/embed.js" integrity="${hash}"></script>`,
      policy: `${strict}; script-src '${hash}'; connect-src ${served.url}`,
    });
    await page.locator('revgate-list td').first().waitFor();
  });
});

it('does nothing where it is imported on a server', async () => {
  const exported = await import(new URL('../../../dist/embed.js', import.meta.url).href);
  expect(Object.keys(exported)).toEqual([]);
});

it('two versions on one page draw every element', async () => {
  const body = element('list', LIST, columns) + element('list', LIST, `columns="name" api="${served.url}"`);
  const head = `${embedScript(served.url)}<script type="module" src="/other.js"></script>`;
  const { page } = await visit(body, { head });
  await expect.poll(() => page.locator('revgate-list tr').count()).toBe(6);
});

describe('a failure', () => {
  /** What a visitor reads, and what a developer does. */
  async function fail(body: string): Promise<{ errors: string[]; requests: string[] }> {
    const { page, errors, requests } = await visit(body);
    await page.getByText('This list cannot be shown at the moment.').waitFor();
    await page.getByText('The end').waitFor();
    return { errors: errors.splice(0), requests };
  }

  it('of a wrong origin names the origin, and of a revoked key the request', async () => {
    key = await served.embedKey('https://example.com', LIST);
    const { errors } = await fail(element('list', LIST));
    expect(errors).toEqual([expect.stringMatching(`^<revgate-list>: ORIGIN_NOT_ALLOWED: .*${origin}`)]);
    const { id, key: revoked } = await served.gateway.key({ origins: [origin] });
    await revokeKey(served.gateway.acting, id);
    key = revoked;
    expect((await fail(element('list', LIST))).errors).toEqual([
      expect.stringMatching(/^<revgate-list>: UNAUTHENTICATED: .+ \(request /),
    ]);
  });

  it('in a sandboxed frame names the origin that the frame has', async () => {
    const frame = element('list', LIST).replaceAll('"', "'");
    const script = `<script type='module' src='${served.url}/embed.js'></script>`;
    const { page, errors } = await visit(`<iframe sandbox="allow-scripts" srcdoc="${script}${frame}">`);
    await page.frameLocator('iframe').getByText('This list cannot be shown at the moment.').waitFor();
    expect(errors.splice(0)).toEqual([
      expect.stringMatching(/ORIGIN_NOT_ALLOWED: .* has the origin null\.$/),
    ]);
  });

  it('of an API key: it is never sent, and not written to the console', async () => {
    key = await served.key();
    const { errors, requests } = await fail(element('list', LIST));
    expect(errors).toEqual([expect.stringContaining('is not an embed key, which begins with rvg_pub_')]);
    expect(errors.join()).not.toContain(key);
    expect(asked(requests)).toEqual([]);
  });

  it('of the limit ends when the limit does', async () => {
    const path = `/graphql?documentId=${documentId(hashDocument(LIST))}`;
    for (let left = 8; left > 0; left -= 1) {
      await served.gateway.call(path, { key, address: '127.0.0.1', headers: { origin } });
    }
    clock += 57_000;
    const { page } = await visit(element('list', LIST, columns));
    await page.getByText(/^This will be shown in about \d seconds?\.$/).waitFor();
    clock += 3_000;
    await page.locator('revgate-list td').first().waitFor();
  });
});

it('keeps what it shows while a node restarts, and refreshes when it is seen again', async () => {
  const port = await findFreePort();
  const open = () => listen(served.gateway.handle, { ...LOCAL_SERVER, port });
  const node = await open();
  const prepare = async (page: Page) => {
    await page.clock.install();
    // Without the cache of the browser, which has a clock of its own.
    await page.route('**', (route) => route.continue());
  };
  const body = element('list', LIST, `${columns} api="http://127.0.0.1:${port}"`);
  const { page, errors, requests } = await visit(body, { prepare });
  const shown = page.locator('revgate-list td, revgate-list tbody th');
  const show = (state: 'visible' | 'hidden') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await shown.first().waitFor();
  const before = await shown.allInnerTexts();

  await node.close();
  await page.clock.fastForward('05:00');
  await show('visible');
  await expect
    .poll(async () => {
      // The client waits between its attempts.
      await page.clock.fastForward(5_000);
      return errors.join();
    })
    .toContain('<revgate-list>: NETWORK_ERROR');
  expect(await shown.allInnerTexts()).toEqual(before);
  await page.getByText(/^Updated \d+ minutes ago$/).waitFor();
  expect(await page.getByText('cannot be shown').count()).toBe(0);

  await show('hidden');
  const attempts = asked(requests).length;
  const restarted = await open();
  await page.clock.fastForward('05:00');
  await page.getByText(/^Updated \d{2,} minutes ago$/).waitFor();
  expect(asked(requests)).toHaveLength(attempts);
  await show('visible');
  await page.getByText('Updated just now').waitFor();
  expect(await shown.allInnerTexts()).toEqual(before);
  await restarted.close();
  expect(errors.splice(0).filter((error) => !/ERR_CONNECTION_REFUSED|NETWORK_ERROR/.test(error))).toEqual([]);
});

it('the client for JavaScript works in a page', async () => {
  const secret = (await served.gateway.key({ tier: 'premium' })).key;
  const head = `<script type="module">
import { createClient } from '/client.js';
const client = createClient({ url: '${served.url}', key: '${secret}' });
const found = [];
for await (const { slug } of client.startups({ onSale: true })) found.push(slug);
const { code } = await client.startup('nobody').catch((error) => error);
const stop = new AbortController();
const aborted = client.market({}, { signal: stop.signal }).catch(({ name }) => name);
stop.abort();
document.querySelector('h1').textContent = JSON.stringify([found, code, await aborted]);
</script>`;
  const { page, requests } = await visit('', { head });
  await page.getByText(JSON.stringify([['acme', 'plain'], 'NOT_FOUND', 'AbortError'])).waitFor();
  expect(requests.filter((url) => url.includes('rvg_'))).toEqual([]);
});
