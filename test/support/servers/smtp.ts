import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type Mailer, openMailer } from '../../../src/lib/mail/open-mailer.ts';
import { closeAfterwards } from '../closing.ts';

/** An email as it arrived. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  /** Who signed in. */
  readonly user: string | undefined;
  readonly raw: string;
  /** Decoded. */
  readonly text: string;
}

/** A real mail server on this machine, closed after the test or file: "nobody" has no mailbox, "later" is asked again. */
export async function openSmtpServer() {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username = '', password }, _session, done) =>
      password === 'hunter2' ? done(null, { user: username }) : done(new Error('wrong password')),
    onRcptTo: ({ address }, _session, done) => {
      const refusals: Readonly<Record<string, [string, number]>> = {
        nobody: ['no such mailbox', 550],
        later: ['try again later', 450],
      };
      const [reason, responseCode] = refusals[address.split('@')[0] ?? ''] ?? [];
      done(reason === undefined ? null : Object.assign(new Error(reason), { responseCode }));
    },
    onData: (stream, { envelope, user }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('latin1');
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          user: user as string | undefined,
          raw,
          text: decode(raw),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterwards(() => new Promise<void>((resolve) => server.close(resolve)));
  const host = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return {
    received,
    host,
    /** A mailer that sends to it. */
    open(name = 'Gate'): Mailer {
      const from = `${name} <no-reply@gate.example>`;
      const mailer = openMailer({ smtpUrl: `smtp://${host}`, from, sender: { name }, print: undefined });
      closeAfterwards(() => mailer.close());
      return mailer;
    },
  };
}

/** Quoted-printable as text. */
function decode(raw: string): string {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
