import { html } from 'hono/html';
import { createTransport } from 'nodemailer';

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
  readonly from: string;
  readonly sender: Sender;
  /** Prints a mail where there is no server; undefined: nothing may be printed. */
  readonly print: ((text: string) => void) | undefined;
}

const TIMEOUT_MS = 10_000;

/** Opens the mailer. Nothing is sent before the first mail. */
export function openMailer({ smtpUrl, from, sender, print }: MailerOptions): Mailer {
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
    },
    close: () => transport.close(),
  };
}

/** Whether a mail was not accepted because the server refuses its recipient for good, not for now and not the sender. */
export function isRefusedAddress(error: unknown): boolean {
  const { code, rejectedErrors = [] } = error as {
    readonly code?: unknown;
    readonly rejectedErrors?: readonly { readonly responseCode?: number }[];
  };
  return (
    code === 'EENVELOPE' &&
    rejectedErrors.length > 0 &&
    rejectedErrors.every(({ responseCode = 0 }) => responseCode >= 500)
  );
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

/** A mail to one person: its text, and its one link. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The subject matter, one paragraph each. */
  readonly paragraphs: readonly string[];
  readonly lists?: readonly MailList[];
  readonly link?: { readonly label: string; readonly url: string };
  /** Where one request, without signing in, ends emails of this kind. */
  readonly unsubscribeUrl?: string;
}

export interface MailList {
  readonly heading: string;
  readonly lines: readonly string[];
}

export interface Sender {
  readonly name: string;
  /** The color of buttons in light and in dark mails, such as #0b7a55. */
  readonly accent?: { readonly light: string; readonly dark: string } | undefined;
}

/** The accent of a service of which none is set, as in assets/shell.css. */
const ACCENT = { light: '#0b7a55', dark: '#4cc796' };

/** A mail for programs that show text: the address stands in a line of its own. */
export function toText({ paragraphs, lists = [], link, unsubscribeUrl }: Mail, { name }: Sender): string {
  return [
    ...paragraphs,
    ...lists.map(({ heading, lines }) => [heading, ...lines.map((line) => `- ${line}`)].join('\n')),
    ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]),
    ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe:\n${unsubscribeUrl}`]),
    `-- \n${name}`,
  ].join('\n\n');
}

/**
 * A mail in the look of the service's pages: a card with its one button, and the address below, which wraps. Programs
 * that ignore the style sheet show the light colors, which are written into the elements.
 */
export function toHtml(mail: Mail, { name, accent = ACCENT }: Sender): string {
  const { subject, paragraphs, lists = [], link, unsubscribeUrl } = mail;
  const { light, dark } = accent;
  const title = subject.replace(/\s+/g, ' ');
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
  .button { background: ${dark} !important; color: #101214 !important }
}
</style>
</head>
<body class="page" style="margin: 0; background: #fafaf8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding: 32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 540px; table-layout: fixed"><tr>
<td class="card" style="padding: 28px; border: 1px solid #e2e4df; border-radius: 12px; background: #ffffff; color: #1a1c1e; font: 16px/1.55 ${font}">
<p style="margin: 0 0 20px; font-weight: 650">${name}</p>
<h1 style="margin: 0 0 16px; font-size: 21px; line-height: 1.3">${title}</h1>
${paragraphs.map((paragraph) => html`<p style="margin: 0 0 16px; overflow-wrap: anywhere">${paragraph}</p>\n`)}${lists.map(
  ({
    heading,
    lines,
  }) => html`<h2 style="margin: 0 0 6px; font-size: 16px; overflow-wrap: anywhere">${heading}</h2>
<ul style="margin: 0 0 16px; padding: 0 0 0 20px; overflow-wrap: anywhere">${lines.map((line) => html`<li>${line}</li>\n`)}</ul>
`,
)}${
  link !== undefined &&
  html`<p style="margin: 24px 0"><a class="button" href="${link.url}"
  style="display: inline-block; padding: 11px 20px; border-radius: 8px;
  background: ${light}; color: #ffffff; font-weight: 600; text-decoration: none">${link.label}</a></p>
<p class="soft" style="margin: 0; color: #595e64; font-size: 13px">If the button does not work, open this address:<br>
<a href="${link.url}" style="color: #595e64; word-break: break-all">${link.url}</a></p>
`
}${
  unsubscribeUrl !== undefined &&
  html`<p class="soft" style="margin: 16px 0 0; color: #595e64; font-size: 13px"><a href="${unsubscribeUrl}" style="color: #595e64">Unsubscribe</a></p>
`
}</td>
</tr></table>
</td></tr></table>
</body>
</html>
`.toString();
}
