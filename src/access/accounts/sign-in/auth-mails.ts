import type { Mail, Mailer } from '../../../lib/mail/open-mailer.ts';
import { digestOf } from '../../../lib/text/digest.ts';
import type { Service } from '../../../lib/text/service.ts';
import type { Counter } from '../../limits/counter.ts';

interface Recipient {
  readonly user: { readonly email: string; readonly emailVerified: boolean };
}
type WithToken = Recipient & { readonly token: string };

/** How many mails an address gets in a minute, whoever requests them. */
const MAILS_PER_MINUTE = 3;
const IGNORE = 'If this was not you, ignore this email: nothing happens without the link.';

/**
 * Creates the mails of signing up and in. They are sent without waiting, as the delay would disclose who has an account.
 * Every link in them begins with our own origin, whatever Host a request has.
 */
export function createAuthMails({
  service: { name, contact },
  origin,
  mailer,
  counter,
  onError,
}: {
  readonly service: Service;
  readonly origin: string;
  readonly mailer: Mailer;
  readonly counter: Counter;
  readonly onError: (error: unknown) => void;
}) {
  const post = async (mail: Mail): Promise<void> => {
    const { admitted } = await counter.reserve(
      `dashboard:mail:${digestOf(mail.to.toLowerCase())}`,
      1,
      MAILS_PER_MINUTE,
    );
    if (admitted) {
      const questions = contact === undefined ? [] : [`Questions? ${contact}`];
      void mailer.send({ ...mail, paragraphs: [...mail.paragraphs, ...questions] }).catch(onError);
    }
  };
  const link = (path: string, token: string): string =>
    `${origin}/dashboard/${path}?token=${encodeURIComponent(token)}`;
  return {
    newAddress: ({ user, token }: WithToken) =>
      post({
        to: user.email,
        subject: `Confirm your new email address for ${name}`,
        paragraphs: [
          `You, or someone else, wants to use this address for an account at ${name}.`,
          `Open the link within an hour, in the browser in which you are signed in. ${IGNORE}`,
        ],
        link: { label: 'Confirm the new address', url: link('change-email', token) },
      }),
    /** For signing up, and for a forgotten password. */
    password: ({ user, token }: WithToken) =>
      post({
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
      }),
    changeOfAddress: ({ user, newEmail, token }: WithToken & { readonly newEmail: string }) =>
      post({
        to: user.email,
        subject: `Change the email address of your account at ${name}`,
        paragraphs: [
          `You, or someone else, wants to change the address of your account to ${newEmail}.`,
          'Open the link within an hour, in the browser in which you are signed in. We then send a link to the new address.',
          'If this was not you, change your password: someone is signed in to your account.',
        ],
        link: { label: 'Allow the change', url: link('change-email', token) },
      }),
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
