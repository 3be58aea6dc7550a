import { createHmac } from 'node:crypto';
import { Prisma, type PrismaClient } from '../../db/generated/client/client.ts';
import { isPlainText } from '../../lib/errors.ts';
import { isSameSecret } from '../../lib/text/digest.ts';
import { toLists } from '../accounts/lists.ts';
import type { ToldMail } from './kinds.ts';

/** How often there are emails about what an account saved. */
export const mailFrequencies = { daily: 'Every day', weekly: 'Every Monday' } as const;
export type MailFrequency = keyof typeof mailFrequencies;

/** The kind of these emails in the table of sent ones. */
export const SAVED_MAILS: ToldMail = 'saved';

/** The most characters of what names one of them. */
const OCCASION_MAX = 100;

/** The condition on lists `l` of an account that something of them is in emails. */
export const WANTS_MAILS = `(l.shortlist_mails_since IS NOT NULL OR jsonb_path_exists(l.searches, '$.*.mailsSince'))`;

/** What an account is told of. */
export interface MailSettings {
  readonly frequency: MailFrequency;
  readonly shortlist: boolean;
  /** The names of saved searches. */
  readonly searches: readonly string[];
}

type Lists = Pick<PrismaClient, '$executeRaw' | 'account' | 'accountLists' | 'sentMail'>;

/**
 * Reads what an account is told of, what an email told and what became of it, and whether the mail server refused its
 * address.
 *
 * @param occasion names the email; the last one by default.
 */
export async function readMailSettings(prisma: Lists, accountId: string, occasion?: string) {
  const lists = await prisma.accountLists.findUnique({ where: { accountId } });
  const account = await prisma.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true, refusedEmail: true },
  });
  const isNamed = occasion === undefined || isPlainText(occasion, OCCASION_MAX);
  const email = isNamed
    ? await prisma.sentMail.findFirst({
        where: { kind: SAVED_MAILS, accountId, ...(occasion !== undefined && { occasion }) },
        orderBy: { recordedAt: 'desc' },
      })
    : null;
  const { searches } = toLists({ shortlist: [], searches: {}, ...lists });
  const settings: MailSettings = {
    frequency: (lists?.mails ?? 'daily') as MailFrequency,
    shortlist: (lists?.shortlistMailsSince ?? null) !== null,
    searches: searches.filter(({ mailsSince }) => mailsSince !== undefined).map(({ name }) => name),
  };
  const isRefused = account.refusedEmail !== null && account.refusedEmail === account.email;
  return { settings, isRefused, email };
}

/**
 * Changes what an account is told of, and tries its address again. With another frequency it begins anew: nothing is told
 * twice.
 */
export async function saveMailSettings(
  prisma: Lists,
  accountId: string,
  { frequency, shortlist, searches }: MailSettings,
  now: number,
): Promise<void> {
  const at = new Date(now);
  const since = JSON.stringify({ mailsSince: at.toISOString() });
  // The database takes no other text.
  const named = searches.filter((name) => !name.includes('\0'));
  const kept = Prisma.sql`stored.mails = ${frequency}`;
  await prisma.$executeRaw`
    INSERT INTO account_lists AS stored (account_id, mails, shortlist_mails_since)
    VALUES (${accountId}, ${frequency}, CASE WHEN ${shortlist} THEN ${at}::timestamptz END)
    ON CONFLICT (account_id) DO UPDATE SET
      mails = excluded.mails,
      shortlist_mails_since = CASE WHEN ${shortlist} THEN coalesce(CASE WHEN ${kept} THEN stored.shortlist_mails_since END, ${at}::timestamptz) END,
      searches = (
        SELECT coalesce(jsonb_object_agg(key,
          CASE WHEN NOT key = ANY(${named}) THEN value - 'mailsSince'
            WHEN ${kept} THEN ${since}::jsonb || value ELSE value || ${since}::jsonb END), '{}')
        FROM jsonb_each(stored.searches)
      )`;
  await prisma.account.updateMany({
    where: { id: accountId, refusedEmail: { not: null } },
    data: { refusedEmail: null },
  });
}

/** Ends all emails about what an account saved. */
export async function endSavedMails(prisma: Lists, accountId: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE account_lists SET shortlist_mails_since = NULL, searches =
      (SELECT coalesce(jsonb_object_agg(key, value - 'mailsSince'), '{}') FROM jsonb_each(searches))
    WHERE account_id = ${accountId}`;
}

/** The page of these emails. */
export const SAVED_MAILS_PATH = '/dashboard/shortlist/mails';
/** The page with all that one of them told, by its occasion. */
export const savedMailPath = (occasion: string): string =>
  `${SAVED_MAILS_PATH}?${new URLSearchParams({ email: occasion })}`;

/** The page that ends the emails about what an account saved. */
export const UNSUBSCRIBE_PATH = '/dashboard/unsubscribe';

/** Links that end emails of an account without signing in. They work as long as the secret is the same. */
export function createUnsubscribeLinks(secret: string) {
  const signatureOf = (accountId: string): string =>
    createHmac('sha256', secret).update(`unsubscribe ${accountId}`).digest('base64url');
  return {
    pathOf: (accountId: string): string => `${UNSUBSCRIBE_PATH}?token=${accountId}.${signatureOf(accountId)}`,
    /** The account of a token; undefined for a forged one. */
    read(token: string): string | undefined {
      const [accountId = '', signature = '', ...more] = token.split('.');
      return more.length === 0 && isSameSecret(signature, signatureOf(accountId)) ? accountId : undefined;
    },
  };
}

export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>;
