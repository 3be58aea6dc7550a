import type { MailOutcome } from '../../lib/mail/outcome.ts';
import { linkMails } from '../accounts/sign-in/auth-mails.ts';

/** Emails about keys and their accounts: key-mails.ts does not compile without what each says. */
const keyMails = ['key-limit', 'key-expiry', 'key-disabled', 'account-disabled'] as const;
export type KeyMailKind = (typeof keyMails)[number];

/** Emails that nobody asked for a second ago. They are tried again where the mail server has certainly not taken them. */
const toldMails = [...keyMails, 'saved'] as const;
export type ToldMail = (typeof toldMails)[number];

/** All kinds of emails. */
export const mailKinds = [...linkMails, ...toldMails] as const;
export type MailKind = (typeof mailKinds)[number];

/** Counts what became of an attempt to send an email. */
export type CountMail = (kind: MailKind, outcome: MailOutcome) => void;
