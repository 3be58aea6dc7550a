import { html } from 'hono/html';
import { createTransport } from 'nodemailer';

/** A mail to one person: its text, and its one link. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The subject matter, one paragraph each. */
  readonly paragraphs: readonly string[];
  /** The required action, if any. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** How mails are sent. */
export interface Mailer {
  /** `smtp` sends, `terminal` prints, `none` does neither: features that need mail are unavailable. */
  readonly kind: 'smtp' | 'terminal' | 'none';
  /** @throws when the mail was not accepted. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

interface MailerOptions {
  /** Such as smtp://user:password@host:587 or smtps://…; undefined: no mail server. */
  readonly smtpUrl: string | undefined;
  /** The sender of mails. */
  readonly from: string;
  /** Prints a mail where there is no server; undefined: nothing may be printed. */
  readonly print: ((text: string) => void) | undefined;
}

const TIMEOUT_MS = 10_000;

/** Opens the mailer. Nothing is sent before the first mail. */
export function openMailer({ smtpUrl, from, print }: MailerOptions): Mailer {
  if (smtpUrl === undefined) {
    return {
      kind: print === undefined ? 'none' : 'terminal',
      send: async (mail) => print?.(`Email to ${mail.to}: ${mail.subject}\n${mail.link?.url ?? ''}`),
      close: () => {},
    };
  }
  const transport = connectTo(smtpUrl);
  return {
    kind: 'smtp',
    send: async (mail) => {
      await transport.sendMail({
        from,
        to: mail.to,
        subject: mail.subject,
        text: toText(mail),
        html: toHtml(mail),
        // Automatic replies are not wanted.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}

/**
 * Connects to a mail server and signs in, but sends nothing.
 *
 * @throws what the server or the network reports, without the password.
 */
export async function inspectMailServer(smtpUrl: string): Promise<void> {
  const transport = connectTo(smtpUrl);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function connectTo(url: string) {
  return createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // The content of a mail comes from us: nothing is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function toText({ paragraphs, link }: Mail): string {
  return [...paragraphs, ...(link === undefined ? [] : [`${link.label}:\n${link.url}`])].join('\n\n');
}

function toHtml({ paragraphs, link }: Mail): string {
  return html`<!doctype html>
<html lang="en"><body>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${link !== undefined && html`<p><a href="${link.url}">${link.label}</a></p>\n<p>${link.url}</p>\n`}</body></html>
`.toString();
}
