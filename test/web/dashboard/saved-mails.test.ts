import { describe, expect, it } from 'vitest';
import { createUnsubscribeLinks } from '../../../src/access/mails/saved-mail-settings.ts';
import { decoded } from '../../support/html.ts';
import { insertRecords, record } from '../../support/records.ts';
import { expectPage, ORIGIN, openSite } from './site.ts';

const PATH = '/dashboard/shortlist/mails';
const site = await openSite({ records: [record('old')], startsAt: Date.parse('2026-11-23T05:53:00.000Z') });
const { prisma } = site.database;

const listsOf = async (email: string) =>
  prisma.accountLists.findUnique({ where: { accountId: (await site.accountOf(email)).id } });

/** Somebody with a saved search who is told of it. */
async function subscriber(email: string) {
  const browser = await site.member(email);
  await browser.post('/dashboard/shortlist/searches', { name: 'All & more', query: 'sort=mrr-desc' });
  await browser.post('/dashboard/shortlist/searches/mails', { name: 'All & more', mails: 'on' });
  const { text } = await browser.submit(PATH, { shortlist: 'on', frequency: 'weekly' });
  expect(text).toContain('Your email settings are saved.');
  const id = browser.accountId;
  const token = createUnsubscribeLinks('a secret of thirty-two characters').pathOf(id).split('=')[1] ?? '';
  return { browser, id, token, path: `/dashboard/unsubscribe?token=${token}` };
}

it('emails are chosen for each search and the shortlist, are sent by the gateway, and the page says when', async () => {
  const { browser } = await subscriber('ada@example.com');
  // The settings are with what is saved; their own page before leads there.
  expect((await browser.get(PATH)).headers.location).toBe('/dashboard/shortlist#emails');
  for (const page of ['/dashboard/shortlist', '/dashboard/shortlist/searches']) {
    const { text } = await browser.get(page);
    expect(text).toMatch(/name="shortlist" checked/);
    expect(text).toContain('<option value="weekly" selected');
    expect(text).not.toContain(`href="${PATH}"`);
    const saved = await browser.post(PATH, { shortlist: 'on', frequency: 'weekly', page });
    expect(saved.headers.location).toBe(`${page}?notice=saved-mails`);
  }
  await browser.post(PATH, { frequency: 'daily' });
  expect(await listsOf('ada@example.com')).toMatchObject({
    mails: 'daily',
    shortlistMailsSince: null,
    searches: { 'All & more': { query: 'sort=mrr-desc', mailsSince: expect.stringMatching(/Z$/) } },
  });
  const wrong = await browser.post(PATH, { frequency: 'hourly' });
  expectPage(wrong, 400, 'frequency: got &quot;hourly&quot;, allowed: daily or weekly.');

  // After the baseline, before 06:00 UTC.
  await site.clock?.advance(6 * 60_000);
  await insertRecords(site.database, [record('fresh')]);
  await site.clock?.advance(10 * 60_000);
  const findMail = () =>
    site.mails.find(({ to, subject }) => to === 'ada@example.com' && subject.startsWith('FRESH'));
  await expect.poll(findMail).toBeDefined();
  const mail = findMail();
  expect(mail).toMatchObject({
    subject: 'FRESH: new, revenue in 30 days $100 (revgate)',
    heading: '1 change in what you saved',
  });
  expect(mail?.lists).toEqual([
    {
      heading: 'All & more: 1 change',
      lines: [
        {
          name: 'FRESH',
          url: `${ORIGIN}/dashboard/explorer/fresh`,
          text: 'new, revenue in 30 days $100',
        },
      ],
    },
  ]);
  // The page tells the same.
  const settings = async () => (await browser.get('/dashboard/shortlist')).text;
  const [, email = ''] = /<a href="([^"]*)">The last email<\/a>/.exec(await settings()) ?? [];
  const told = await browser.get(decoded(email));
  expect(told.text).toContain('<h2>All &amp; more: 1 change</h2>');
  expect(told.text).toContain(
    '<li><a href="/dashboard/explorer/fresh">FRESH</a>: new, revenue in 30 days $100</li>',
  );
  expect(told.text).toMatch(/This email was sent: <time [^>]+>2026-11-23 06:\d\d UTC/);

  await prisma.sentMail.updateMany({ data: { outcome: 'unknown', failure: 'interrupted' } });
  expect(await settings()).toContain('was interrupted, and may not have arrived');
  await prisma.account.updateMany({ data: { refusedEmail: 'ada@example.com' } });
  expect(await settings()).toContain('Your mail server refused emails to ada@example.com');
  expect((await browser.get('/dashboard/account')).text).toContain('Your mail server refused these emails');
  await browser.post(PATH, { frequency: 'daily' });
  expect(await settings()).not.toContain('refused');
});

it('emails about a search begin with a tick where it is saved, whose name is by default that of its filters', async () => {
  const { browser } = await subscriber('tick@example.com');
  const list = '/dashboard/shortlist/searches';
  const form = await browser.get(`${list}/new?onSale=true`);
  expect(form.text).toContain('value="Sale status: For sale"');
  expect(form.text).toMatch(/type="checkbox" name="mails"(?! checked)/);
  await browser.post(list, { name: 'Sale status: For sale', query: 'onSale=true', mails: 'on' });
  await browser.post(list, { name: 'Silent', query: 'onSale=true' });
  const { searches, mails } = (await listsOf('tick@example.com')) ?? {};
  expect(mails).toBe('weekly');
  expect(searches).toMatchObject({ 'Sale status: For sale': { mailsSince: expect.any(String) } });
  expect(JSON.stringify(searches)).toContain('"Silent":{"query":"onSale=true","seenImport":null}');
  // The name is taken.
  expect((await browser.get(`${list}/new?onSale=true`)).text).toContain('value="Sale status: For sale (2)"');
  const countries = 'US,DE,FR,GB,ES,IT,NL,SE,NO,FI,CA,AU,NZ,JP';
  const { text } = await browser.get(`${list}/new?country=${countries}`);
  expect(/id="name"[^>]* value="([^"]*)"/.exec(text)?.[1]).toMatch(/^Country: United States, .{60,84}…$/);
});

it('emails about one search are switched where searches are listed, and nothing else is changed', async () => {
  const { browser } = await subscriber('eve@example.com');
  const list = '/dashboard/shortlist/searches';
  await browser.post(list, { name: 'Second', query: 'sort=mrr-desc' });
  const isOn = async (name: string) =>
    new RegExp(`aria-checked="true" aria-label="Emails about ${name}"`).test((await browser.get(list)).text);
  expect([await isOn('All &amp; more'), await isOn('Second')]).toEqual([true, false]);
  await browser.post(`${list}/mails`, { name: 'Second', mails: 'on' });
  await browser.post(`${list}/mails`, { name: 'never there', mails: 'on' });
  await browser.post(`${list}/mails`, { name: 'All & more', mails: '' });
  expect([await isOn('All &amp; more'), await isOn('Second')]).toEqual([false, true]);
  const { mails, shortlistMailsSince, searches } = (await listsOf('eve@example.com')) ?? {};
  expect([mails, shortlistMailsSince]).toEqual(['weekly', expect.any(Date)]);
  expect(Object.keys(searches ?? {}).sort()).toEqual(['All & more', 'Second']);
});

describe('the link to unsubscribe', () => {
  it('asks first, as mail scanners open it, and works without signing in, also for mail services', async () => {
    const { path } = await subscriber('bob@example.com');
    expectPage(await site.browser().get(path), 200, '<button>Unsubscribe</button>');
    const isTold = async () => JSON.stringify(await listsOf('bob@example.com')).includes('ailsSince":"');
    expect(await isTold()).toBe(true);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const body =
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    const done = await site.call(path, { method: 'POST', headers, body });
    expectPage(done, 200, 'You are unsubscribed');
    expect(done.cookies).toEqual([]);
    expect(await isTold()).toBe(false);
    // Again, as it may be sent twice.
    const again = await site.call(path, { method: 'POST', headers: { origin: 'https://mail.example' } });
    expect(again.status).toBe(200);
  });

  it('that is forged changes nothing', async () => {
    const [eve, victim] = [await subscriber('eve@example.com'), await subscriber('victim@example.com')];
    const [, signature = ''] = eve.token.split('.');
    const other = createUnsubscribeLinks('another secret of 32 characters').pathOf(victim.id).split('=')[1];
    const signed = ['', signature, `${signature}.${signature}`].map((end) => `${victim.id}.${end}`);
    const changed = [`${victim.token}x`, victim.token.slice(0, -1), `acc_unknown.${signature}`];
    for (const token of ['', '.', victim.id, other, ...signed, ...changed]) {
      for (const method of ['GET', 'POST']) {
        const answer = await site.call(`/dashboard/unsubscribe?token=${token}`, { method });
        expectPage(answer, 400, 'This link does not work');
      }
    }
    expect((await listsOf('victim@example.com'))?.shortlistMailsSince).not.toBeNull();
  });
});
