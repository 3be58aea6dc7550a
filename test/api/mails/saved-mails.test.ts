import { beforeEach, describe, expect, it } from 'vitest';
import {
  createUnsubscribeLinks,
  type MailSettings,
  saveMailSettings,
} from '../../../src/access/mails/saved-mail-settings.ts';
import { openSavedMails } from '../../../src/api/mails/saved-mails.ts';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { Mail } from '../../../src/lib/mail/open-mailer.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import { Editions } from '../../startups/catalogue/editions.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { type ImportRecord, record, rowsOf } from '../../support/records.ts';
import { openSmtpServer } from '../../support/servers/smtp.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** A Monday. Emails are written from 06:00 UTC on. */
const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const SEARCH = 'onSale=true&maxPrice=5000000';

const smtp = await openSmtpServer();
const { received } = smtp;
const mailer = smtp.open();
const database = await openTestDatabase();
const { pool, prisma } = database;
const links = createUnsubscribeLinks('a secret of thirty-two characters');

let clock = createTestClock(NOW);
let errors: unknown[] = [];
let outcomes: string[] = [];
let startups: Startup[] = [];
let catalogue: Catalogue;

/** Imports records now: those that are not named stay, and one with undefined is removed. */
function importNow(...records: ImportRecord[]): void {
  const at = new Date(clock.now());
  for (const row of rowsOf(records)) {
    const known = startups.find(({ slug }) => slug === row.slug);
    const id = known?.id ?? Math.max(0, ...startups.map((one) => one.id)) + 1;
    const changed = { ...row, id, createdAt: known?.createdAt ?? at, updatedAt: at };
    startups = [...startups.filter((one) => one.id !== id), changed].sort((a, b) => a.id - b.id);
  }
  catalogue = new Catalogue(new Editions().rebuild(startups));
}
const forSale = (slug: string, dollars: number, more: Partial<ImportRecord> = {}) =>
  record(slug, { onSale: true, askingPrice: dollars * 100, ...more });
const earning = (dollars: number) => ({ revenue: { last30Days: dollars * 100, mrr: 0, total: 0 } });

/** A node; its clock is that of all. */
function open(own: Partial<Pick<Parameters<typeof openSavedMails>[0], 'mailer' | 'pool'>> = {}) {
  return openSavedMails({
    pool,
    mailer,
    links,
    ...clock,
    ...own,
    service: { name: 'Gate' },
    catalogue: { current: () => catalogue },
    origin: () => 'https://gate.example',
    onError: (error) => errors.push(error),
    onOutcome: (_kind, outcome) => outcomes.push(outcome),
    isHeld: async () => false,
  });
}

let accounts = 100;
/** An account that is told of what it has saved. */
async function subscribe(
  email: string,
  { searches = {}, shortlist = [] as string[], frequency = 'daily' as MailSettings['frequency'] },
): Promise<string> {
  accounts += 1;
  const id = `acc_${accounts}`;
  const saved = Object.fromEntries(
    Object.entries(searches).map(([name, query]) => [name, { query: String(query), seenImport: null }]),
  );
  await prisma.account.create({
    data: { id, email, emailVerified: true, lists: { create: { shortlist, searches: saved } } },
  });
  const settings = { frequency, shortlist: shortlist.length > 0, searches: Object.keys(searches) };
  await saveMailSettings(prisma, id, settings, clock.now());
  return id;
}

beforeEach(async () => {
  for (const table of ['accounts', 'sent_mails', 'mail_runs', 'told_figures']) {
    await pool.query(`DELETE FROM ${table}`);
  }
  clock = createTestClock(NOW);
  errors = [];
  outcomes = [];
  startups = [];
  received.length = 0;
  smtp.accept();
  importNow();
});

/** Lets time pass on some nodes, by default one. */
async function pass(ms: number, nodes = [open()]): Promise<void> {
  await clock.advance(ms);
  await Promise.all(nodes.map((node) => node.close()));
}
/** Lets the time pass until emails were written on some later morning. */
async function pastMorning(nodes?: () => ReturnType<typeof open>[], days = 1, ms = 30 * MINUTE) {
  const six = (Math.floor((clock.now() - 6 * HOUR) / DAY) + days) * DAY + 6 * HOUR;
  clock = createTestClock(six - 4 * MINUTE);
  await pass(ms, nodes?.());
}
const recipients = () => received.flatMap(({ to }) => to).sort();
/** The lines of the last email about startups. */
const told = () =>
  [...(received.at(-1)?.text.split('text/html')[0] ?? '').matchAll(/^- (.*)\r$/gm)].map(([, line]) => line);

describe('an email about what was saved', () => {
  it('names new matches, lower prices and what is no longer for sale, and of the shortlist what changes by a tenth', async () => {
    importNow(
      forSale('cheaper', 40_000),
      forSale('dearer', 40_000),
      forSale('too-dear', 90_000),
      forSale('ending', 30_000),
      forSale('same', 30_000),
      record('kept', earning(1_000)),
      record('steady', earning(1_000)),
      record('listed'),
    );
    await subscribe('ada@example.com', {
      searches: { 'Cheap & good': SEARCH },
      shortlist: ['kept', 'steady', 'listed', 'never-there'],
    });
    await pass(HOUR);
    expect(received).toEqual([]);
    importNow(
      forSale('new', 20_000, earning(2_000)),
      forSale('cheaper', 30_000),
      forSale('dearer', 45_000),
      forSale('too-dear', 45_000),
      record('ending', { askingPrice: 30_000_00 }),
      forSale('elsewhere', 60_000),
      record('kept', earning(889)),
      record('steady', earning(1_100)),
      forSale('listed', 70_000),
    );
    await pastMorning();
    expect(told()).toEqual([
      'LISTED: for sale, price none → $70,000',
      'KEPT: revenue in 30 days $1,000 → $889',
      'NEW: new, for sale at $20,000, revenue in 30 days $2,000',
      'ENDING: no longer for sale',
      'TOO-DEAR: now matches, price $90,000 → $45,000, revenue in 30 days $100',
      'CHEAPER: price $40,000 → $30,000',
    ]);
    expect(recipients()).toEqual(['ada@example.com']);
    for (const text of [
      '\r\n6 changes in what you saved\r\n',
      'Since 2026-11-23 12:05 UTC:',
      'Cheap & good: 4 changes',
      'Cheap &amp; good: 4 changes</h2>',
      'CHEAPER</a><br>price $40,000 → $30,000</li>',
    ]) {
      expect(received[0]?.text).toContain(text);
    }
    expect(received[0]?.subject).toBe('LISTED: for sale, price none → $70,000, and 5 more changes (Gate)');
    // It says so once, and nothing if nothing happens.
    await pastMorning();
    await pastMorning();
    expect(received).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('can be unsubscribed by one request, as RFC 8058 says', async () => {
    const id = await subscribe('ada@example.com', { searches: { All: '' } });
    await pass(HOUR);
    importNow(record('new'));
    await pastMorning();
    const [, url = ''] = /^List-Unsubscribe:\s+<(.+)>\r$/m.exec(received[0]?.raw ?? '') ?? [];
    expect(url).toMatch(/^https:\/\/gate\.example\/dashboard\/unsubscribe\?token=/);
    expect(links.read(new URL(url).searchParams.get('token') ?? '')).toBe(id);
    expect(received[0]?.raw).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
  });

  it('comes on Mondays where it is weekly, and tells nothing again after the other way was chosen', async () => {
    const id = await subscribe('ada@example.com', { searches: { All: '' }, frequency: 'weekly' });
    await pass(HOUR);
    for (const slug of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await pastMorning();
      importNow(record(slug));
    }
    expect(received).toEqual([]);
    await pastMorning();
    expect(told()).toHaveLength(6);
    importNow(record('seven'));
    const daily: MailSettings = { frequency: 'daily', shortlist: false, searches: ['All'] };
    await saveMailSettings(prisma, id, daily, clock.now() + 1);
    await pastMorning();
    await pastMorning(undefined, 7);
    expect(received).toHaveLength(1);
  });

  it('has at most 20 changes, and links the page of the others', async () => {
    const id = await subscribe('ada@example.com', { searches: { All: '', Others: 'onSale=false' } });
    await pass(HOUR);
    importNow(...Array.from({ length: 25 }, (_, index) => record(`startup-${index}`)));
    await pastMorning();
    expect(told()).toHaveLength(20);
    expect(new Set(told()).size).toBe(20);
    expect(told()[0]).toContain('STARTUP-24');
    const { occasion } = await prisma.sentMail.findFirstOrThrow({ where: { accountId: id } });
    const link = `https://gate.example/dashboard/shortlist/mails?${new URLSearchParams({ email: occasion })}`;
    expect(received[0]?.text).toContain(`See the other 5 changes:\r\n${link}`);
    expect(received[0]?.subject).toBe('STARTUP-24: new, revenue in 30 days $100, and 24 more changes (Gate)');
    // What it told is counted in the first list, and in no other.
    expect(received[0]?.text).toContain('All: 25 changes');
    expect(received[0]?.text).not.toContain('Others');
  });

  it('links every startup that it names', async () => {
    importNow(record('kept', earning(1_000)));
    await subscribe('ada@example.com', { searches: { All: '' }, shortlist: ['kept'] });
    await pass(HOUR);
    importNow(record('new', { name: 'New & old' }), record('kept', earning(2_000)));
    await pastMorning();
    for (const [slug, name] of [
      ['new', 'New &amp; old'],
      ['kept', 'KEPT'],
    ]) {
      const url = `https://gate.example/dashboard/explorer/${slug}`;
      expect(received[0]?.text).toMatch(new RegExp(`<a href="${url}"[^>]*>${name}</a><br>`));
      expect(received[0]?.text).toContain(`  ${url}\r\n`);
    }
  });

  it('tells each change once, and another change of the same startup, too', async () => {
    importNow(
      forSale('cheaper', 40_000, earning(1_000)),
      forSale('ending', 30_000),
      forSale('entering', 90_000, earning(1_000)),
    );
    await subscribe('ada@example.com', {
      searches: { A: 'onSale=true', B: SEARCH, C: 'minRevenue=150000' },
      shortlist: ['cheaper', 'ending'],
    });
    await pass(HOUR);
    importNow(
      forSale('cheaper', 30_000, earning(1_500)),
      record('ending', { askingPrice: 30_000_00 }),
      forSale('entering', 45_000, earning(1_600)),
    );
    await pastMorning();
    expect(told()).toEqual([
      // The shortlist, with what searches would tell.
      'ENDING: no longer for sale',
      'CHEAPER: price $40,000 → $30,000, revenue in 30 days $1,000 → $1,500',
      // A, whose startups are cheaper; B and C, which some match now.
      'ENTERING: price $90,000 → $45,000',
      'ENTERING: now matches, price $90,000 → $45,000, revenue in 30 days $1,600',
      'CHEAPER: now matches, price $40,000 → $30,000, revenue in 30 days $1,500',
    ]);
    const [mail] = received;
    expect(mail?.subject).toBe('ENDING: no longer for sale, and 4 more changes (Gate)');
    for (const heading of ['A: 1 change', 'B: 1 change', 'C: 1 change']) {
      expect(mail?.text).toContain(heading);
    }
    expect(mail?.text).toContain('See your saved searches');
  });

  it.each([
    [100_040, 100_010, 'price $1,000.40 → $1,000.10'],
    [100_000, 99_999, 'price $1,000.00 → $999.99'],
    [100_000, 90_000, 'price $1,000 → $900'],
  ])('writes a price of %i and then %i cents so that they differ', async (before, now, text) => {
    importNow(record('acme', { onSale: true, askingPrice: before }));
    await subscribe('ada@example.com', { searches: { All: '' } });
    await pass(HOUR);
    importNow(record('acme', { onSale: true, askingPrice: now }));
    await pastMorning();
    expect(told()).toEqual([`ACME: ${text}`]);
  });

  it('says that a startup is new only if it was not there', async () => {
    importNow(forSale('known', 90_000));
    await subscribe('ada@example.com', { searches: { Cheap: SEARCH } });
    await pass(HOUR);
    importNow(forSale('added', 40_000), forSale('known', 40_000));
    await pastMorning();
    expect(told()).toEqual([
      'ADDED: new, for sale at $40,000, revenue in 30 days $100',
      'KNOWN: now matches, price $90,000 → $40,000, revenue in 30 days $100',
    ]);
  });

  it('of more changes than are stored counts all of them', async () => {
    await subscribe('ada@example.com', { searches: { All: '', Cheap: SEARCH } });
    await pass(HOUR);
    importNow(...Array.from({ length: 250 }, (_, index) => record(`startup-${index}`)));
    await pastMorning();
    const { content } = await prisma.sentMail.findFirstOrThrow();
    const { total, lists } = content as unknown as { total: number; lists: { total: number; lines: [] }[] };
    expect([total, lists.map((list) => [list.total, list.lines.length])]).toEqual([250, [[250, 200]]]);
    expect(received[0]?.text).toContain('See the other 230 changes');
  });

  it('tells a shortlist of removed startups', async () => {
    const removals = {
      startupIds: Int32Array.of(1),
      revisions: Float64Array.of(2),
      times: Float64Array.of(NOW + DAY),
      slugs: 'gone',
      slugEnds: Uint32Array.of(4),
    };
    importNow(record('gone'), record('stays'));
    await subscribe('ada@example.com', { shortlist: ['stays', 'gone'] });
    await pass(HOUR);
    startups = startups.filter(({ slug }) => slug === 'stays');
    catalogue = new Catalogue({ ...new Editions().rebuild(startups), removals });
    await pastMorning();
    expect(told()).toEqual(['gone: no longer in the data']);
  });

  it('says nothing of what happened before it was chosen', async () => {
    await subscribe('ada@example.com', { searches: { All: '' } });
    await pass(HOUR);
    importNow(record('before'));
    await pass(HOUR);
    await subscribe('late@example.com', { searches: { All: '' } });
    await pastMorning();
    expect(recipients()).toEqual(['ada@example.com']);
  });

  it('goes to nobody who is disabled, unconfirmed, refused or unsubscribed by then, or has an invalid search', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['ada', 'disabled', 'unconfirmed', 'nobody', 'unsubscribed']) {
      ids[name] = await subscribe(`${name}@example.com`, { searches: { All: '' } });
    }
    await subscribe('invalid@example.com', { searches: { Old: 'planet=mars' } });
    await pass(HOUR);
    importNow(record('new'));
    // Recorded by a node that stops while it sends the first one.
    const stopped = open({ mailer: { send: () => new Promise(() => {}) } });
    void clock.advance(DAY);
    const interrupted = { accountId: ids.ada ?? '', claimedAt: { not: null } };
    await expect.poll(() => prisma.sentMail.count({ where: interrupted })).toBe(1);
    expect(await prisma.sentMail.count()).toBe(5);
    await pool.query(`UPDATE accounts SET disabled_at = now() WHERE email = 'disabled@example.com';
      UPDATE accounts SET email_verified = false WHERE email = 'unconfirmed@example.com';
      UPDATE account_lists SET searches = '{}' WHERE account_id = '${ids.unsubscribed}'`);
    void stopped.close();
    await pastMorning();
    expect(received).toEqual([]);
    const refused = await prisma.account.findMany({ where: { refusedEmail: { not: null } } });
    expect(refused).toMatchObject([{ id: ids.nobody, refusedEmail: 'nobody@example.com' }]);
    importNow(record('newer'));
    await pastMorning();
    expect(recipients()).toEqual(['ada@example.com']);
    expect(await prisma.sentMail.count({ where: { accountId: ids.nobody ?? '' } })).toBe(1);
  });

  it('has no header and no element of names', async () => {
    const name = 'x\r\nBcc: eve@example.com\r\n\r\n<script>';
    await subscribe('ada@example.com', { searches: { [name]: '' } });
    await pass(HOUR);
    importNow(record('new', { name }));
    await pastMorning();
    expect(recipients()).toEqual(['ada@example.com']);
    expect(received[0]?.raw).not.toMatch(/^bcc:/im);
    expect(received[0]?.subject).toBe('x Bcc: eve@example.com <script>: new, revenue in 30 days $100 (Gate)');
    expect(told()).toEqual(['x Bcc: eve@example.com <script>: new, revenue in 30 days $100']);
    expect(received[0]?.text).toContain('>x Bcc: eve@example.com &lt;script&gt;</a><br>new');
  });
});

describe('an email is sent once', () => {
  it('by one of several nodes', async () => {
    await subscribe('ada@example.com', { searches: { All: '' } });
    await subscribe('bob@example.com', { searches: { All: '' } });
    await pass(HOUR, [open(), open(), open()]);
    importNow(record('new'));
    await pastMorning(() => [open(), open(), open()]);
    expect(recipients()).toEqual(['ada@example.com', 'bob@example.com']);
  });

  it('whatever statement is the last of a node, before it or after it; one that was interrupted is reported', async () => {
    await subscribe('ada@example.com', { searches: { All: '' } });
    await subscribe('bob@example.com', { searches: { All: '' } });
    await pass(HOUR);
    let interrupted = 0;
    for (let last = 1, isDone = false; !isDone; last += 1) {
      for (const isAnswered of [true, false]) {
        const before = received.length;
        importNow(record(`startup-${last}-${isAnswered}`));
        let count = 0;
        // Every later statement fails, as the node is gone.
        const limited =
          <A extends unknown[], T>(query: (...args: A) => Promise<T>) =>
          async (...args: A): Promise<T> => {
            count += 1;
            if (count > last || (count === last && !isAnswered)) {
              throw new Error('killed');
            }
            return query(...args);
          };
        const query = (of: Pick<typeof pool, 'query'>) =>
          limited((sql: string, values: unknown[]) => of.query(sql, values));
        const connect = async () => {
          const client = await pool.connect();
          return { query: query(client), release: (isBroken?: boolean) => client.release(isBroken) };
        };
        const killed = { query: query(pool), connect } as unknown as typeof pool;
        // It also ends before it sends what it has just taken, or after that.
        const unsent = {
          send: (mail: Mail) =>
            isAnswered && count === last ? Promise.reject(new Error('killed')) : mailer.send(mail),
        };
        // It looks once.
        await pastMorning(() => [open({ pool: killed, mailer: unsent })], 1, 6 * MINUTE);
        isDone ||= count < last;
        await pass(30 * MINUTE);
        const got = received.slice(before).flatMap(({ to }) => to);
        expect(new Set(got).size).toBe(got.length);
        const lost = await prisma.sentMail.count({ where: { outcome: 'unknown' } });
        // Each was told of it, or its email is known to have been interrupted.
        expect(got.length + lost).toBeGreaterThanOrEqual(2);
        expect(lost).toBeLessThan(2);
        interrupted += lost;
        await prisma.sentMail.deleteMany();
      }
    }
    // Each of two emails, before it is sent and after.
    expect(interrupted).toBe(4);
    const reported = errors.map(String).filter((text) => text.includes('may not have been sent'));
    expect(reported).toHaveLength(interrupted);
  });
});

describe('an email that the mail server does not take', () => {
  it('is sent later the same day, with what it has told, and never with what has changed since', async () => {
    await subscribe('ada@example.com', { searches: { All: '' } });
    await pass(HOUR);
    importNow(record('first'));
    smtp.refuse('sender', 451);
    await pastMorning();
    expect(received).toEqual([]);
    smtp.accept();
    importNow(record('second'));
    await pass(30 * MINUTE);
    expect(told()).toEqual(['FIRST: new, revenue in 30 days $100']);
    await pastMorning();
    expect(told()).toEqual(['SECOND: new, revenue in 30 days $100']);
    expect(received).toHaveLength(2);
    expect(new Set(outcomes)).toEqual(new Set(['deferred', 'sent']));
  });

  it('is given up after two days', async () => {
    await subscribe('ada@example.com', { searches: { All: '' } });
    await pass(HOUR);
    importNow(record('new'));
    smtp.refuse('sender', 451);
    await pastMorning();
    await pastMorning(undefined, 3);
    smtp.accept();
    await pastMorning();
    expect(received).toEqual([]);
    expect(outcomes.at(-1)).toBe('given_up');
    expect(await prisma.sentMail.findFirst()).toMatchObject({ outcome: 'given_up' });
  });

  it('is sent to all when it takes emails again, also if many wait', async () => {
    for (let count = 0; count < 120; count += 1) {
      await subscribe(`holder-${count}@example.com`, { searches: { All: '' } });
    }
    await pass(HOUR);
    importNow(record('new'));
    smtp.refuse('sender', 451);
    await pastMorning();
    smtp.accept();
    await pass(HOUR, [open(), open()]);
    expect(new Set(recipients()).size).toBe(120);
    expect(received).toHaveLength(120);
  });
});
