import { createTransport } from 'nodemailer';
import { type Mail, type Sender, toHtml, toText } from './mail-body.ts';

export type { Mail, MailList } from './mail-body.ts';

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
