import { expect, it } from 'vitest';
import { toHtml } from '../../../src/lib/mail/open-mailer.ts';
import { openBrowser, openPage } from './browser.ts';
import { look, watchMoves } from './look.ts';
import { openOrigin } from './origin.ts';

const browser = await openBrowser();
const url = `https://gate.example/dashboard/verify?token=${'a0B-'.repeat(120)}`;
const mail = {
  to: 'ada@example.com',
  subject: 'Confirm your email address for Gate',
  paragraphs: [`Someone signed up as ${'x'.repeat(64)}@example.com.`, 'Open the link within an hour.'],
  lists: [
    {
      heading: 'Cheap and growing: 2 changes',
      lines: [
        { name: 'y'.repeat(80), url: 'https://gate.example/dashboard/explorer/y', text: 'new' },
        { name: 'Acme', url: 'https://gate.example/dashboard/explorer/acme', text: 'price $2,000 → $1,000' },
      ],
    },
  ],
  link: { label: 'Confirm and sign in', url },
  settingsUrl: 'https://gate.example/dashboard/account',
  unsubscribeUrl: `https://gate.example/dashboard/unsubscribe?token=${'a0B-'.repeat(30)}`,
};
const sender = {
  name: 'Gate',
  contact: `${'help-'.repeat(10)}@gate.example`,
  accent: { light: '#7a1fa2', dark: '#d9a6f0' },
};
const origin = await openOrigin(() =>
  toHtml(mail, sender).replace('<title>', '<link rel="icon" href="data:,"><title>'),
);

it.each([
  [320, 'light', 'rgb(122, 31, 162)'],
  [390, 'dark', 'rgb(217, 166, 240)'],
  [600, 'light', 'rgb(122, 31, 162)'],
  [768, 'light', 'rgb(122, 31, 162)'],
  [768, 'dark', 'rgb(217, 166, 240)'],
] as const)(
  'a mail has one button in the accent of the service, and fits %i px, %s',
  async (width, colorScheme, accent) => {
    const { page } = await openPage(browser, { colorScheme, viewport: { width, height: 800 } });
    await watchMoves(page);
    await page.goto(origin);
    const button = page.getByRole('link', { name: 'Confirm and sign in' });
    expect(await page.locator('.button').count()).toBe(1);
    expect(await button.getAttribute('href')).toBe(url);
    expect(await button.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(accent);
    // axe wants landmarks, which mails do not have.
    const found = await look(page, `mail-${width}-${colorScheme}`);
    expect(found.filter((one) => !/ (region|landmark-one-main): /.test(one))).toEqual([]);
  },
);
