import { expect } from 'vitest';
import { codeAt } from '../../../src/access/accounts/second-factor.ts';
import { type Browser, PASSWORD, type Site } from './site.ts';

export const FACTOR = '/dashboard/second-factor';
export const STEP_MS = 30_000;

/** The secret that a page shows in base 32. */
export function secretOn(text: string): string {
  const shown = /<code id="secret">([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
  const bits = [...shown].map((one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  );
  return String.fromCharCode(...(bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Sets up the second factor: what its app and its paper know. */
export async function setUpFactor(site: Pick<Site, 'now'>, browser: Browser) {
  const shown = await browser.post(`${FACTOR}/start`, { current: PASSWORD, next: '' });
  expect(shown.status).toBe(200);
  const secret = secretOn(shown.text);
  const app = (steps = 0): string => codeAt(secret, Math.floor(site.now() / STEP_MS) + steps);
  const { text, status } = await browser.post(`${FACTOR}/confirm`, { factor: app() });
  expect(status).toBe(200);
  const codes = [...text.matchAll(/(?<=[>\s])(\w{5}-\w{5})(?=[<\s])/g)].map(([, code]) => code as string);
  expect(new Set(codes).size).toBe(10);
  return { secret, codes, app };
}
