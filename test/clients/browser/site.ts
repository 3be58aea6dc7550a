import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { run, serve } from '../../cli/process.ts';
import { openBrowser } from './browser.ts';

/** Where screenshots are left. */
export const ARTIFACTS = fileURLToPath(new URL('../../../artifacts/', import.meta.url));
export const PASSWORD = 'correct horse battery';

export type Site = Awaited<ReturnType<typeof openSite>>;

/** `revgate serve` on the embedded database, a mail server, and a browser. */
export async function openSite() {
  mkdirSync(ARTIFACTS, { recursive: true });
  const mail = await openMailServer();
  const directory = mkdtempSync(join(tmpdir(), 'revgate-browser-'));
  const served = await serve({
    DATA_DIR: directory,
    SMTP_URL: mail.url,
    // Each visitor of a test is somewhere else.
    TRUST_PROXY: '1',
  });
  const browser = await openBrowser();
  let visitors = 0;

  const visitor = async (options: BrowserContextOptions = {}): Promise<Page> => {
    visitors++;
    const context = await browser.newContext({
      baseURL: served.url,
      extraHTTPHeaders: { 'X-Forwarded-For': `198.51.100.${visitors}` },
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    // What the policy of a page refuses, or a script throws, fails the test.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text())) {
        errors.push(message.text());
      }
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(served.url) && !request.url().startsWith('data:')) {
        foreign.push(request.url());
      }
    });
    return page;
  };
  const errors: string[] = [];
  const foreign: string[] = [];

  /** Signs up through the pages, with the mail that was sent, and stands on the page of keys. */
  const signUp = async (page: Page, email: string): Promise<void> => {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Get an API key' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.goto(await mail.linkTo(email));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  };

  const command = async (args: string[], stdin = ''): Promise<void> => {
    const { code, stderr } = await run(args, { env: { DATA_DIR: directory }, stdin });
    if (code !== 0) {
      throw new Error(stderr);
    }
  };

  return {
    url: served.url,
    mail,
    browser,
    visitor,
    signUp,
    errors,
    foreign,
    /** Makes somebody an operator, from a second terminal. */
    promote: (email: string) => command(['accounts', 'promote', email]),
    /** Imports startups, NDJSON. The first time it removes the sample. */
    importStartups: (ndjson: string) => command(['import', '-'], ndjson),
    /** Calls the API with a key. */
    ask: async (key: string): Promise<number> =>
      (await fetch(`${served.url}/api/v1/startups?limit=1`, { headers: { authorization: `Bearer ${key}` } }))
        .status,
    async close() {
      await browser.close();
      await served.stop();
      await mail.close();
      rmSync(directory, { recursive: true, force: true });
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
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Waits for the next link to an address, and takes it out. */
    linkTo: async (email: string): Promise<string> => {
      for (const until = Date.now() + 30_000; Date.now() < until; ) {
        const link = links.get(email)?.shift();
        if (link !== undefined) {
          return link;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`No mail came to ${email}`);
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
