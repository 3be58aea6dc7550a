import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openKeyMails } from '../../../src/access/mails/key-mails.ts';
import { findHold, recordMailSource, releaseMails } from '../../../src/access/mails/source.ts';
import { type Database, openDatabase } from '../../../src/db/open.ts';
import { backUp, restore, rewrite } from '../../db/backup/backup-file.ts';
import { createTestClock } from '../../support/clock.ts';
import { startCluster } from '../../support/cluster.ts';
import { openTestDatabase } from '../../support/database.ts';
import { onPostgres } from '../../support/only.ts';
import { openSmtpServer } from '../../support/servers/smtp.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const [MINUTE, DAY] = [60_000, 86_400_000];
const URL = 'https://api.example.com';

/** A database that sends emails. */
async function openSource(publicUrl: string | undefined = URL) {
  const database = await openTestDatabase();
  await recordMailSource(database.pool, publicUrl);
  return database;
}

const acting = ({ prisma }: Database) => ({ prisma, now: () => NOW, actor: 'op' });

it('emails of a database are held where its recorded PUBLIC_URL is another, or none is set', async () => {
  const { prisma, pool } = await openSource();
  expect(await findHold(prisma, URL)).toBeUndefined();
  const held = { isCopy: false, recordedUrl: URL, waiting: 0 };
  expect(await findHold(prisma, 'https://staging.example.com')).toEqual(held);
  expect(await findHold(prisma, undefined)).toEqual(held);
  // Another node changes nothing.
  await recordMailSource(pool, 'https://staging.example.com');
  expect(await findHold(prisma, URL)).toBeUndefined();
});

it('emails of a database without a PUBLIC_URL go out, and the first one that is set is recorded', async () => {
  const { prisma, pool } = await openTestDatabase();
  expect(await findHold(prisma, URL)).toBeUndefined();
  await recordMailSource(pool, undefined);
  expect(await findHold(prisma, undefined)).toBeUndefined();
  expect(await findHold(prisma, URL)).toBeUndefined();
  await recordMailSource(pool, URL);
  expect(await findHold(prisma, 'https://other.example.com')).toMatchObject({ recordedUrl: URL });
});

it('emails are held after a restore into another database, also of one that has sent some', async () => {
  const path = await backUp(await openSource());
  for (const other of [await openTestDatabase(), await openSource('https://staging.example.com')]) {
    await restore(other, path);
    expect(await findHold(other.prisma, URL)).toEqual({ isCopy: true, recordedUrl: URL, waiting: 0 });
    expect(await findHold(other.prisma, 'https://staging.example.com')).toMatchObject({ isCopy: true });
  }
});

it('emails go out after a restore into the same database, whatever its PUBLIC_URL was then', async () => {
  const database = await openSource('https://old.example.com');
  const path = await backUp(database);
  await releaseMails(acting(database), URL);
  await restore(database, path);
  expect(await findHold(database.prisma, URL)).toBeUndefined();
  await restore(database, path);
  expect(await findHold(database.prisma, URL)).toBeUndefined();
});

it('emails are held after a restore of a backup that does not say of which database it is', async () => {
  const database = await openSource();
  const path = await backUp(database);
  rewrite(path, (text) =>
    text
      .split('\n')
      .filter((line, at, lines) => {
        const isOf = (one = '') => one.startsWith('{"table":"mail_source"');
        return !isOf(line) && !isOf(lines[at - 1]);
      })
      .join('\n'),
  );
  await restore(database, path);
  expect(await findHold(database.prisma, URL)).toMatchObject({ isCopy: true, recordedUrl: null });
});

it('a release drops what waits about what was saved, sends the rest, and is in the audit log', async () => {
  const database = await openSource();
  const { prisma } = database;
  const old = new Date(NOW - 10 * DAY);
  const mail = { accountId: 'acc_1', subject: 'x', occasion: 'y', recordedAt: old, content: {} };
  await prisma.sentMail.createMany({
    data: [
      { ...mail, kind: 'saved' },
      { ...mail, kind: 'key-expiry', retryAt: old, failure: 'x' },
      { ...mail, kind: 'key-limit', outcome: 'sent', endedAt: old },
    ],
  });
  expect(await releaseMails(acting(database), URL)).toBeUndefined();
  expect(await prisma.sentMail.count()).toBe(3);
  expect(await findHold(prisma, 'https://new.example.com')).toMatchObject({ waiting: 2 });
  expect(await releaseMails(acting(database), 'https://new.example.com')).toEqual({ dropped: 1, waiting: 1 });
  expect(await findHold(prisma, 'https://new.example.com')).toBeUndefined();
  const rows = await prisma.sentMail.findMany({ orderBy: { kind: 'asc' } });
  expect(rows).toMatchObject([
    { kind: 'key-expiry', recordedAt: new Date(NOW), retryAt: null },
    { kind: 'key-limit', recordedAt: old },
  ]);
  const [entry] = await prisma.auditEntry.findMany();
  expect(entry).toMatchObject({ actor: 'op', action: 'mails.release', details: { dropped: 1, waiting: 1 } });
});

it('a release by a command that does not know PUBLIC_URL leaves it to the next node', async () => {
  const database = await openSource();
  await releaseMails(acting(database), undefined);
  expect(await findHold(database.prisma, 'https://new.example.com')).toBeUndefined();
  await recordMailSource(database.pool, 'https://new.example.com');
  expect(await findHold(database.prisma, URL)).toMatchObject({ recordedUrl: 'https://new.example.com' });
});

it('a copy tells holders of keys nothing before it is released, and then only what the original has not told', async () => {
  const smtp = await openSmtpServer();
  const mailer = smtp.open();
  const original = await openSource();
  const accountOf = async ({ prisma }: Database, name: string) => {
    const id = `acc_${name}`;
    const email = `${name}@example.com`;
    await prisma.account.create({ data: { id, email, emailVerified: true } });
    const key = { id: `key_${name}`, name, prefix: 'rvg_abcd', hash: Buffer.from(name), tier: 'standard' };
    const policy = { policyVersion: '1', policyAcceptedBy: id, policyAcceptedAt: new Date(NOW) };
    const expiresAt = new Date(NOW + 5 * DAY);
    await prisma.apiKey.create({
      data: { ...key, ...policy, accountId: id, expiresAt, createdAt: new Date(NOW - 30 * DAY) },
    });
  };
  /** A node of a database looks for emails once. */
  const look = async ({ pool, prisma }: Database, at: number): Promise<string[]> => {
    const clock = createTestClock(at - MINUTE);
    const node = openKeyMails({
      pool,
      mailer,
      ...clock,
      origin: () => URL,
      service: { name: 'Gate' },
      limits: { standard: 10, premium: 60 },
      embedLimit: 600,
      onError: (error) => {
        throw error;
      },
      onOutcome: () => {},
      isHeld: async () => (await findHold(prisma, URL)) !== undefined,
    });
    await clock.advance(MINUTE);
    await node.close();
    return smtp.received.splice(0).flatMap(({ to }) => to);
  };
  await accountOf(original, 'told');
  expect(await look(original, NOW)).toEqual(['told@example.com']);
  await accountOf(original, 'untold');
  const path = await backUp(original);
  const copy = await openTestDatabase();
  await restore(copy, path);
  expect(await look(copy, NOW + DAY)).toEqual([]);
  expect(await findHold(copy.prisma, URL)).toMatchObject({ waiting: 1 });
  await releaseMails(acting(copy), URL);
  expect(await look(copy, NOW + 2 * DAY)).toEqual(['untold@example.com']);
  // Into the database itself: what was told since the backup is not told again.
  expect(await look(original, NOW + DAY)).toEqual(['untold@example.com']);
  await restore(original, path);
  expect(await look(original, NOW + 2 * DAY)).toEqual([]);
});

onPostgres.it('a promoted standby goes on, and a copy beside it does not', async () => {
  const primary = await startCluster();
  const holdOf = async (url: string) => {
    const database = await openDatabase({ kind: 'server', url }, () => {});
    const hold = await findHold(database.prisma, URL);
    await database.close();
    return hold;
  };
  const database = await openDatabase({ kind: 'server', url: primary.url }, () => {});
  await recordMailSource(database.pool, URL);
  const standby = await primary.standby();
  await standby.catchUp(primary);
  await database.close();
  const address = new globalThis.URL(primary.url);
  address.pathname = '/template1';
  const admin = new Client({ connectionString: address.href });
  await admin.connect();
  await admin.query('CREATE DATABASE copy TEMPLATE postgres');
  await admin.end();
  address.pathname = '/copy';
  expect(await holdOf(address.href)).toMatchObject({ isCopy: true });
  await primary.stop('immediate');
  await standby.promote();
  expect(await holdOf(standby.url)).toBeUndefined();
});
