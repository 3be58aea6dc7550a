import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import { run, serve, temporaryDirectory } from '../../main/commands/process.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openBrowser, openPage } from './browser.ts';

/** Where screenshots are left. */
export const ARTIFACTS = fileURLToPath(new URL('../../../artifacts/', import.meta.url));
export const PASSWORD = 'correct horse battery';

/** `revgate serve` on the embedded database, a mail server, and a browser, closed after the file that opens them. */
export async function openSite() {
  mkdirSync(ARTIFACTS, { recursive: true });
  const mail = await openMailServer();
  const { path: directory, remove } = temporaryDirectory();
  closeAfterwards(remove);
  const env = {
    DATA_DIR: directory,
    SMTP_URL: mail.url,
    // Each visitor of a test is somewhere else.
    TRUST_PROXY: '1',
  };
  // No window of a limit ends while a test uses it up.
  const at = Date.now();
  const served = await serve(env, { now: () => at, sampleCount: 500 });
  closeAfterwards(served.stop);
  const browser = await openBrowser();
  let visitors = 0;

  const visitor = (options: BrowserContextOptions = {}) => {
    visitors++;
    const headers = { 'X-Forwarded-For': `198.51.100.${visitors}` };
    return openPage(browser, { baseURL: served.url, extraHTTPHeaders: headers, ...options });
  };

  /** Signs up through the pages, with the mail that was sent, and stands on the page of keys. */
  const signUp = async (page: Page, email: string): Promise<void> => {
    await page.goto('/dashboard/sign-up');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.goto(await mail.linkTo(email));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  };

  /** Accepts the policy, to which a page leads without it, and stands on the page for a new key. */
  const acceptPolicy = async (page: Page): Promise<void> => {
    await page.goto('/dashboard/keys/new');
    await page.getByRole('heading', { name: 'Accept the policy to continue' }).waitFor();
    await page.getByRole('button', { name: 'Accept and continue' }).click();
    await page.getByRole('heading', { name: 'New key', level: 1 }).waitFor();
  };

  return {
    url: served.url,
    mail,
    browser,
    visitor,
    signUp,
    acceptPolicy,
    /** Signs up and accepts the policy. */
    signUpAndAccept: async (page: Page, email: string): Promise<void> => {
      await signUp(page, email);
      await acceptPolicy(page);
    },
    /** Creates a key, and stands on the page that shows it. */
    createKey: async (page: Page, name: string): Promise<string> => {
      await page.goto('/dashboard/keys/new');
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'Your new key', level: 1 }).waitFor();
      return (await page.locator('#key').textContent()) ?? '';
    },
    /** Makes somebody an operator, from a second terminal. */
    promote: async (email: string): Promise<void> => {
      const { code, stderr } = await run(['accounts', 'promote', email], { env: { DATA_DIR: directory } });
      expect([code, stderr]).toEqual([0, '']);
    },
    /** Calls the API with a key. */
    ask: async (key: string, query = 'limit=1', traceId = 'a'.repeat(32)): Promise<number> => {
      const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`;
      const headers = { authorization: `Bearer ${key}`, traceparent };
      return (await fetch(`${served.url}/api/v1/startups?${query}`, { headers })).status;
    },
  };
}

/** A mail server that keeps the links of the mails that it gets. */
async function openMailServer() {
  const links = new Map<string, string[]>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8').replace(/=\r\n/g, '').replaceAll('=3D', '=');
        const link = /^http:\/\/\S+/m.exec(text)?.[0];
        for (const { address } of envelope.rcptTo) {
          links.set(address, [...(links.get(address) ?? []), ...(link === undefined ? [] : [link])]);
        }
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  closeAfterwards(() => new Promise<void>((resolve) => server.close(resolve)));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Waits for the next link to an address, and takes it out. */
    linkTo: async (email: string): Promise<string> => {
      await expect
        .poll(() => links.get(email)?.length ?? 0, { message: `mails to ${email}` })
        .toBeGreaterThan(0);
      return links.get(email)?.shift() ?? '';
    },
  };
}
