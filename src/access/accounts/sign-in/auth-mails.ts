import { AsyncLocalStorage } from 'node:async_hooks';
import type { PrismaClient } from '../../../db/generated/client/client.ts';
import type { Mail, Mailer } from '../../../lib/mail/open-mailer.ts';
import { MailError, type MailOutcome } from '../../../lib/mail/outcome.ts';
import { digestOf } from '../../../lib/text/digest.ts';
import type { Service } from '../../../lib/text/service.ts';
import type { Counter } from '../../limits/counter.ts';
import { reserveUnconfirmedMail } from './unconfirmed-mails.ts';

interface User {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}
interface Recipient {
  readonly user: User;
}
type WithToken = Recipient & { readonly token: string };

/** Emails with a link that somebody has just asked for. They are not kept: whoever asked is told, and asks again. */
export const linkMails = ['sign-up', 'password', 'address-change', 'new-address'] as const;
type LinkMail = (typeof linkMails)[number];

/** What became of the email of a call of better-auth, which passes nothing on. */
export interface MailOfCall {
  /** Whether the call is that of somebody who signs up. */
  readonly isSignUp: boolean;
  /** Undefined if no email was sent. */
  outcome?: Promise<MailOutcome>;
}
export const mailOfCall = new AsyncLocalStorage<MailOfCall>();

/** How many mails an address gets in a minute, whoever requests them. */
const MAILS_PER_MINUTE = 3;
const IGNORE = 'If this was not you, ignore this email: nothing happens without the link.';

export interface AuthMailOptions {
  readonly prisma: PrismaClient;
  readonly service: Service;
  readonly origin: string;
  readonly mailer: Mailer;
  readonly counter: Counter;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly onMail: (kind: LinkMail, outcome: MailOutcome) => void;
}

/**
 * Creates the mails of signing up and in. better-auth does not wait for them; pages may, by {@link mailOfCall}. Every link
 * in them begins with our own origin, whatever Host a request has.
 */
export function createAuthMails({
  prisma,
  service: { name },
  origin,
  mailer,
  counter,
  now,
  onError,
  onMail,
}: AuthMailOptions) {
  /** Sends an email, and records why it was not sent. */
  const send = async (kind: LinkMail, accountId: string, mail: Mail): Promise<MailOutcome> => {
    try {
      await mailer.send(mail);
      return 'sent';
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onError(new Error(`An email (${kind}) to account ${accountId} was not sent: ${message}`));
      const failure = error instanceof MailError ? error.failure : 'unknown';
      const outcome = failure === 'refused' || failure === 'unknown' ? failure : 'failed';
      const at = new Date(now());
      const text = message.slice(0, 500);
      const row = { kind, accountId, subject: '', occasion: at.toISOString(), recordedAt: at };
      await prisma.sentMail
        .create({ data: { ...row, endedAt: at, outcome, failure: text }, select: { kind: true } })
        .catch(onError);
      return outcome;
    }
  };
  /**
   * Sends an email without waiting for it, unless its address has had enough.
   *
   * @param isLimited whether its address may be that of a person who has never wanted an account.
   */
  const post = async (kind: LinkMail, user: User, mail: Mail, isLimited: boolean): Promise<void> => {
    const { admitted } = await counter.reserve(
      `dashboard:mail:${digestOf(mail.to.toLowerCase())}`,
      1,
      MAILS_PER_MINUTE,
    );
    const daily = admitted && isLimited ? await reserveUnconfirmedMail({ prisma, now }, mail.to) : undefined;
    if (!admitted || daily?.isAdmitted === false) {
      onMail(kind, 'limited');
      return;
    }
    const outcome = send(kind, user.id, mail).then(async (reached) => {
      onMail(kind, reached);
      if (reached === 'failed') {
        await daily?.giveBack().catch(onError);
      }
      return reached;
    });
    const call = mailOfCall.getStore();
    if (call !== undefined) {
      call.outcome = outcome;
    }
  };
  const link = (path: string, token: string): string =>
    `${origin}/dashboard/${path}?token=${encodeURIComponent(token)}`;
  return {
    newAddress: async ({ user, token }: WithToken) => {
      const mail: Mail = {
        to: user.email,
        subject: `Confirm your new email address for ${name}`,
        paragraphs: [
          `You, or someone else, wants to use this address for an account at ${name}.`,
          `Open the link within an hour, in the browser in which you are signed in. ${IGNORE}`,
        ],
        link: { label: 'Confirm the new address', url: link('change-email', token) },
      };
      await post('new-address', user, mail, true);
    },
    /** For signing up, and for a forgotten password. */
    password: async ({ user, token }: WithToken) => {
      const isSignUp = mailOfCall.getStore()?.isSignUp ?? false;
      const mail: Mail = {
        to: user.email,
        subject: user.emailVerified ? `Choose a new password for ${name}` : `Finish signing up for ${name}`,
        paragraphs: [
          user.emailVerified
            ? 'You already have an account with this address. You, or someone else, asked for a new password, or signed up again.'
            : `You, or someone else, signed up for ${name} with this address.`,
          `Open the link within an hour and choose a password; it works once. ${IGNORE}`,
        ],
        link: {
          label: user.emailVerified ? 'Choose a new password' : 'Confirm your address',
          url: link('reset-password', token),
        },
      };
      // The same whether or not the address has an account: whoever signs up would see the difference.
      await post(isSignUp ? 'sign-up' : 'password', user, mail, isSignUp || !user.emailVerified);
    },
    changeOfAddress: async ({ user, newEmail, token }: WithToken & { readonly newEmail: string }) => {
      const mail: Mail = {
        to: user.email,
        subject: `Change the email address of your account at ${name}`,
        paragraphs: [
          `You, or someone else, wants to change the address of your account to ${newEmail}.`,
          'Open the link within an hour, in the browser in which you are signed in. We then send a link to the new address.',
          'If this was not you, change your password: someone is signed in to your account.',
        ],
        link: { label: 'Allow the change', url: link('change-email', token) },
      };
      await post('address-change', user, mail, false);
    },
  };
}

/** The content of a token of a mail. Its signature is not checked here, but where the token is used. */
interface AuthTokenContent {
  readonly email: string;
  readonly updateTo: string | undefined;
  /** Whether the old address allows the change; else the new one confirms it. */
  readonly isPermission: boolean;
}

export function readAuthToken(token: string): AuthTokenContent | undefined {
  try {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { email, updateTo, requestType } = JSON.parse(text) as Record<string, unknown>;
    if (typeof email === 'string') {
      return {
        email,
        updateTo: typeof updateTo === 'string' ? updateTo : undefined,
        isPermission: requestType === 'change-email-confirmation',
      };
    }
  } catch {
    // Not a token.
  }
  return undefined;
}
