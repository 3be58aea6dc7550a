import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ARTIFACTS, type WatchedPage } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly passes: readonly unknown[];
  readonly violations: readonly { id: string; impact: string; nodes: { html: string }[] }[];
}

/** A way to look at a page. */
interface View {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** The time-out of a test that looks at many pages, in ms: axe takes seconds for each on a busy machine. */
export const LOOKING_MS = 900_000;

const PHONE = 390;
/** How every page is looked at. */
export const views = [
  { name: 'light', colorScheme: 'light', width: 1440 },
  { name: 'dark', colorScheme: 'dark', width: 1440 },
  { name: 'phone', colorScheme: 'light', width: PHONE },
] as const satisfies readonly View[];

/** Opens a page that can be looked at. */
export async function openView(
  open: (options: BrowserContextOptions) => Promise<WatchedPage>,
  { colorScheme, width }: View,
): Promise<WatchedPage> {
  const watched = await open({
    colorScheme,
    viewport: { width, height: width === PHONE ? 844 : 800 },
    reducedMotion: 'reduce',
    // So that axe can be put into the page; what the page itself loads is watched elsewhere.
    bypassCSP: true,
  });
  await watchMoves(watched.page);
  return watched;
}

/**
 * Begins to add up what moves on the pages that are opened from now on. A page is shown once it was parsed to its end:
 * how much of it a first paint would show before depends on the machine.
 */
export async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const hidden = new CSSStyleSheet();
    hidden.replaceSync('html { display: none }');
    document.adoptedStyleSheets.push(hidden);
    // Before its scripts run, so that what they move counts.
    document.addEventListener('readystatechange', () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== hidden);
    });
    const moved = { sum: 0 };
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean };
        moved.sum += hadRecentInput ? 0 : value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The rules of axe about colors. In dark, all else is as in the light view. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** The height of the largest picture, in pixels, and the most bytes of a first visit. */
const [PICTURE_HEIGHT, WEIGHT, EXPLORER_WEIGHT] = [3_000, 50_000, 60_000];

/**
 * Takes a picture of a page, and gives what is wrong with it: what axe finds, what is wider than the window, what moved,
 * and what it weighs too much. In a light view of a phone, it also looks at narrower and wider windows. The page's
 * context has to bypass the policy of the page, for axe to be put into it.
 */
export async function look(page: Page, name: string): Promise<string[]> {
  const { moved, isDark, width, height } = await page.evaluate(() => ({
    moved: (window as unknown as { moved: { sum: number } }).moved.sum,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    width: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
  }));
  await page.screenshot({
    path: join(ARTIFACTS, `${name}.png`),
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, PICTURE_HEIGHT) },
  });
  await page.evaluate(AXE);
  const { passes, violations } = await page.evaluate(
    (options) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(options),
    { resultTypes: ['violations'], ...(isDark && { runOnly: COLOR_RULES }) },
  );
  const weight = await weightOf(page);
  // The columns of an upload take the place of its first step when the server has answered.
  const isStep = name.startsWith('import-columns');
  const isWhole = !isStep && !/^(graphiql|component)/.test(name);
  const most = name.startsWith('explorer') ? EXPLORER_WEIGHT : WEIGHT;
  return [
    ...violations.map(({ id, impact, nodes }) => `${name}: ${impact} ${id}: ${nodes[0]?.html}`),
    ...(passes.length === 0 ? [`${name}: axe looked at nothing`] : []),
    ...(!isStep && moved > 0.001 ? [`${name}: moved by ${moved}`] : []),
    ...(isWhole && weight > most ? [`${name}: ${weight} bytes`] : []),
    ...(width === PHONE ? await crowded(page, name) : []),
    ...(await tooWide(page, name, width === PHONE && !isDark ? [320, 390, 768] : [width])),
  ];
}

/** The figures in tables on a phone that reach into other figures, or out of their row. */
async function crowded(page: Page, name: string): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const boxOf = (cell: Element): DOMRect => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect();
    };
    const meet = (a: DOMRect, b: DOMRect): boolean =>
      a.right > b.left && b.right > a.left && a.bottom > b.top + 1 && b.bottom > a.top + 1;
    return [...document.querySelectorAll('.entries tbody tr')].flatMap((row) => {
      const { right } = row.getBoundingClientRect();
      const cells = [...row.querySelectorAll(':scope > .number')];
      const boxes = cells.map(boxOf);
      return cells
        .filter((_, index) => {
          const box = boxes[index] as DOMRect;
          return box.right > right + 1 || boxes.some((other) => other !== box && meet(box, other));
        })
        .map(({ textContent }) => textContent);
    });
  });
  return texts.map((text) => `${name}: no room for ${text}`);
}

/** By how many pixels a page is wider than its window. */
export async function tooWide(page: Page, name: string, widths: readonly number[]): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 0, height: 0 };
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ ...before, width });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    found.push(...(over > 0 ? [`${name}: ${over} px wider than ${width}`] : []));
  }
  await page.setViewportSize(before);
  return found;
}

/** How many bytes a page and what it loaded were, as they were sent, without headers. */
export function weightOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
}
