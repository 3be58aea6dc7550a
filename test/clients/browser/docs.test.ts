import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { serve } from '../served.ts';
import { openBrowser, openPage, type WatchedPage } from './browser.ts';
import { LOOKING_MS, look, openView, views } from './look.ts';

const [served, browser] = await Promise.all([serve(), openBrowser()]);

const visitor = (settings: BrowserContextOptions = {}) =>
  openPage(browser, { baseURL: served.url, ...settings });
const open = async (settings: BrowserContextOptions = {}, path = '/docs/startups'): Promise<WatchedPage> => {
  const watched = await visitor(settings);
  await watched.page.goto(path);
  return watched;
};
const sample = (page: Page) => page.locator('figure', { hasText: 'The fastest-growing developer tools' });
/** Where the heading or entry with an id stands in the window. */
const topOf = (page: Page, id: string): Promise<number> =>
  page.evaluate((one) => document.getElementById(one)?.getBoundingClientRect().top ?? -1, id);

const pages = [
  ['/', 'first-page'],
  ['/policy', 'policy'],
  ['/nowhere', 'no-page'],
  ['/docs', 'docs'],
  ['/docs/startups', 'docs-startups'],
  ['/docs/errors', 'docs-errors'],
  ['/docs/embedding', 'docs-embedding'],
  ['/docs/tutorial', 'docs-tutorial'],
  ['/docs/failures', 'docs-failures'],
] as const;
/** What the others show on a phone, too: a first page, and the navigation and the code of the documentation. */
const phonePages: readonly string[] = ['/', '/docs/startups'];

it.each(views)('looks right: $name', { timeout: LOOKING_MS }, async (view) => {
  const { page } = await openView(visitor, view);
  // As the page is for who sees it first.
  const client = await page.context().newCDPSession(page);
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  // On a dark phone, colors are those of the dark pages, and all else is as on a light one.
  for (const [path, name] of pages.filter(
    ([path]) => view.name !== 'phone-dark' || phonePages.includes(path),
  )) {
    await page.goto(path);
    expect(await look(page, `${name}-${view.name}`)).toEqual([]);
  }
});

describe('without a script', () => {
  it.each([390, 1440])('navigation and tabs work at %i px', async (width) => {
    const { page } = await open({ javaScriptEnabled: false, viewport: { width, height: 900 } }, '/docs');
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
    if (width === 390) {
      await page.getByText('Contents', { exact: true }).click();
    }
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'List startups', exact: true }).click();
    expect(page.url()).toBe(`${served.url}/docs/startups`);
    expect(await page.getByRole('heading', { name: 'List startups' }).isVisible()).toBe(true);
    expect(await page.locator('.side [aria-current]').allTextContents()).toEqual(['List startups']);

    const code = sample(page).locator('.request:visible');
    expect(await code.textContent()).toMatch(/^curl "http/);
    for (const [language, text] of [
      ['JavaScript', 'createClient('],
      ['Python', 'urllib.request'],
      ['GraphQL', 'query Growing {'],
    ] as const) {
      await sample(page).getByRole('radio', { name: language }).check();
      expect(await code.count()).toBe(1);
      expect(await code.textContent()).toContain(text);
      const response = await sample(page).locator('.response:visible').textContent();
      expect(response?.includes('"rateLimit"')).toBe(language === 'GraphQL');
    }
  });
});

describe('with a script', () => {
  it('chooses a language for all samples, by keyboard, and remembers it', async () => {
    const { page } = await open();
    await sample(page).getByRole('radio', { name: 'cURL' }).focus();
    const before = await sample(page).evaluate((figure) => figure.getBoundingClientRect().top);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.request.python:visible').count()).toBe(1);
    expect(await page.locator('.request.curl:visible').count()).toBe(0);
    const after = await sample(page).evaluate((figure) => figure.getBoundingClientRect().top);
    expect(Math.abs(after - before)).toBeLessThan(2);
    await page.reload();
    expect(await sample(page).getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
    await page.goto(`${served.url}/docs/paging`);
    expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
  });

  it('finds names on all pages and jumps to them, by keyboard, and loads the index only then', async () => {
    const { page, requests } = await open();
    const loaded = () => requests.filter((url) => /search\.json|find\./.test(url)).length;
    expect(loaded()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('rate_lim');
    await page
      .getByRole('link', { name: /^RATE_LIMITED/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${served.url}/docs/errors#RATE_LIMITED`);
    expect(loaded()).toBe(2);
    await expect.poll(() => topOf(page, 'RATE_LIMITED')).toBeGreaterThan(0);
    expect(await topOf(page, 'RATE_LIMITED')).toBeLessThan(800);
    expect(await page.locator('.found').isVisible()).toBe(false);

    await page.keyboard.press('/');
    await page.keyboard.type('Zapier');
    await page.getByRole('status').getByText('1 result', { exact: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.keyboard.type('xylophone');
    await page.locator('.found').getByText('No results').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.found').isVisible()).toBe(false);
  });

  it.each([390, 768, 1440])(
    'shows at %i px how many results there are, where each is, and its words in their text',
    async (width) => {
      const { page } = await open({ viewport: { width, height: 844 } });
      const field = page.getByRole('searchbox');
      await field.fill('rate limit');
      const found = page.locator('.found');
      await found.getByText(/^The best 40 of \d+ results$/).waitFor();
      const result = found.getByRole('link', { name: /^RATE_LIMITED/ });
      expect((await result.innerText()).split('\n').slice(0, 2)).toEqual([
        'RATE_LIMITED',
        'Limits and errors › Errors',
      ]);
      expect(await result.locator('span mark').allTextContents()).toEqual(['rate', 'limit']);
      const [list, box] = await Promise.all([found.boundingBox(), field.boundingBox()]);
      const ends = (one: typeof box) => (one === null ? -1 : one.x + one.width);
      expect([ends(list), (list?.x ?? -1) >= 0]).toEqual([ends(box), true]);
      if (width < 960) {
        expect(list?.x).toBe(box?.x);
      }
      await field.fill('Zapier');
      await found.getByText('1 result', { exact: true }).waitFor();
    },
  );

  it('marks in the navigation what is being read', async () => {
    const { page } = await open({}, '/docs/enumerations');
    await page.evaluate(() => document.getElementById('Category')?.scrollIntoView());
    await expect
      .poll(() => page.locator('.side [aria-current]').allTextContents())
      .toEqual(['Enumerations', 'Category']);
  });

  it('copies the code that is shown', async () => {
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await sample(page).getByRole('radio', { name: 'Python' }).check();
    const code = sample(page).locator('.request:visible');
    await code.getByRole('button', { name: /^Copy/ }).click();
    await page.getByRole('button', { name: /^Copy/ }).getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await code.locator('code').textContent(),
    );
  });

  it.each([390, 1280])('never has a button over code at %i px', async (width) => {
    for (const path of ['/docs/startups', '/docs/javascript-client']) {
      const { page } = await open({ viewport: { width, height: 900 } }, path);
      const overlaps = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button[data-copy]')].flatMap((button) => {
          const [one, code] = [
            button,
            document.getElementById(button.dataset.copy ?? '')?.closest('pre'),
          ].map((element) => element?.getBoundingClientRect() ?? new DOMRect()) as [DOMRect, DOMRect];
          const isApart =
            one.width === 0 || one.right <= code.left || one.left >= code.right || one.bottom <= code.top;
          return isApart ? [] : [button.getAttribute('aria-label')];
        }),
      );
      expect(overlaps).toEqual([]);
    }
  });

  it('names the language in the bar of code without tabs, and marks up its tokens', async () => {
    const { page } = await open({}, '/docs/rate-limits');
    const block = page.locator('.request:has(> .title)').first();
    expect(await block.locator('.title').textContent()).toBe('HTTP');
    expect(await block.locator('code .name').first().textContent()).toBe('X-RateLimit-Limit');
    const [title, copy, code] = await Promise.all(
      ['.title', 'button', 'pre'].map((part) => block.locator(part).boundingBox()),
    );
    // They share one bar, above the code.
    expect(
      Math.abs((title?.y ?? 0) + (title?.height ?? 0) / 2 - (copy?.y ?? 99) - (copy?.height ?? 99) / 2),
    ).toBeLessThan(2);
    expect((code?.y ?? 0) - (title?.y ?? 0)).toBeLessThan(46);
    await page.goto(`${served.url}/docs/history`);
    for (const [language, kind, token] of [
      ['JavaScript', 'keyword', 'const'],
      ['GraphQL', 'number', 'AI'],
    ] as const) {
      const code = page.locator('.request', { has: page.locator('.title', { hasText: language }) });
      expect(await code.locator(`code .${kind}`).first().textContent()).toBe(token);
    }
    // Its padding is none that reads as a space.
    const inline = page.locator('.prose p code, .text p code').first();
    expect(
      await inline.evaluate((one) => Number.parseFloat(getComputedStyle(one).paddingLeft)),
    ).toBeLessThanOrEqual(2);
  });

  it('begins the list of startups with a sentence, and shows its request once', async () => {
    const { page } = await open();
    expect(await page.locator('.text > :first-child').first().textContent()).toMatch(
      /return the startups that match/,
    );
    expect(await page.locator('main pre', { hasText: 'curl ' }).count()).toBe(1);
  });

  it('shows the limit of the same key in text and sample', async () => {
    const { page } = await open({}, '/docs/rate-limits');
    const limits = [...(await page.locator('main').innerText()).matchAll(/X-RateLimit-Limit: (\d+)/g)];
    expect(limits.map(([, limit]) => limit)).toEqual(['10', '10']);
  });

  // As narrow as a card on a phone is at 320 pixels.
  it.each([320, 390, 1280])('shows all tabs of code, and code to its edge, at %i px', async (width) => {
    for (const path of ['/', '/docs/startups', '/docs/javascript-client']) {
      const { page } = await open({ viewport: { width, height: 900 } }, path);
      const cut = await page.evaluate(() => {
        const boxOf = (one: Element): DOMRect => one.getBoundingClientRect();
        return [...document.querySelectorAll('.request:has(> button)')].flatMap((code) => {
          const [pre, button] = ['pre', 'button'].map((tag) => code.querySelector(tag) as Element) as [
            Element,
            Element,
          ];
          const panel = code.closest('.samples') ?? code;
          const copy = boxOf(button);
          const bad = [...panel.querySelectorAll('label')].filter((tab) => {
            const { right, bottom } = boxOf(tab);
            return right > (bottom > copy.top ? copy.left : boxOf(panel).right);
          });
          return copy.width === 0
            ? []
            : [
                ...(boxOf(panel).right - boxOf(pre).right > 2 ? ['code'] : []),
                ...bad.map((tab) => tab.textContent),
              ];
        });
      });
      expect(cut).toEqual([]);
    }
  });

  it.each(['by-id', 'history', 'changes', 'rate-limits'])(
    'shows the sample of %s after the summary on a phone, and beside the text in a wide window',
    async (name) => {
      const placed = async (width: number) => {
        const { page } = await open({ viewport: { width, height: 900 } }, `/docs/${name}`);
        return page.evaluate(() => {
          const topOf = (selector: string) =>
            document.querySelector(selector)?.getBoundingClientRect().top ?? -1;
          return [topOf('.text'), topOf('.sample'), topOf('.text ~ .text')];
        });
      };
      const [summary = 0, sample = 0, rest = 0] = await placed(390);
      expect([summary < sample, sample < rest]).toEqual([true, true]);
      const wide = await placed(1440);
      expect(Math.abs((wide[0] ?? 0) - (wide[1] ?? 0))).toBeLessThan(2);
    },
  );

  it.each([
    ['history', '/history?last=2'],
    ['changes', '/api/v1/changes?limit=1'],
  ])('has the request of %s in each language, with its response', async (name, path) => {
    const { page } = await open({}, `/docs/${name}`);
    const figure = page.locator('figure.sample');
    for (const language of ['cURL', 'JavaScript', 'Python']) {
      await figure.getByRole('radio', { name: language }).check();
      expect(await figure.locator('.request:visible').textContent()).toContain(path);
      expect(await figure.locator('.response:visible').textContent()).toMatch(
        /^Example response 200.*"meta"/s,
      );
    }
  });

  it.each([390, 1440])(
    'begins with one path at %i px: steps, the first request, then tasks',
    async (width) => {
      const { page } = await open({ viewport: { width, height: 900 } }, '/docs');
      const tops = await Promise.all(
        ['ol', '.sample', '.link-cards'].map(
          async (part) => (await page.locator(part).first().boundingBox())?.y ?? 0,
        ),
      );
      expect(Math.max(tops[0] ?? 0, tops[1] ?? 0)).toBeLessThan(tops[2] ?? 0);
      expect(tops[1]).toBeLessThan(700);
      // All of a card leads there.
      await page
        .locator('.link-cards > li')
        .nth(2)
        .click({ position: { x: 10, y: 10 } });
      await page.waitForURL(`${served.url}/docs/history`);
    },
  );

  it('uses the whole window for text and samples, with tabs and Copy in one row', async () => {
    const { page } = await open({ viewport: { width: 1440, height: 900 } }, '/docs/history');
    const [layout, sample] = await Promise.all(
      ['.layout', '.sample'].map((part) => page.locator(part).boundingBox()),
    );
    expect(layout?.width).toBe(1440);
    expect(sample?.width).toBeGreaterThan(500);
    const copy = await page.locator('.sample').getByRole('button', { name: 'Copy: cURL' }).boundingBox();
    const tab = await page.locator('.samples label').last().boundingBox();
    expect(
      Math.abs((copy?.y ?? 0) + (copy?.height ?? 0) / 2 - (tab?.y ?? 99) - (tab?.height ?? 0) / 2),
    ).toBeLessThan(4);
  });

  it('shows a response with 429 and its headers where limits are explained', async () => {
    const { page } = await open({}, '/docs/rate-limits');
    const response = await page.locator('.response:visible').textContent();
    expect(response).toMatch(
      /Example response 429.*X-RateLimit-Remaining: 0.*Retry-After: 60.*"RATE_LIMITED"/s,
    );
  });

  it('shows the 401 of this server, and says which slugs and ids are examples', async () => {
    const { page } = await open({}, '/docs/authentication');
    expect(await page.locator('.response:visible').textContent()).toContain(
      `Create a key at ${served.url}/dashboard`,
    );
    for (const [name, note] of [
      ['startup', 'The slug is an example'],
      ['history', 'The slug is an example'],
      ['by-id', 'The id is an example'],
      ['published-documents', 'The id is an example: publish the document for your key first'],
      ['response-headers', 'Slug and ETag are examples'],
    ]) {
      await page.goto(`/docs/${name}`);
      expect(await page.locator('figcaption').textContent()).toContain(note);
    }
  });

  it('marks at the edge of a wide table on a phone that there is more', async () => {
    const { page } = await open({ viewport: { width: 390, height: 844 } }, '/docs/history');
    const table = page.locator('.text .scroll').last();
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    const edge = async () => {
      const { x, y, width } = await table.evaluate((element) => {
        window.scrollBy({ top: element.getBoundingClientRect().top - 300, behavior: 'instant' });
        return element.getBoundingClientRect().toJSON() as DOMRect;
      });
      const clip = { x: x + width - 8, y: y + 2, width: 8, height: 4 };
      return (await page.screenshot({ clip })).toString('base64');
    };
    const before = await edge();
    await table.evaluate((element) => {
      element.scrollLeft = element.scrollWidth;
    });
    await expect.poll(edge).not.toBe(before);
  });
});
