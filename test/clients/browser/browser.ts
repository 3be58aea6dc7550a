import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { closeAfterwards } from '../../support/closing.ts';

/** Where screenshots are left. */
export const ARTIFACTS = fileURLToPath(new URL('../../../artifacts/', import.meta.url));
mkdirSync(ARTIFACTS, { recursive: true });

/** A page of one test. */
export interface WatchedPage {
  readonly page: Page;
  /** What the browser complained of: errors of scripts, and what a content policy refused. */
  readonly errors: string[];
  /** Addresses of all requests, those of workers too. */
  readonly requests: string[];
  /** Closes it before the end of the test. */
  close(): Promise<void>;
}

/** Where the first element with a selector is. */
export async function boxOf(page: Page | Locator, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  expect(box, selector).not.toBeNull();
  return box as NonNullable<typeof box>;
}

/** A style of the first element with a selector. */
export const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);

/** Starts Chromium, with a profile of its own. It is closed after the file that starts it. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  closeAfterwards(() => browser.close());
  return browser;
}

/**
 * Opens an empty page that shares nothing with others. At the end of its test it is closed; by then the browser must
 * have complained of nothing that the test has not taken out of `errors`, and a page with a `baseURL` must have
 * requested nothing from elsewhere that is still in `requests`.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    // What a status means to a reader is up to the page.
    if (['error', 'warning'].includes(message.type()) && !/status of [45]\d\d/.test(message.text())) {
      errors.push(message.text());
    }
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  context.on('request', (request) => requests.push(request.url()));
  const { baseURL } = options;
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
    if (baseURL !== undefined) {
      expect(requests.filter((url) => !url.startsWith(baseURL) && !/^(data|blob):/.test(url))).toEqual([]);
    }
  });
  return { page, errors, requests, close: () => context.close() };
}
