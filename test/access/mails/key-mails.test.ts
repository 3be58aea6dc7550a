import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openKeyMails } from '../../../src/access/mails/key-mails.ts';
import type { MailKind } from '../../../src/access/mails/kinds.ts';
import { createMailQueue, type MailOptions } from '../../../src/access/mails/queue.ts';
import type { MailOutcome } from '../../../src/lib/mail/outcome.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openSmtpServer } from '../../support/servers/smtp.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const smtp = await openSmtpServer();
const { received } = smtp;
const mailer = smtp.open();

const database = await openTestDatabase();
const { pool, prisma } = database;

let clock = createTestClock(NOW);
let errors: unknown[] = [];
let outcomes: `${MailKind} ${MailOutcome}`[] = [];
/** A node; its clock is that of all. */
const open = (own: Partial<MailOptions> = {}) =>
  openKeyMails({
    pool,
    mailer,
    origin: () => 'https://gate.example',
    service: { name: 'Gate' },
    limits: { standard: 10, premium: 60 },
    embedLimit: 600,
    now: clock.now,
    schedule: clock.schedule,
    onError: (error) => errors.push(error),
    onOutcome: (kind, outcome) => outcomes.push(`${kind} ${outcome}`),
    isHeld: async () => false,
    ...own,
  });

let keys = 0;
async function addKey(data: object = {}, account: object = {}) {
  keys += 1;
  const id = `key_${keys}`;
  const accountId = `acc_${keys}`;
  const email = `holder-${keys}@example.com`;
  await prisma.account.create({ data: { id: accountId, email, emailVerified: true, ...account } });
  const key = {
    id,
    name: `Report ${keys}`,
    prefix: 'rvg_abcd',
    hash: Buffer.from(id),
    tier: 'standard',
    accountId,
  };
  const policy = { policyVersion: '1', policyAcceptedBy: accountId, policyAcceptedAt: new Date(NOW) };
  await prisma.apiKey.create({ data: { ...key, ...policy, createdAt: new Date(NOW - 30 * DAY), ...data } });
  return { id, accountId, email };
}

const refuse = (keyId: string) =>
  prisma.keyUsage.create({
    data: { keyId, hour: new Date(NOW), surface: 'rest', status: 429, requests: 3n },
  });

beforeEach(async () => {
  for (const table of ['api_keys', 'accounts', 'sent_mails', 'mail_runs', 'key_usage', 'key_busy_minutes']) {
    await pool.query(`DELETE FROM ${table}`);
  }
  clock = createTestClock(NOW);
  errors = [];
  outcomes = [];
  received.length = 0;
  smtp.accept();
});

/** The recipients of what was sent until some time has passed. */
async function sentWithin(ms: number, node = open()): Promise<string[]> {
  await clock.advance(ms);
  await node.close();
  return received.flatMap(({ to }) => to);
}

/** A node looks for emails once, some time after the beginning. @returns the recipients of all that was sent. */
async function lookAt(ms: number, own: Partial<MailOptions> = {}): Promise<string[]> {
  clock = createTestClock(NOW + ms - MINUTE);
  return sentWithin(MINUTE, open(own));
}

describe('a mail', () => {
  it.each<[string, object, string]>([
    ['of a key that expires in 7 days', { expiresAt: new Date(NOW + 6.9 * DAY) }, 'both keys work meanwhile'],
    [
      'of a key that was disabled',
      { disabledAt: new Date(NOW), disabledReason: 'resold data' },
      'resold data',
    ],
  ])('%s is sent once, with its reason', async (_, data, text) => {
    const { email, id } = await addKey(data);
    expect(await sentWithin(30 * MINUTE)).toEqual([email]);
    const mail = received[0]?.text;
    expect(mail).toContain(text);
    expect(mail).toContain(`https://gate.example/dashboard/keys/${id}`);
    expect(mail).toContain('https://gate.example/dashboard/account');
  });

  it.each<[string, object, RegExp]>([
    [
      'that expires',
      { expiresAt: new Date(NOW + 6.9 * DAY) },
      /^Your key “Report \d+” stops working on 2026-/,
    ],
    ['that was disabled', { disabledAt: new Date(NOW) }, /^Your key “Report \d+” was disabled \(Gate\)$/],
  ])('of a key %s says so in its subject', async (_, data, subject) => {
    await addKey(data);
    await sentWithin(30 * MINUTE);
    expect(received[0]?.subject).toMatch(subject);
  });

  it('of refused requests begins with their number', async () => {
    const { id } = await addKey();
    await refuse(id);
    await lookAt(0);
    expect(received[0]?.subject).toMatch(
      /^3 requests refused: your key “Report \d+” reached its limit \(Gate\)$/,
    );
  });

  it('of refused requests is sent once a day at most', async () => {
    const { id, email } = await addKey();
    await refuse(id);
    expect(await lookAt(0)).toEqual([email]);
    expect(await lookAt(HOUR)).toEqual([email]);
    await prisma.keyUsage.updateMany({ data: { hour: new Date(NOW + 23 * HOUR) } });
    expect(await lookAt(23.9 * HOUR)).toEqual([email]);
    expect(await lookAt(24.1 * HOUR)).toEqual([email, email]);
  });

  it('of a limit is sent when 80 % of it were used in ten minutes of an hour, and not in nine', async () => {
    const [nine, ten] = [await addKey(), await addKey()];
    const node = open();
    for (let minute = 0; minute < 10; minute += 1) {
      node.addBusyMinute(ten.id);
      node.addBusyMinute(ten.id);
      if (minute > 0) {
        node.addBusyMinute(nine.id);
      }
      await clock.advance(MINUTE);
    }
    expect(await sentWithin(6 * MINUTE, node)).toEqual([ten.email]);
  });

  it.each<[string, object, object]>([
    ['turned off', {}, { keyMails: false }],
    ['of an unconfirmed address', {}, { emailVerified: false }],
    ['of an account that was disabled long ago', {}, { disabledAt: new Date(NOW - 2 * DAY) }],
    ['of a revoked key', { revokedAt: new Date(NOW) }, {}],
    ['of a key that has expired', { expiresAt: new Date(NOW) }, {}],
    ['of a key made for a few days', { expiresAt: new Date(NOW + DAY), createdAt: new Date(NOW - DAY) }, {}],
    ['of a key disabled long ago', { disabledAt: new Date(NOW - 2 * DAY) }, {}],
  ])('is not sent where it is %s', async (_, data, account) => {
    const { id } = await addKey({ expiresAt: new Date(NOW + 3 * DAY), ...data }, account);
    if (!('createdAt' in data) && !('disabledAt' in data)) {
      await refuse(id);
    }
    expect(await sentWithin(20 * MINUTE)).toEqual([]);
  });

  it('is sent by one of several nodes, and has no header from a name', async () => {
    const { email } = await addKey({ disabledAt: new Date(NOW), name: 'x\r\nBcc: eve@example.com' });
    const nodes = [open(), open(), open()];
    await clock.advance(20 * MINUTE);
    await Promise.all(nodes.map((node) => node.close()));
    expect(received.flatMap(({ to }) => to)).toEqual([email]);
    expect(received[0]?.raw).not.toMatch(/^bcc:/im);
  });

  it('that a stop interrupted is reported, and not sent again', async () => {
    const { id } = await addKey({ disabledAt: new Date(NOW) });
    const node = open({ mailer: { send: () => new Promise(() => {}) } });
    void clock.advance(MINUTE);
    await expect.poll(() => prisma.sentMail.count({ where: { claimedAt: { not: null } } })).toBe(1);
    void node.close();
    expect(await sentWithin(20 * MINUTE)).toEqual([]);
    expect(errors.map(String)).toEqual([expect.stringContaining(id)]);
    expect(outcomes).toEqual(['key-disabled unknown']);
    const [mail] = await prisma.sentMail.findMany();
    expect(mail).toMatchObject({ outcome: 'unknown', failure: 'interrupted', endedAt: expect.any(Date) });
  });

  it('to an address that the server refuses is not sent again, and the address gets no others', async () => {
    const { accountId } = await addKey({ disabledAt: new Date(NOW) }, { email: 'nobody@example.com' });
    expect(await sentWithin(20 * MINUTE)).toEqual([]);
    expect([errors.length, outcomes]).toEqual([1, ['key-disabled refused']]);
    expect(await prisma.sentMail.findFirst()).toMatchObject({
      outcome: 'refused',
      failure: expect.stringContaining('no such mailbox'),
    });
    await prisma.apiKey.updateMany({ data: { disabledAt: new Date(NOW + MINUTE) } });
    await sentWithin(20 * MINUTE);
    expect(await prisma.sentMail.count()).toBe(1);
    // Another address is another mailbox.
    await prisma.account.update({ where: { id: accountId }, data: { email: 'ada@example.com' } });
    await prisma.apiKey.updateMany({ data: { disabledAt: new Date(NOW + 2 * MINUTE) } });
    expect(await sentWithin(20 * MINUTE)).toEqual(['ada@example.com']);
  });

  it('of a limit has its numbers', async () => {
    const { id } = await addKey();
    await refuse(id);
    await prisma.keyUsage.create({
      data: { keyId: id, hour: new Date(NOW - HOUR), surface: 'graphql', status: 429, requests: 1_200n },
    });
    const node = open();
    node.addBusyMinute(id);
    await sentWithin(6 * MINUTE, node);
    expect(received[0]?.text).toContain(
      'Since 11:00 UTC, 1,203 requests with it got the response 429. In the last hour, it used more than 80% of its limit in 1 minute. Its limit is 10 requests a minute.',
    );
  });

  it.each([
    ['of its own', { rateLimit: 1_500 }, 'Its limit is 1,500 requests a minute.'],
    ['of its tier', { tier: 'premium' }, 'Its limit is 60 requests a minute.'],
    [
      'of an embed key',
      { origins: ['https://a.example'], trustedOnly: true },
      'Its limit is 10 requests a minute for each client address, and 600 for all together.',
    ],
  ])('of a limit names that %s', async (_, data, text) => {
    const { id } = await addKey(data);
    await refuse(id);
    await sentWithin(6 * MINUTE);
    expect(received[0]?.text).toContain(text);
  });

  it('tells the holder that the account was disabled, and why, also without emails about keys', async () => {
    const { email } = await addKey(
      { expiresAt: new Date(NOW + DAY) },
      { disabledAt: new Date(NOW), disabledReason: 'resold data', keyMails: false },
    );
    await addKey({}, { disabledAt: new Date(NOW - 2 * DAY) });
    await addKey({}, { disabledAt: new Date(NOW), emailVerified: false });
    expect(await sentWithin(30 * MINUTE)).toEqual([email]);
    expect(received[0]?.text).toContain('Subject: Your account was disabled (Gate)');
    expect(received[0]?.text).toContain('403. The reason: resold data.');
    expect(received[0]?.text).not.toContain('/dashboard/');
  });
});

describe('an email that the mail server has certainly not taken', () => {
  const attempts = () => outcomes.filter((outcome) => outcome.endsWith(' deferred')).length;

  it.each([
    ['refuses connections', () => smtp.stop(), () => smtp.start()],
    ['refuses its sender for now', async () => smtp.refuse('sender', 451), async () => smtp.accept()],
    ['refuses its address for now', async () => smtp.refuse('recipient', 450), async () => smtp.accept()],
    ['refuses its content for now', async () => smtp.refuse('message', 452), async () => smtp.accept()],
  ])('is sent once when the server no longer %s, also after a restart', async (_, fail, recover) => {
    const { email } = await addKey({ disabledAt: new Date(NOW) });
    await fail();
    for (const hours of [0, 1, 5, 20, 40]) {
      expect(await lookAt(hours * HOUR)).toEqual([]);
    }
    expect(attempts()).toBe(5);
    expect(await prisma.sentMail.findFirst()).toMatchObject({ outcome: null, failure: expect.any(String) });
    await recover();
    // A node that has known nothing of it.
    expect(await lookAt(47 * HOUR)).toEqual([email]);
    expect(await lookAt(49 * HOUR)).toEqual([email]);
    expect(outcomes.at(-1)).toBe('key-disabled sent');
    expect(await prisma.sentMail.findFirst()).toMatchObject({ outcome: 'sent', failure: null });
  });

  it('is tried again with growing pauses, and given up after two days', async () => {
    await addKey({ disabledAt: new Date(NOW) }, { email: 'ada@example.com' });
    smtp.refuse('recipient', 450);
    const pauses: number[] = [];
    let at = 0;
    for (;;) {
      await lookAt(at);
      const { retryAt, outcome } = await prisma.sentMail.findFirstOrThrow();
      if (outcome !== null) {
        break;
      }
      const next = (retryAt?.getTime() ?? 0) - NOW;
      // Before that, it is not tried.
      await lookAt(next - 1);
      expect(attempts()).toBe(pauses.length + 1);
      pauses.push((next - at) / MINUTE);
      at = next;
      await prisma.mailRun.deleteMany();
    }
    expect(pauses).toEqual([5, 5, 10, 20, 40, 80, 160, 320, 360, 360, 360, 360, 360, 360, 360]);
    expect(at).toBeGreaterThan(2 * DAY);
    expect(outcomes.at(-1)).toBe('key-disabled given_up');
    expect(await prisma.sentMail.findFirst()).toMatchObject({
      outcome: 'given_up',
      failure: expect.stringContaining('refused at recipient'),
    });
    expect(errors.map(String).at(-1)).toContain('1 email (key-disabled) could not be sent for two days');
    smtp.accept();
    expect(await lookAt(3 * DAY)).toEqual([]);
  });

  it('keeps no other from being sent, unless the server takes none', async () => {
    for (const name of ['later', 'one', 'two']) {
      await addKey({ disabledAt: new Date(NOW) }, { email: `${name}@example.com` });
    }
    expect((await lookAt(0)).sort()).toEqual(['one@example.com', 'two@example.com']);
    await prisma.sentMail.deleteMany();
    await prisma.mailRun.deleteMany();
    received.length = 0;
    smtp.refuse('sender', 451);
    outcomes = [];
    await sentWithin(6 * MINUTE);
    // Of three, the first is tried, and the next five minutes later.
    expect(attempts()).toBe(2);
  });

  it('is sent once by several nodes, also those that try it at the same time', async () => {
    const emails = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      emails.add((await addKey({ disabledAt: new Date(NOW) })).email);
    }
    smtp.refuse('sender', 451);
    await sentWithin(10 * MINUTE);
    smtp.accept();
    clock = createTestClock(NOW + HOUR);
    const nodes = [open(), open(), open()];
    await clock.advance(2 * MINUTE);
    await Promise.all(nodes.map((node) => node.close()));
    expect(received.flatMap(({ to }) => to).sort()).toEqual([...emails].sort());
    // Also without the turns that nodes take.
    await prisma.sentMail.updateMany({ data: { outcome: null, claimedAt: null, endedAt: null } });
    received.length = 0;
    const mails = {
      kind: 'key-disabled',
      tables: 'accounts AS a',
      wanted: 'true',
      columns: 's.content',
      toMail: ({ email }: { email: string }) => ({ to: email, subject: 'x', paragraphs: [] }),
    } as const;
    const queues = [1, 2, 3].map(() =>
      createMailQueue({
        pool,
        mailer,
        ...clock,
        onError: (error) => errors.push(error),
        onOutcome: () => {},
        isHeld: async () => false,
      }).send(mails, new AbortController().signal),
    );
    await Promise.all(queues);
    expect(received.flatMap(({ to }) => to).sort()).toEqual([...emails].sort());
  });

  it('is dropped when it is no longer true', async () => {
    await addKey({ disabledAt: new Date(NOW) });
    const rotated = await addKey({ expiresAt: new Date(NOW + 3 * DAY) });
    const limited = await addKey();
    await refuse(limited.id);
    await addKey({}, { disabledAt: new Date(NOW) });
    smtp.refuse('sender', 451);
    await lookAt(0);
    expect(await prisma.sentMail.count()).toBe(4);
    smtp.accept();
    await prisma.apiKey.updateMany({ data: { disabledAt: null } });
    await prisma.apiKey.update({ where: { id: limited.id }, data: { revokedAt: new Date(NOW) } });
    await prisma.account.updateMany({ data: { disabledAt: null } });
    await addKey({ rotatedFrom: rotated.id, familyId: rotated.id });
    expect(await lookAt(2 * HOUR)).toEqual([]);
    expect(await prisma.sentMail.count()).toBe(0);
  });
});

describe('an email that the mail server may have taken', () => {
  it('is not sent again, and recorded as such', async () => {
    await addKey({ disabledAt: new Date(NOW) });
    smtp.refuse('message', 'hang-up');
    await lookAt(0);
    smtp.accept();
    expect(await lookAt(HOUR)).toEqual([]);
    expect(await lookAt(DAY)).toEqual([]);
    expect(outcomes).toEqual(['key-disabled unknown']);
    expect(await prisma.sentMail.findFirst()).toMatchObject({ outcome: 'unknown' });
  });

  it('that it rejects for good is not sent again', async () => {
    await addKey({ disabledAt: new Date(NOW) });
    smtp.refuse('message', 554);
    await lookAt(0);
    smtp.accept();
    expect(await lookAt(HOUR)).toEqual([]);
    expect(await lookAt(DAY)).toEqual([]);
    expect(outcomes).toEqual(['key-disabled failed']);
    // The address is a good one.
    expect((await prisma.account.findFirstOrThrow()).refusedEmail).toBeNull();
  });
});

it('emails that are held wait, however long, and are sent when they are released', async () => {
  const { email } = await addKey({ disabledAt: new Date(NOW) });
  for (const hours of [0, 1, 72]) {
    expect(await lookAt(hours * HOUR, { isHeld: async () => true })).toEqual([]);
  }
  expect(outcomes).toEqual([]);
  await prisma.sentMail.updateMany({ data: { recordedAt: new Date(clock.now()) } });
  expect(await lookAt(73 * HOUR)).toEqual([email]);
});

it('a node that stops sends no further email', async () => {
  for (let count = 0; count < 3; count += 1) {
    await addKey({ disabledAt: new Date(NOW) });
  }
  let node: ReturnType<typeof open>;
  let closing: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    closing ??= node.close();
  };
  node = open({ mailer: { send } });
  await clock.advance(MINUTE);
  await closing;
  expect(outcomes).toEqual(['key-disabled sent']);
  expect(await prisma.sentMail.count({ where: { outcome: null } })).toBe(2);
});

it('a run waits until the pause after the last one of any node is over', async () => {
  const queue = createMailQueue({
    pool,
    mailer,
    ...clock,
    onError: () => {},
    onOutcome: () => {},
    isHeld: async () => false,
  });
  const run = vi.fn(async () => {});
  const nodes = Array.from({ length: 5 }, () => queue.repeat('keys', MINUTE, run));
  await clock.advance(MINUTE);
  expect(run).toHaveBeenCalledTimes(1);
  await clock.advance(5 * MINUTE);
  expect(run).toHaveBeenCalledTimes(2);
  await Promise.all(nodes.map((node) => node.stop()));
});
