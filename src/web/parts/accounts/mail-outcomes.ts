import { type MailKind, mailKinds } from '../../../access/mails/kinds.ts';
import type { PrismaClient, SentMail } from '../../../db/generated/client/client.ts';

/** What emails are about. */
const subjects: Readonly<Record<MailKind, string>> = {
  'sign-up': 'with a link to sign up',
  password: 'with a link to choose a password',
  'address-change': 'about a new email address',
  'new-address': 'with a link to confirm a new address',
  'key-limit': 'about the limit of a key',
  'key-expiry': 'about a key that expires',
  'key-disabled': 'about a disabled key',
  'account-disabled': 'about the disabled account',
  saved: 'about what was saved',
};

type Recorded = Pick<SentMail, 'outcome' | 'claimedAt' | 'failure'>;

/** What became of an email: the rest of a sentence about it. */
export function outcomeText({ outcome, claimedAt, failure }: Recorded): string {
  switch (outcome) {
    case 'sent':
      return 'was sent';
    case 'unknown':
      return failure === 'interrupted'
        ? 'was interrupted, and may not have arrived'
        : 'may not have arrived, as the mail server did not confirm it';
    case 'refused':
      return 'was refused by the mail server of the address';
    case 'given_up':
      return 'could not be sent for two days, and was given up';
    case 'failed':
      return 'could not be sent';
    default:
      if (claimedAt !== null) {
        return 'is being sent';
      }
      return failure === null ? 'waits to be sent' : 'could not be sent yet, and is tried again';
  }
}

/** How long an email that failed is shown, in ms. */
const SHOWN_MS = 7 * 86_400_000;

/** The last email to an account that was not sent in recent days; null: all were. */
export async function findUnsent(
  prisma: Pick<PrismaClient, 'sentMail'>,
  accountId: string,
  now: number,
): Promise<{ readonly text: string; readonly at: Date; readonly failure: string } | null> {
  const unsent = await prisma.sentMail.findFirst({
    where: {
      kind: { in: [...mailKinds] },
      accountId,
      failure: { not: null },
      recordedAt: { gt: new Date(now - SHOWN_MS) },
    },
    orderBy: { recordedAt: 'desc' },
  });
  return (
    unsent && {
      text: `An email ${subjects[unsent.kind as MailKind]} ${outcomeText(unsent)}`,
      at: unsent.recordedAt,
      failure: unsent.failure ?? '',
    }
  );
}
