import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openKeyMails } from '../../../src/access/mails/key-mails.ts';
import { createMailSender } from '../../../src/access/mails/sender.ts';
import type { Mailer } from '../../../src/lib/mail/open-mailer.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openSmtpServer } from '../../support/servers/smtp.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const [MINUTE, DAY] = [60_000, 86_400_000];

const smtp = await openSmtpServer();
const { received } = smtp;
const mailer = smtp.open();

const database = await openTestDatabase();
const { pool, prisma } = database;

let clock = createTestClock(NOW);
let errors: unknown[] = [];
/** A node; its clock is that of all. */
const open = (own: Pick<Mailer, 'send'> = mailer) => {
  const { now, schedule } = clock;
  const service = { name: 'Gate' };
  const onError = (error: unknown) => errors.push(error);
  const origin = () => 'https://gate.example';
  return openKeyMails({ pool, mailer: own, origin, service, now, schedule, onError });
};

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
  received.length = 0;
});

/** The recipients of what was sent until some time has passed. */
async function sentWithin(ms: number, node = open()): Promise<string[]> {
  await clock.advance(ms);
  await node.close();
  return received.flatMap(({ to }) => to);
}

describe('a mail', () => {
  it.each<[string, object, string]>([
    ['of a key that expires in 7 days', { expiresAt: new Date(NOW + 6.9 * DAY) }, 'expires soon'],
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

  it('of refused requests is sent once a day at most', async () => {
    const { id, email } = await addKey();
    await refuse(id);
    expect(await sentWithin(60 * MINUTE)).toEqual([email]);
    await prisma.keyUsage.updateMany({ data: { hour: new Date(NOW + 23 * 60 * MINUTE) } });
    expect(await sentWithin(22.9 * 60 * MINUTE)).toEqual([email]);
    expect(await sentWithin(30 * MINUTE)).toEqual([email, email]);
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
    ['of a disabled account', {}, { disabledAt: new Date(NOW) }],
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
    const node = open({ send: () => new Promise(() => {}) });
    void clock.advance(MINUTE);
    await expect.poll(async () => prisma.sentMail.count()).toBe(1);
    void node.close();
    expect(await sentWithin(20 * MINUTE)).toEqual([]);
    expect(errors.map(String)).toEqual([expect.stringContaining(id)]);
    expect(await prisma.sentMail.findFirst()).toMatchObject({ failure: 'interrupted', sentAt: null });
  });

  it.each([
    ['nobody@example.com', 'no such mailbox', 'gets no others'],
    ['later@example.com', 'try again later', 'gets others'],
  ])(
    'to %s is refused with "%s", recorded and not sent again; the address %s',
    async (email, reason, others) => {
      const { accountId } = await addKey({ disabledAt: new Date(NOW) }, { email });
      expect(await sentWithin(20 * MINUTE)).toEqual([]);
      expect(errors.length).toBe(1);
      expect((await prisma.sentMail.findFirstOrThrow()).failure).toContain(reason);
      await prisma.apiKey.updateMany({ data: { disabledAt: new Date(NOW + MINUTE) } });
      await sentWithin(20 * MINUTE);
      expect(await prisma.sentMail.count()).toBe(others === 'gets others' ? 2 : 1);
      // Another address is another mailbox.
      await prisma.account.update({ where: { id: accountId }, data: { email: 'ada@example.com' } });
      await prisma.apiKey.updateMany({ data: { disabledAt: new Date(NOW + 2 * MINUTE) } });
      expect(await sentWithin(20 * MINUTE)).toEqual(['ada@example.com']);
    },
  );
});

it('a run waits until the pause after the last one of any node is over', async () => {
  const sender = createMailSender({ pool, mailer, ...clock, onError: () => {} });
  const run = vi.fn(async () => {});
  const nodes = Array.from({ length: 5 }, () => sender.repeat('keys', MINUTE, run));
  await clock.advance(MINUTE);
  expect(run).toHaveBeenCalledTimes(1);
  await clock.advance(5 * MINUTE);
  expect(run).toHaveBeenCalledTimes(2);
  await Promise.all(nodes.map((node) => node.stop()));
});
