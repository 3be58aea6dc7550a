import type { ReadContext } from '../audit/audit-log.ts';
import { removeEndedDocuments } from '../keys/documents/publish-and-remove.ts';
import { removeUnconfirmedMails } from './sign-in/unconfirmed-mails.ts';

type Context = ReadContext<'session' | 'verification' | 'importResult' | '$executeRaw'>;

/** The age at which an account with an unconfirmed address is deleted, in ms. */
const UNCONFIRMED_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;

/**
 * Deletes what has expired: sessions, results of imports that are kept for a day, tokens of mails, counts of mails, accounts that were created by signing up and never
 * confirmed, and documents of ended keys. Accounts that an operator created are kept.
 */
export async function removeExpired({ prisma, now }: Context): Promise<void> {
  const ended = { expiresAt: { lt: new Date(now()) } };
  await prisma.session.deleteMany({ where: ended });
  await prisma.verification.deleteMany({ where: ended });
  await prisma.importResult.deleteMany({ where: { createdAt: { lt: new Date(now() - DAY_MS) } } });
  // A count cannot be planned as a join, which may read the providers and keys of all accounts.
  await prisma.$executeRaw`WITH old AS MATERIALIZED (
      SELECT id FROM accounts WHERE NOT email_verified AND created_at < ${new Date(now() - UNCONFIRMED_MS)}
    )
    DELETE FROM accounts WHERE NOT email_verified AND id = ANY (ARRAY(
      SELECT id FROM old WHERE (SELECT count(*) FROM account_providers WHERE account_id = old.id) > 0
        AND (SELECT count(*) FROM api_keys WHERE account_id = old.id) = 0
    ))`;
  await removeUnconfirmedMails({ prisma, now });
  await removeEndedDocuments({ prisma, now });
}
