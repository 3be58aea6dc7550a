import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordMailSource } from '../../../src/access/mails/source.ts';
import { outcomeOf } from '../../../src/web/parts/accounts/auth-answers.tsx';
import { textIn } from '../../support/html.ts';
import { openSmtpServer, type SmtpStage } from '../../support/servers/smtp.ts';
import { expectPage, openSite, type Site } from './site.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const smtp = await openSmtpServer();
/** Whose emails arrive, and one more node of it whose mail server this test controls. */
const site = await openSite({ startsAt: Date.parse('2026-11-20T12:00:00.000Z') });
const node = await openSite({
  database: site.database,
  startsAt: Date.parse('2026-11-20T12:00:00.000Z'),
  settings: { mailer: smtp.open() },
});
const { prisma } = site.database;
await site.member('member@example.com');
const op = await site.operator('op@example.com');

const OVERVIEW = '/dashboard/operator';
const counted = async (kind: string, outcome: string): Promise<number> => {
  const { text } = await node.call('/metrics', { address: '127.0.0.1' });
  const [, value] =
    new RegExp(`revgate_mails_total\\{kind="${kind}",outcome="${outcome}"\\} (\\d+)`).exec(text) ?? [];
  return Number(value);
};

beforeEach(() => {
  smtp.accept();
  smtp.received.length = 0;
  node.nextMinute();
  site.nextMinute();
});

describe('a link that could not be sent', () => {
  const refuseAll = (): void => {
    smtp.refuse('connect', 421);
    // Over a connection that is open.
    smtp.refuse('sender', 421);
  };
  it.each<[string, () => unknown, () => unknown]>([
    ['cannot be reached', () => smtp.stop(), () => smtp.start()],
    ['takes no emails', refuseAll, () => smtp.accept()],
  ])(
    'because the mail server %s is not kept, and pages say the same for every address',
    async (_, fail, recover) => {
      await fail();
      const failed = await counted('sign-up', 'failed');
      const failedLinks = await counted('password', 'failed');
      const browser = node.browser();
      for (const send of [browser.signUp, browser.forget]) {
        const known = await send('member@example.com');
        const unknown = await send('nobody-here@example.com');
        expectPage(known, 503, 'The email was not sent', 'the mail server takes none at the moment');
        expect(known.text).toContain('Send it again');
        expect(unknown.text.replaceAll('nobody-here@', 'member@')).toBe(known.text);
        expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers));
      }
      expect(await counted('sign-up', 'failed')).toBe(failed + 2);
      await expect.poll(() => counted('password', 'failed')).toBe(failedLinks + 2);
      await recover();
      await node.clock?.advance(10 * MINUTE);
      expect(smtp.received).toEqual([]);
      node.nextMinute();
      expectPage(await browser.signUp('nobody-here@example.com'), 200, 'Check your email');
      await expect.poll(() => smtp.received.length).toBe(1);
    },
  );

  it.each<[SmtpStage, number | 'hang-up', number, string, string]>([
    ['sender', 451, 503, 'failed', 'takes none at the moment'],
    ['recipient', 450, 503, 'failed', 'takes none at the moment'],
    ['recipient', 550, 400, 'refused', 'accepts no emails to'],
    ['message', 452, 503, 'failed', 'takes none at the moment'],
    ['message', 554, 503, 'failed', 'takes none at the moment'],
    ['message', 'hang-up', 503, 'unknown', 'has not confirmed our email to'],
  ])(
    'as the server answers at %s with %s: signing up gets %i, and counts it as %s',
    async (stage, refusal, status, outcome, text) => {
      smtp.refuse(stage, refusal);
      const before = await counted('sign-up', outcome);
      const browser = node.browser();
      const known = await browser.signUp('member@example.com');
      const unknown = await browser.signUp('other-one@example.com');
      expectPage(known, status, text);
      expect(unknown.text.replaceAll('other-one@', 'member@')).toBe(known.text);
      expect(await counted('sign-up', outcome)).toBe(before + 2);
      // Who has forgotten a password is told only what holds for every address.
      expectPage(await browser.forget('member@example.com'), 200, 'if this address has an account');
      await expect.poll(() => counted('password', outcome)).toBeGreaterThan(0);
    },
  );

  it('is named on the page of a new address', async () => {
    const browser = await site.member('moving@example.com');
    const own = node.browser();
    own.takeCookies(browser.jar);
    smtp.refuse('sender', 451);
    const asked = await own.post('/dashboard/account/email', { email: 'moved@example.com' });
    expectPage(asked, 503, 'We could not send an email to moving@example.com');
    smtp.accept();
    await browser.post('/dashboard/account/email', { email: 'moved@example.com' });
    smtp.refuse('recipient', 550);
    const token = site.tokenTo('moving@example.com');
    expectPage(
      await own.post('/dashboard/change-email', { token }),
      400,
      'The mail server accepts no emails to moved@example.com',
    );
  });

  it('is on the page of its account, and on those of operators', async () => {
    const browser = await site.member('told@example.com');
    smtp.refuse('sender', 451);
    await node.browser().forget('told@example.com');
    const line = 'An email with a link to choose a password could not be sent';
    await expect.poll(async () => textIn((await browser.get('/dashboard/account')).text)).toContain(line);
    const page = await op.get(`/dashboard/operator/accounts/${browser.accountId}`);
    expect(textIn(page.text)).toContain(line);
    expect(textIn(page.text)).toContain('refused at sender');
    const overview = await op.get(OVERVIEW);
    expect(textIn(overview.text)).toMatch(/\d+ emails? could not be sent in the last day\. The last error: /);
    expect(overview.text).toContain('href="/docs/troubleshooting#emails-do-not-arrive"');
    await prisma.sentMail.deleteMany();
    expect((await op.get(OVERVIEW)).text).not.toContain('could not be sent');
    expect((await browser.get('/dashboard/account')).text).not.toContain('could not be sent');
  });
});

describe('a page', () => {
  afterEach(() => void vi.useRealTimers());
  const never = () => new Promise<never>(() => {});

  it.each([
    ['an email that the server takes for ever to accept', never, never()],
    ['a server that takes for ever to say whether it accepts any', never, undefined],
  ])('waits ten seconds at most for %s', async (_, checkMail, mail) => {
    vi.useFakeTimers();
    const waiting = outcomeOf({ checkMail }, mail);
    await vi.advanceTimersByTimeAsync(9_999);
    const state = await Promise.race([waiting, Promise.resolve('waits')]);
    expect(state).toBe('waits');
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe('unknown');
  });
});

describe('an address without a confirmed account', async () => {
  // Its clock goes ahead of those of others.
  const site = await openSite();

  const arrived = (of: Site, email: string): number => of.mails.filter(({ to }) => to === email).length;
  /** Asks often, each time in another minute. */
  const ask = async (
    of: Site,
    often: number,
    send: (browser: ReturnType<Site['browser']>) => Promise<unknown>,
  ) => {
    for (let count = 0; count < often; count += 1) {
      of.nextMinute();
      await send(of.browser());
    }
  };

  it('gets at most five emails a day from all nodes, and the page looks as ever', async () => {
    const other = await openSite({ database: site.database, startsAt: site.now() });
    const email = 'stranger@example.com';
    await ask(site, 3, (browser) => browser.signUp(email));
    await ask(other, 3, (browser) => browser.forget(email));
    expect([arrived(site, email), arrived(other, email)]).toEqual([3, 2]);
    const mover = await site.member('mover@example.com');
    await mover.post('/dashboard/account/email', { email: 'stranger-2@example.com' });
    const token = site.tokenTo('mover@example.com');
    await ask(site, 7, () => mover.post('/dashboard/change-email', { token }));
    expect(arrived(site, 'stranger-2@example.com')).toBe(5);

    site.nextMinute();
    const limited = await site.browser().signUp(email);
    const fresh = await site.browser().signUp('fresh@example.com');
    expect([limited.status, limited.text]).toEqual([200, fresh.text.replaceAll('fresh@', 'stranger@')]);
    expect(arrived(site, email)).toBe(3);
    site.wait(DAY);
    await site.browser().signUp(email);
    expect(arrived(site, email)).toBe(4);
  });

  it('is counted like one with an account when it signs up, and who has one gets links for a password', async () => {
    const email = 'regular@example.com';
    await site.member(email);
    const before = arrived(site, email);
    await ask(site, 6, (browser) => browser.signUp(email));
    // One of the five was that with which it confirmed its address.
    expect(arrived(site, email) - before).toBe(4);
    await ask(site, 6, (browser) => browser.forget(email));
    expect(arrived(site, email) - before).toBe(10);
  });

  it('does not lose one of them to an email that was not sent', async () => {
    smtp.refuse('sender', 451);
    await ask(node, 6, (browser) => browser.signUp('patient@example.com'));
    smtp.accept();
    expectPage(await node.browser().signUp('patient@example.com'), 200, 'Check your email');
    await expect.poll(() => smtp.received.length).toBe(1);
  });
});

it('emails of a copy are held until an operator releases them; links just asked for are sent', async () => {
  const original = await openSite();
  await recordMailSource(original.database.pool, 'https://gate.example');
  const copy = await openSite({
    database: original.database,
    app: { publicUrl: 'https://staging.example' },
    origin: 'https://staging.example',
  });
  const holder = await copy.member('holder@example.com');
  const operator = await copy.operator('op@example.com');
  const { id } = await holder.createKey({ name: 'Report' });
  await copy.database.prisma.apiKey.update({ where: { id }, data: { disabledAt: new Date(copy.now()) } });
  copy.mails.length = 0;
  await copy.clock?.advance(6 * MINUTE);
  expect(copy.mails).toEqual([]);
  await copy.browser().signUp('new@example.com');
  expect(copy.mails.map(({ to }) => to)).toEqual(['new@example.com']);

  const overview = await operator.get(OVERVIEW);
  expect(textIn(overview.text)).toContain(
    'This database was served at https://gate.example before, so emails about keys and about what accounts saved are held (1 now).',
  );
  expect(overview.text).toContain(`action="${OVERVIEW}/mails/release"`);
  expect((await holder.post(`${OVERVIEW}/mails/release`)).status).toBe(404);
  expectPage(
    await operator.submit(`${OVERVIEW}/mails/release`),
    200,
    'Emails about keys are sent from here on',
  );
  expect(textIn((await operator.get(OVERVIEW)).text)).not.toContain('held');
  await copy.clock?.advance(6 * MINUTE);
  expect(copy.mails.map(({ to, subject }) => [to, subject]).at(-1)).toEqual([
    'holder@example.com',
    'Your key “Report” was disabled (revgate)',
  ]);
});

it('the page of an email has all that it told, with links', async () => {
  const browser = await site.member('reader@example.com');
  const lines = Array.from({ length: 30 }, (_, index) => ({
    name: `Startup ${index}`,
    slug: `startup-${index}`,
    text: 'new',
  }));
  const row = { kind: 'saved', accountId: browser.accountId, subject: 'daily', outcome: 'sent' };
  const at = new Date(site.now());
  const content = { total: 230, since: '', lists: [{ heading: 'All: 230 changes', total: 230, lines }] };
  await prisma.sentMail.create({
    data: { ...row, occasion: '2026-11-20T06:00:00.000Z', recordedAt: at, endedAt: at, content },
  });
  const later = new Date(site.now() + MINUTE);
  await prisma.sentMail.create({
    data: { ...row, occasion: '2026-11-21T06:00:00.000Z', recordedAt: later, endedAt: later, content: {} },
  });
  const path = '/dashboard/shortlist/mails';
  const page = await browser.get(`${path}?email=2026-11-20T06%3A00%3A00.000Z`);
  expectPage(page, 200, 'All: 230 changes', 'This email was sent', 'And 200 more changes');
  expect(
    page.text.match(/<li><a href="\/dashboard\/explorer\/startup-\d+">Startup \d+<\/a>: new<\/li>/g),
  ).toHaveLength(30);
  expectPage(await browser.get(`${path}?email=2026-01-01`), 404, 'not kept any more');
  const other = await site.member('stranger-reader@example.com');
  expect((await other.get(`${path}?email=2026-11-20T06%3A00%3A00.000Z`)).status).toBe(404);
});

it('an account that is deleted leaves nothing of its emails', async () => {
  const browser = await site.member('leaving@example.com');
  const row = { kind: 'saved', accountId: browser.accountId, subject: 'daily', occasion: 'x' };
  await prisma.sentMail.create({
    data: { ...row, recordedAt: new Date(site.now()), content: { secret: 'my search' } },
  });
  await browser.post('/dashboard/account/delete', { current: 'correct horse battery' });
  expect(await site.tablesWith('my search')).toEqual([]);
});
