import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { record } from '../../support/records.ts';
import { serve } from '../served.ts';
import { boxOf, styleOf } from './browser.ts';
import { elementOf, embedScript, FIGURES, HISTORY, openBlog } from './origin.ts';

/** Elements on the pages of others: hostile styles, pages from right to left, narrow places. */

const LIST =
  'query List { startups { page { name category askingPrice growth30d verifiedAt revenue { last30Days mrr } } } }';
const SEVERAL =
  'query Several { startup(slug: "acme") { history { day customers revenue { last30Days mrr } } } }';

const records = [
  record('acme', {
    name: 'Acme (Berlin).',
    category: 'developer-tools',
    onSale: true,
    askingPrice: 123_456_00,
    growth30d: -24.25,
    revenue: { last30Days: 100_000, mrr: 4_200_00, total: 1 },
  }),
  record('other', { name: 'Another startup with a long name', growth30d: 8 }),
];
const served = await serve({ standard: 1_000, premium: 1_000 }, { records });
const { origin, visit } = await openBlog(served);
const key = await served.embedKey(origin, LIST, FIGURES, HISTORY, SEVERAL);

const element = (name: string, document: string, attributes?: string): string =>
  elementOf(key, name, document, attributes);
const columns = 'columns="name,category,revenue.mrr,askingPrice,growth30d,verifiedAt"';
const all = [
  element('list', LIST, `${columns} rows="2"`),
  element('figures', FIGURES),
  element('chart', HISTORY),
].join('');

/** The head of a page with styles of its own. */
const styled = (css: string): string => `<style>${css}</style>${embedScript(served.url)}`;

async function drawn(page: Page): Promise<void> {
  await page.locator('revgate-list td').first().waitFor();
  await page.locator('revgate-figures dd').first().waitFor();
  await page.locator('revgate-chart [part=plot]').waitFor();
}

/** Everything that a page could have changed of what an element draws, except its font and its color. */
const looks = (page: Page) =>
  page.locator('td, th, dt, dd, revgate-chart :is(b, span), [part=footer] span').evaluateAll((parts) =>
    parts.map((part) => {
      const style = getComputedStyle(part);
      return [
        'lineHeight',
        'fontSize',
        'fontFamily',
        'fontStyle',
        'fontWeight',
        'textAlign',
        'textTransform',
        'textIndent',
        'letterSpacing',
        'wordSpacing',
        'whiteSpace',
        'textShadow',
        'fontVariantCaps',
      ]
        .map((name) => style[name as keyof CSSStyleDeclaration])
        .concat(String(part.getBoundingClientRect().height));
    }),
  );

const edges = (cells: Locator): Promise<{ left: number; right: number }[]> =>
  cells.evaluateAll((all) =>
    all.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    }),
  );

const HOSTILE = `* { line-height: 3 !important; text-align: center !important; text-transform: uppercase !important; letter-spacing: 4px !important;
  word-spacing: 9px !important; text-indent: 40px !important; font: italic small-caps 900 33px/3 serif !important; white-space: pre-wrap !important; text-shadow: 0 0 9px red !important }`;

describe('a page whose styles apply to everything', () => {
  it('changes nothing in the elements', async () => {
    const plain = await visit(all);
    await drawn(plain.page);
    const expected = await looks(plain.page);
    expect(expected.length).toBeGreaterThan(20);
    const hostile = await visit(all, { head: styled(HOSTILE) });
    await drawn(hostile.page);
    expect(await looks(hostile.page)).toEqual(expected);
  });

  it('can still hide them', async () => {
    const { page } = await visit(`${all}<div style="visibility: hidden">${element('list', LIST)}</div>`);
    await drawn(page);
    await page.locator('div revgate-list td').first().waitFor({ state: 'attached' });
    expect(await page.locator('div revgate-list td').first().isVisible()).toBe(false);
  });
});

describe('a page from right to left', () => {
  it('isolates numbers, aligns them with their headings, and fits a phone', async () => {
    const { page } = await visit(all, { dir: 'rtl', viewport: { width: 390, height: 900 } });
    await drawn(page);
    const numbers = page.locator('td.number bdi, dd bdi');
    const isolation = numbers.evaluateAll((all) =>
      all.map((one) => [getComputedStyle(one).direction, getComputedStyle(one).unicodeBidi]),
    );
    expect(await isolation).toEqual(Array(10).fill(['ltr', 'isolate']));
    const [heading, ...values] = await edges(page.locator('revgate-list tr > :nth-child(3)'));
    expect(values).toHaveLength(2);
    for (const { left } of values) {
      expect(Math.abs(left - (heading?.left ?? 0))).toBeLessThan(1);
    }
    // The minus sign comes before its number, and the point of a name after it.
    expect(await page.locator('tbody tr').first().locator('> :nth-child(5)').innerText()).toBe('−24.3%');
    const name = page.locator('tbody th bdi').first();
    expect(await name.evaluate((one) => one.matches(':dir(ltr)'))).toBe(true);
    // A chart runs from left to right everywhere, as its line does.
    const scale = await boxOf(page, 'revgate-chart .scale');
    expect(scale.x).toBeLessThan((await boxOf(page, 'revgate-chart [part=plot]')).x);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

describe('a list in a narrow place', () => {
  it.each(['ltr', 'rtl'])('keeps its first column and shows that it goes on, %s', async (dir) => {
    const { page } = await visit(element('list', LIST, columns), {
      dir,
      head: styled('body { background: rgb(250, 240, 220) }'),
      viewport: { width: 390, height: 844 },
    });
    const scroll = page.locator('revgate-list .scroll');
    await page.locator('revgate-list tbody th').first().waitFor();
    await expect.poll(() => scroll.getAttribute('class')).toBe('scroll wide more');
    const before = await boxOf(page, 'revgate-list tbody th');
    expect(before.width).toBeLessThan(160);
    await scroll.evaluate((box, sign) => box.scrollTo(sign * 10_000, 0), dir === 'rtl' ? -1 : 1);
    await expect.poll(() => scroll.getAttribute('class')).toBe('scroll wide');
    expect(await boxOf(page, 'revgate-list tbody th')).toEqual(before);
    // What scrolls below it is not seen through it.
    expect(await styleOf(page, 'revgate-list tbody th', 'background-color')).toBe('rgb(250, 240, 220)');
  });

  it('shows no sign of more where all of it is seen', async () => {
    const { page } = await visit(element('list', LIST, 'columns="name,revenue.mrr"'));
    await page.locator('revgate-list td').first().waitFor();
    expect(await page.locator('revgate-list .scroll').getAttribute('class')).toBe('scroll');
  });
});

describe('the look of an element', () => {
  it('has the accent, the width and the theme of its attributes, and names those that are invalid', async () => {
    const { page, errors } = await visit(
      element('chart', HISTORY, 'accent="#aa0055" width="480" theme="dark"') +
        element('chart', HISTORY, 'accent="nothing" width="50%"'),
    );
    await page.locator('revgate-chart [part=plot]').last().waitFor();
    expect(await styleOf(page, 'revgate-chart [part=line]', 'stroke')).toBe('rgb(170, 0, 85)');
    expect(await styleOf(page, 'revgate-chart + revgate-chart [part=line]', 'stroke')).toMatch(
      /^color\(srgb 0\.047\d* 0\.44\d* 0\.31\d*\)$/,
    );
    expect((await boxOf(page, '.root')).width).toBe(480);
    expect(await styleOf(page, '.root', 'padding')).toBe('11px 15px 3px');
    expect(errors.splice(0)).toEqual([
      '<revgate-chart>: accent: got "nothing", allowed: a color',
      '<revgate-chart>: width: got "50%", allowed: a number of pixels',
    ]);
  });
});

it('a chart without a value draws the only number, or says which there are', async () => {
  const { page, errors } = await visit(element('chart', HISTORY) + element('chart', SEVERAL));
  await page.getByRole('img', { name: /^Revenue 30d: / }).waitFor();
  await page.getByText('There are no figures to show yet.').waitFor();
  expect(errors.splice(0)).toEqual([
    '<revgate-chart>: value: missing, allowed: customers, revenue.last30Days, revenue.mrr',
  ]);
});

it('a chart gives each day the same width, so that no step is drawn at its end', async () => {
  const { page } = await visit('');
  await page.evaluate(() => {
    const chart = Object.assign(document.createElement('revgate-chart'), {
      request: async () => ({
        market: [1, 2, 3, 4].map((day) => ({ day: `2026-11-0${day}`, mrr: { sum: day === 4 ? 900 : 100 } })),
      }),
    });
    document.body.append(chart);
  });
  const line = page.locator('revgate-chart [part=line]');
  await line.waitFor();
  const path = (await line.getAttribute('d')) ?? '';
  expect(path).toMatch(/H750V[\d.]+H1000$/);
  const { x, y, width } = await boxOf(page, 'revgate-chart [part=plot]');
  await page.mouse.move(x + width * 0.7, y + 20);
  await page.getByText('$1 on Nov 3, 2026').waitFor();
  await page.mouse.move(x + width * 0.8, y + 20);
  await page.getByText('$9 on Nov 4, 2026').waitFor();
});

it('a chart has a scale around its values, and the change beside the last one', async () => {
  const { page } = await visit('', {
    dir: 'rtl',
    head: styled(HOSTILE),
    viewport: { width: 320, height: 700 },
  });
  await page.evaluate(() => {
    const history = [9_000_000, 9_490_000, 9_360_000].map((mrr, day) => ({
      day: `2026-11-0${day + 1}`,
      mrr,
    }));
    const changes = [-12, 3].map((growth, day) => ({ day: `2026-11-0${day + 1}`, growth }));
    document.body.append(
      ...[history, changes].map((data) =>
        Object.assign(document.createElement('revgate-chart'), { request: async () => ({ history: data }) }),
      ),
    );
  });
  const charts = page.getByRole('img', { name: / by day: / });
  await expect.poll(() => charts.count()).toBe(2);
  const [money, growth] = [charts.first(), charts.last()];
  expect(await money.getAttribute('aria-label')).toMatch(/, at most \$94,900, \+4% in 2 days\.$/);
  expect(await money.locator('p').allInnerTexts()).toEqual([
    'MRR',
    '$93,600 +4% in 2 days',
    expect.stringMatching(/^\$100,000\s+\$90,000\s+\$80,000$/),
    expect.stringMatching(/^Nov 1, 2026\s*Nov 3, 2026$/),
  ]);
  // An area that does not begin at 0 would say that values are that small.
  expect(await page.locator('[part=area]').count()).toBe(0);
  // The change of a percentage in percent says nothing, and its scale goes below 0.
  expect(await growth.locator('p').nth(1).innerText()).toBe('+3%');
  expect(await growth.locator('.scale').innerText()).toBe('+20%\n0%\n−20%');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});

it('figures have room around them, and a message takes their place', async () => {
  const { page } = await visit(element('figures', FIGURES), { viewport: { width: 390, height: 500 } });
  await page.locator('dd bdi').first().waitFor();
  const heights = await page.locator('dl > div').evaluateAll((all) => all.map((one) => one.clientHeight));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(36);
  await page.evaluate(() => {
    const waiting = document.createElement('revgate-figures');
    const request = (onWait: (seconds: number) => void) => {
      onWait(32);
      return new Promise(() => {});
    };
    document.body.append(Object.assign(waiting, { request }));
  });
  await page.getByText('This will be shown in about 32 seconds.').waitFor();
  expect(await page.locator('dl').last().isVisible()).toBe(false);
  expect((await boxOf(page, 'body > revgate-figures .frame')).height).toBe(76);
});

describe('the elements', () => {
  it.each([
    ['dark', { colorScheme: 'dark', head: styled(':root { color-scheme: dark }') }],
    ['forced-colors', { forcedColors: 'active' }],
  ] as const)('are drawn with %s, and keep their theme in it', async (name, options) => {
    const themed = element('list', LIST, `${columns} rows="2" theme="light"`);
    const { page } = await visit(all + themed, { ...options, viewport: { width: 390, height: 1200 } });
    await drawn(page);
    await page.locator('revgate-list[theme] td').first().waitFor();
    // Texts and the line of a chart differ from what is behind them.
    const behind = await styleOf(page, 'revgate-list tbody th', 'background-color');
    const stroke = await styleOf(page, 'revgate-chart [part=line]', 'stroke');
    expect([await styleOf(page, 'revgate-list td', 'color'), stroke]).not.toContain(behind);
    if (name === 'dark') {
      // The accent is mixed with the color of texts, so that it is lighter than in light.
      expect(Number(stroke.split(' ')[2])).toBeGreaterThan(0.6);
      expect(await styleOf(page, 'revgate-list[theme] .root', 'background-color')).toBe('rgb(255, 255, 255)');
      expect(await styleOf(page, 'revgate-list[theme] td', 'color')).toBe('rgb(23, 33, 28)');
    }
  });
});
