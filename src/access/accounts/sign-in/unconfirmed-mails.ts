import type { PrismaClient } from '../../../db/generated/client/client.ts';
import { digestOf } from '../../../lib/text/digest.ts';

/** The most emails in a day to an address whose owner has confirmed no account: others may have entered it. */
const MAILS_PER_DAY = 5;
const DAY_MS = 86_400_000;

interface Context {
  readonly prisma: Pick<PrismaClient, '$executeRaw'>;
  /** The time, in ms since 1970. */
  readonly now: () => number;
}

/**
 * Counts an email to an address whose owner has confirmed no account, for all nodes. The day begins with the first one.
 */
export async function reserveUnconfirmedMail({ prisma, now }: Context, address: string) {
  const digest = digestOf(address.toLowerCase());
  const at = new Date(now());
  const ended = new Date(now() - DAY_MS);
  const counted = await prisma.$executeRaw`
    INSERT INTO unconfirmed_mails AS known (digest, since, mails) VALUES (${digest}, ${at}, 1)
    ON CONFLICT (digest) DO UPDATE SET
      since = CASE WHEN known.since <= ${ended} THEN excluded.since ELSE known.since END,
      mails = CASE WHEN known.since <= ${ended} THEN 1 ELSE known.mails + 1 END
    WHERE known.since <= ${ended} OR known.mails < ${MAILS_PER_DAY}`;
  return {
    isAdmitted: counted === 1,
    /** The email was not sent. */
    async giveBack(): Promise<void> {
      await prisma.$executeRaw`UPDATE unconfirmed_mails SET mails = mails - 1 WHERE digest = ${digest} AND mails > 0`;
    },
  };
}

/** Removes counts of earlier days. */
export async function removeUnconfirmedMails({ prisma, now }: Context): Promise<void> {
  await prisma.$executeRaw`DELETE FROM unconfirmed_mails WHERE since <= ${new Date(now() - DAY_MS)}`;
}
