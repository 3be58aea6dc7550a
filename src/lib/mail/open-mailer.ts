import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { html } from 'hono/html';
import { createTransport } from 'nodemailer';
import { contactUrl, emailOf } from '../text/service.ts';
import { failureOf, MailError } from './outcome.ts';

export interface Mailer {
  /** `smtp` sends, `terminal` prints, `none` does neither: features that need mail are unavailable. */
  readonly kind: 'smtp' | 'terminal' | 'none';
  /** @throws MailError when the mail was not accepted, or may not have been. */
  send(mail: Mail): Promise<void>;
  /**
   * Finds out whether the server takes emails at this moment: connects and signs in, but sends nothing.
   *
   * @throws MailError when it does not.
   */
  check(): Promise<void>;
  close(): void;
}

interface MailerOptions {
  /** Such as smtp://user:password@host:587 or smtps://…; undefined: no mail server. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly sender: Sender;
  /** Prints a mail where there is no server; undefined: nothing may be printed. */
  readonly print: ((text: string) => void) | undefined;
}

/** For a connection, and for its greeting. */
const CONNECT_MS = 10_000;
/** For each response afterwards: a server may examine an email before it accepts it. */
const RESPONSE_MS = 30_000;
/** Emails that wait for one of two connections. More fail at once, so that a server that hangs fills no memory. */
const MOST_WAITING = 200;

/** Opens the mailer. Nothing is sent before the first mail. */
export function openMailer({ smtpUrl, from, sender, print }: MailerOptions): Mailer {
  if (smtpUrl === undefined) {
    return {
      kind: print === undefined ? 'none' : 'terminal',
      send: async (mail) => print?.(`Email to ${mail.to}: ${mail.subject}\n${mail.link?.url ?? ''}`),
      check: async () => {},
      close: () => {},
    };
  }
  const transport = connectTo(smtpUrl);
  // What is sent of an email, of which the server reads nothing before it has accepted the recipient.
  const contents = new Map<string, Readable>();
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc((content) => {
      contents.set(String(data.messageId), content);
      return content;
    });
    done();
  });
  let waiting = 0;
  let check: Promise<unknown> | undefined;
  return {
    kind: 'smtp',
    async send(mail) {
      if (waiting >= MOST_WAITING) {
        throw new MailError('unavailable', `${waiting} emails wait for the mail server`);
      }
      waiting += 1;
      const messageId = `<${randomUUID()}@${domainOf(from)}>`;
      try {
        await transport.sendMail({
          from,
          to: mail.to,
          replyTo: emailOf(sender.contact),
          messageId,
          subject: mail.subject,
          text: toText(mail, sender),
          html: toHtml(mail, sender),
          headers: {
            // Automatic replies are not wanted.
            'Auto-Submitted': 'auto-generated',
            // https://www.rfc-editor.org/rfc/rfc8058
            ...(mail.unsubscribeUrl !== undefined && {
              'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
      } catch (error) {
        const isTransmitted = contents.get(messageId)?.readableDidRead ?? false;
        throw new MailError(failureOf(error, isTransmitted), messageOf(error));
      } finally {
        waiting -= 1;
        contents.delete(messageId);
      }
    },
    async check() {
      // One at a time, for all who ask meanwhile.
      check ??= transport.verify().finally(() => {
        check = undefined;
      });
      await check.catch((error) => {
        throw new MailError('unavailable', messageOf(error));
      });
    },
    close: () => transport.close(),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
/** Of an address such as `Gate <no-reply@gate.example>`. */
const domainOf = (from: string): string => from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');

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
    // Once more, if the server has ended a connection that was kept open.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: RESPONSE_MS,
    // The content of a mail comes from us: nothing is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** A mail to one person: its text, and its one button. */
export interface Mail {
  readonly to: string;
  /** What can be acted on, with its name and figures first: the only line that is read in an inbox. */
  readonly subject: string;
  /** What the mail says above its text; the subject by default. */
  readonly heading?: string;
  /** The subject matter, one paragraph each. */
  readonly paragraphs: readonly string[];
  readonly lists?: readonly MailList[];
  readonly link?: { readonly label: string; readonly url: string };
  /** Where its reader can turn off emails of this kind, after signing in. */
  readonly settingsUrl?: string;
  /** Where one request, without signing in, ends emails of this kind. */
  readonly unsubscribeUrl?: string;
}

interface MailList {
  readonly heading: string;
  readonly lines: readonly MailLine[];
}

/** A line of a list: what is told of something, which the line may name, with its page. */
interface MailLine {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly text: string;
}

export interface Sender {
  readonly name: string;
  /** Where its reader can ask: an email address, which also gets the answers, or a URL. */
  readonly contact?: string | undefined;
  /** The color of buttons in light and in dark mails, such as #0b7a55. */
  readonly accent?: { readonly light: string; readonly dark: string } | undefined;
}

/** The accent of a service of which none is set, as in assets/shell.css. */
const ACCENT = { light: '#0b7a55', dark: '#4cc796' };

const SETTINGS_LABEL = 'Turn off these emails';
const UNSUBSCRIBE_LABEL = 'Unsubscribe';

/** A mail for programs that show text: each address stands in a line of its own. */
export function toText(mail: Mail, { name, contact }: Sender): string {
  const { paragraphs, lists = [], link, settingsUrl, unsubscribeUrl } = mail;
  return [
    ...(mail.heading === undefined ? [] : [mail.heading]),
    ...paragraphs,
    ...lists.map(({ heading, lines }) => [heading, ...lines.map(lineText)].join('\n')),
    ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]),
    ...(contact === undefined ? [] : [`Questions? ${contact}`]),
    ...(settingsUrl === undefined ? [] : [`${SETTINGS_LABEL}:\n${settingsUrl}`]),
    ...(unsubscribeUrl === undefined ? [] : [`${UNSUBSCRIBE_LABEL}:\n${unsubscribeUrl}`]),
    `-- \n${name}`,
  ].join('\n\n');
}

function lineText({ name, url, text }: MailLine): string {
  const told = name === undefined ? text : `${name}: ${text}`;
  return url === undefined ? `- ${told}` : `- ${told}\n  ${url}`;
}

/**
 * A mail in the look of the service's pages: a card with its one button, and the address below, which wraps. Programs
 * that ignore the style sheet show the light colors, which are written into the elements.
 */
export function toHtml(mail: Mail, { name, contact, accent = ACCENT }: Sender): string {
  const { subject, heading = subject, paragraphs, lists = [], link, settingsUrl, unsubscribeUrl } = mail;
  const { light, dark } = accent;
  const title = heading.replace(/\s+/g, ' ');
  const soft = (content: unknown) =>
    html`<p class="soft" style="margin: 16px 0 0; color: #595e64; font-size: 13px; overflow-wrap: anywhere">${content}</p>
`;
  const font = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #121415 !important }
  .card { background: #191c1e !important; border-color: #2f3437 !important; color: #e9ebea !important }
  .soft, .soft a { color: #a5abb0 !important }
  .line { border-color: #2f3437 !important }
  .button { background: ${dark} !important; color: #101214 !important }
}
@media (max-width: 480px) {
  .around { padding: 8px 6px !important }
  .card { padding: 20px 16px !important }
  .button { display: block !important; text-align: center !important }
}
</style>
</head>
<body class="page" style="margin: 0; background: #fafaf8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="around" align="center" style="padding: 32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 600px; table-layout: fixed"><tr>
<td class="card" style="padding: 28px; border: 1px solid #e2e4df; border-radius: 12px; background: #ffffff; color: #1a1c1e; font: 16px/1.55 ${font}">
<p class="soft" style="margin: 0 0 12px; color: #595e64; font-size: 13px">${name}</p>
<h1 style="margin: 0 0 16px; font-size: 21px; line-height: 1.3; overflow-wrap: anywhere">${title}</h1>
${paragraphs.map((paragraph) => html`<p style="margin: 0 0 16px; overflow-wrap: anywhere">${paragraph}</p>\n`)}${lists.map(
  ({
    heading,
    lines,
  }) => html`<h2 style="margin: 24px 0 8px; font-size: 16px; overflow-wrap: anywhere">${heading}</h2>
<ul style="margin: 0 0 16px; padding: 0; list-style: none; overflow-wrap: anywhere">${lines.map(lineHtml)}</ul>
`,
)}${
  link !== undefined &&
  html`<p style="margin: 24px 0"><a class="button" href="${link.url}"
  style="display: inline-block; padding: 11px 20px; border-radius: 8px;
  background: ${light}; color: #ffffff; font-weight: 600; text-decoration: none">${link.label}</a></p>
<p class="soft" style="margin: 0; color: #595e64; font-size: 13px">If the button does not work, open this address:<br>
<a href="${link.url}" style="color: #595e64; word-break: break-all">${link.url}</a></p>
`
}${contact !== undefined && soft(html`Questions? ${softLink(contactUrl(contact), contact)}`)}${
  settingsUrl !== undefined && soft(softLink(settingsUrl, SETTINGS_LABEL))
}${unsubscribeUrl !== undefined && soft(softLink(unsubscribeUrl, UNSUBSCRIBE_LABEL))}</td>
</tr></table>
</td></tr></table>
</body>
</html>
`.toString();
}

const softLink = (url: string, text: string) => html`<a href="${url}" style="color: #595e64">${text}</a>`;

/** What is told of something below its name, as both may be long. */
function lineHtml({ name, url, text }: MailLine) {
  const title =
    url === undefined
      ? html`<strong>${name}</strong>`
      : html`<a href="${url}" style="color: inherit; font-weight: 600">${name}</a>`;
  return html`<li class="line" style="margin: 0; padding: 8px 0; border-top: 1px solid #e2e4df">${
    name !== undefined && html`${title}<br>`
  }${text}</li>
`;
}
