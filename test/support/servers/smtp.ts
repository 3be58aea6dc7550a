import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Mailer, openMailer, type Sender } from '../../../src/lib/mail/open-mailer.ts';
import { closeAfterwards } from '../closing.ts';

/** An email as it arrived. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  /** Who signed in. */
  readonly user: string | undefined;
  readonly raw: string;
  /** Decoded, as the text. */
  readonly subject: string;
  readonly text: string;
}

/** Where a server can refuse an email. `message` is its content. */
export type SmtpStage = 'connect' | 'auth' | 'sender' | 'recipient' | 'message';

/** What a server answers there: a code, or it ends the connection. */
type Refusal = number | 'hang-up';

/**
 * A real mail server on this machine, closed after the test or file: "nobody" has no mailbox, "later" is asked again, and
 * it accepts everything else unless a test lets it refuse.
 */
export async function openSmtpServer() {
  const received: ReceivedMail[] = [];
  const refusals = new Map<SmtpStage, Refusal>();
  let server: SMTPServer;
  /** Answers at a stage: with an error, or not at all. @returns whether it has. */
  const refuses = (stage: SmtpStage, done: (error: Error) => void): boolean => {
    const refusal = refusals.get(stage);
    if (refusal === undefined) {
      return false;
    }
    if (refusal === 'hang-up') {
      for (const connection of server.connections as Set<{ _socket: { destroy(): void } }>) {
        connection._socket.destroy();
      }
    } else {
      done(Object.assign(new Error(`refused at ${stage}`), { responseCode: refusal }));
    }
    return true;
  };
  const options: SMTPServerOptions = {
    authOptional: true,
    closeTimeout: 50,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => refuses('connect', done) || done(),
    onAuth: ({ username = '', password }, _session, done) =>
      refuses('auth', done) ||
      (password === 'hunter2' ? done(null, { user: username }) : done(new Error('wrong password'))),
    onMailFrom: (_address, _session, done) => refuses('sender', done) || done(),
    onRcptTo: ({ address }, _session, done) => {
      if (refuses('recipient', done)) {
        return;
      }
      const known: Readonly<Record<string, [string, number]>> = {
        nobody: ['no such mailbox', 550],
        later: ['try again later', 450],
      };
      const [reason, responseCode] = known[address.split('@')[0] ?? ''] ?? [];
      done(reason === undefined ? null : Object.assign(new Error(reason), { responseCode }));
    },
    onData: (stream, { envelope, user }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuses('message', done)) {
          return;
        }
        const raw = Buffer.concat(chunks).toString('latin1');
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          user: user as string | undefined,
          raw,
          subject: subjectOf(raw),
          text: decode(raw),
        });
        done();
      });
    },
  };
  const start = async (port: number): Promise<void> => {
    server = new SMTPServer(options);
    // A client that leaves is no error.
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  };
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  await start(0);
  closeAfterwards(stop);
  // biome-ignore lint/style/noNonNullAssertion: it was started.
  const { port } = server!.server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    received,
    host,
    /** Lets it refuse what it accepts otherwise, until {@link accept}. */
    refuse: (stage: SmtpStage, refusal: Refusal) => void refusals.set(stage, refusal),
    accept: () => refusals.clear(),
    /** Connections are refused until it is started again. */
    stop,
    start: () => start(port),
    /** A mailer that sends to it. */
    open(sender: Partial<Sender> = {}, account = ''): Mailer {
      const { name = 'Gate' } = sender;
      const from = `${name} <no-reply@gate.example>`;
      const smtpUrl = `smtp://${account}${host}`;
      const mailer = openMailer({ smtpUrl, from, sender: { name, ...sender }, print: undefined });
      closeAfterwards(() => mailer.close());
      return mailer;
    },
  };
}

/** The words of a subject, which RFC 2047 encodes. */
function subjectOf(raw: string): string {
  const [, subject = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw) ?? [];
  return subject
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/\r\n[ \t]/g, ' ')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decode(word.replaceAll('_', ' ')),
    );
}

/** Quoted-printable as text. */
function decode(raw: string): string {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
