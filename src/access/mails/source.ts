import type pg from 'pg';
import { DATABASE_ID } from '../../db/database-id.ts';
import { Prisma, type PrismaClient } from '../../db/generated/client/client.ts';
import { type ActionContext, runAction } from '../audit/audit-log.ts';
import { WAITS } from './queue.ts';
import { SAVED_MAILS } from './saved-mail-settings.ts';

type Reading = Pick<PrismaClient, '$queryRaw'>;

/** Why emails that tell something are held: this database is a copy of another, or is served at another address. */
export interface Hold {
  /** Whether the rows come from another database. */
  readonly isCopy: boolean;
  /** The PUBLIC_URL that was recorded; null: none. */
  readonly recordedUrl: string | null;
  /** How many emails wait. */
  readonly waiting: number;
}

/** Records a PUBLIC_URL, $1, if none has been recorded. */
const RECORD = `
  INSERT INTO mail_source AS source (database, public_url) VALUES (${DATABASE_ID}, $1)
  ON CONFLICT (is_only) DO UPDATE SET public_url = excluded.public_url
  WHERE source.public_url IS NULL AND excluded.public_url IS NOT NULL AND source.database = excluded.database`;

/** Records that this database sends emails, at this PUBLIC_URL, if none has been recorded. */
export async function recordMailSource(
  pool: Pick<pg.Pool, 'query'>,
  publicUrl: string | undefined,
): Promise<void> {
  await pool.query(RECORD, [publicUrl ?? null]);
}

/** The PUBLIC_URL that a server of this database has recorded, if any: that of a copy is not its own. */
export async function findPublicUrl(prisma: Reading): Promise<string | undefined> {
  const [source] = await prisma.$queryRaw<{ url: string | null }[]>`
    SELECT public_url AS url FROM mail_source WHERE database = ${Prisma.raw(DATABASE_ID)}`;
  return source?.url ?? undefined;
}

/**
 * Finds out whether emails that tell something are held: the database was restored into another one, or its recorded
 * PUBLIC_URL is another. A copy must not write to the accounts of its original. That of a standby which was promoted is the
 * same database.
 */
export async function findHold(prisma: Reading, publicUrl: string | undefined): Promise<Hold | undefined> {
  const [source] = await prisma.$queryRaw<Hold[]>`
    SELECT database <> ${Prisma.raw(DATABASE_ID)} AS "isCopy", public_url AS "recordedUrl",
      (SELECT count(*)::int FROM sent_mails AS s WHERE ${Prisma.raw(WAITS)}) AS waiting
    FROM mail_source`;
  const isHeld =
    source !== undefined &&
    (source.isCopy || (source.recordedUrl !== null && source.recordedUrl !== publicUrl));
  return isHeld ? source : undefined;
}

/**
 * Releases emails that are held: from now on, this database sends them. Those about what accounts saved are dropped, as
 * they are out of date; those about keys are sent if they are still true.
 *
 * @returns undefined if none are held.
 */
export async function releaseMails(
  context: ActionContext,
  publicUrl: string | undefined,
): Promise<{ readonly dropped: number; readonly waiting: number } | undefined> {
  return runAction(context, async ({ prisma, now, record }) => {
    if ((await findHold(prisma, publicUrl)) === undefined) {
      return undefined;
    }
    const waits = { outcome: null, claimedAt: null, content: { not: Prisma.DbNull } };
    const { count: dropped } = await prisma.sentMail.deleteMany({ where: { ...waits, kind: SAVED_MAILS } });
    // The time until they are given up begins now.
    const { count: waiting } = await prisma.sentMail.updateMany({
      where: waits,
      data: { recordedAt: new Date(now()), retryAt: null },
    });
    await prisma.mailSource.deleteMany();
    await prisma.$executeRawUnsafe(RECORD, publicUrl ?? null);
    await record('mails.release', 'mails', { dropped, waiting });
    return { dropped, waiting };
  });
}
