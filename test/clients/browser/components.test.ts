import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { closeAfterwards } from '../../support/closing.ts';
import { componentPage } from '../../web/shared/component-page.tsx';
import { ARTIFACTS, openBrowser, openPage } from './browser.ts';

// Writes the screenshots anew after a change of the look. Look at them before you commit them:
// UPDATE_SCREENSHOTS=1 TEST_SUITE=services npx vitest run --project browser test/clients/browser/components.test.ts

const STORED = fileURLToPath(new URL('screenshots/', import.meta.url));
const require = createRequire(import.meta.url);
/** The same font on every machine, so that texts have the same widths everywhere. */
const FONT = (weight: number): Buffer =>
  readFileSync(require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`));
const STYLE = `${[400, 600].map((weight) => `@font-face { font-family: Test; font-weight: ${weight}; src: url(/font/${weight}) }`).join('\n')}
:root { --sans: Test; --mono: Test }
[data-section] { min-height: 12rem; margin-bottom: 2rem }`;

const browser = await openBrowser();
const asset = (name: string) => readFileSync(new URL(`../../../assets/${name}`, import.meta.url));
const fileOf = (url: string): readonly [type: string, content: string | Buffer] => {
  const name = url.split('/').pop() ?? '';
  return name === ''
    ? ['text/html', componentPage()]
    : name === 'test.css'
      ? ['text/css', STYLE]
      : name.endsWith('.css')
        ? ['text/css', asset(name)]
        : name === 'favicon.svg'
          ? ['image/svg+xml', asset('mark.svg')]
          : ['font/woff2', FONT(Number(name))];
};
const server = createServer(({ url = '' }, response) => {
  const [type, content] = fileOf(url);
  response.setHeader('Content-Type', type);
  response.end(content);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
closeAfterwards(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const views = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1440].map((width) => ({ colorScheme, width, name: `components-${colorScheme}-${width}` })),
);

it.each(views)('the components look as they did: $name', async ({ name, colorScheme, width }) => {
  const { page } = await openPage(browser, { colorScheme, viewport: { width, height: 900 } });
  await page.goto(origin);
  await page.evaluate('document.fonts.ready');
  await forceStates(page);
  const shot = await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage: true });
  const stored = join(STORED, `${name}.png`);
  if (process.env.UPDATE_SCREENSHOTS !== undefined) {
    mkdirSync(STORED, { recursive: true });
    writeFileSync(stored, shot);
  }
  expect(existsSync(stored), `${stored} is missing`).toBe(true);
  expect(await compare(page, readFileSync(stored), shot)).toEqual([]);
});

/** Puts elements into the state that their attribute names, as a mouse, a keyboard or a script would. */
async function forceStates(page: Page): Promise<void> {
  await page.evaluate(
    "for (const one of document.querySelectorAll('[data-state=disabled]')) one.disabled = true",
  );
  const client = await page.context().newCDPSession(page);
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const { root } = await client.send('DOM.getDocument');
  for (const state of ['hover', 'focus-visible']) {
    const { nodeIds } = await client.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: `[data-state="${state}"]`,
    });
    for (const nodeId of nodeIds) {
      await client.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [state] });
    }
  }
}

/**
 * Compares two screenshots of a page, and names the sections that differ. Both are reduced to cells of 4 pixels, which
 * evens out how a machine smooths the edges of letters; a cell differs if its colour has changed visibly, and a section
 * if more than 1% of its cells do.
 */
function compare(page: Page, before: Buffer, after: Buffer): Promise<string[]> {
  return page.evaluate(
    async ([first, second]) => {
      const CELL = 4;
      const read = async (base64: string) => {
        const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
        const image = await createImageBitmap(blob);
        const [width, height] = [Math.round(image.width / CELL), Math.round(image.height / CELL)];
        const canvas = new OffscreenCanvas(width, height);
        const drawing = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
        drawing.imageSmoothingQuality = 'high';
        drawing.drawImage(image, 0, 0, width, height);
        return { width, height, data: drawing.getImageData(0, 0, width, height).data };
      };
      const [a, b] = [await read(first), await read(second)];
      const found: string[] = [];
      if (Math.abs(a.height - b.height) > 1) {
        found.push(`The page was ${a.height * CELL} pixels high and is ${b.height * CELL}`);
      }
      for (const section of document.querySelectorAll<HTMLElement>('header, [data-section], footer')) {
        const box = section.getBoundingClientRect();
        const [top, bottom] = [box.top + scrollY, box.bottom + scrollY].map((y) => Math.round(y / CELL)) as [
          number,
          number,
        ];
        let different = 0;
        for (let cell = top * a.width; cell < Math.min(bottom, a.height, b.height) * a.width; cell++) {
          const change = [0, 1, 2].map((part) =>
            Math.abs((a.data[cell * 4 + part] ?? 0) - (b.data[cell * 4 + part] ?? 0)),
          );
          different += Math.max(...change) > 24 ? 1 : 0;
        }
        const share = different / ((bottom - top) * a.width);
        if (share > 0.01) {
          found.push(
            `${section.dataset.section ?? section.localName}: ${(share * 100).toFixed(1)} % differs`,
          );
        }
      }
      return found;
    },
    [before.toString('base64'), after.toString('base64')] as const,
  );
}
