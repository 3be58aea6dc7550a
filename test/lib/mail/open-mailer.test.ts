import { createServer } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Mail, openMailer } from '../../../src/lib/mail/open-mailer.ts';
import { failureOf as failureOfError } from '../../../src/lib/mail/outcome.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openSmtpServer, type SmtpStage } from '../../support/servers/smtp.ts';

const smtp = await openSmtpServer();
const { host: url, received } = smtp;

const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Confirm your address',
  paragraphs: ['Hello <Ada>.', 'A second paragraph.'],
  link: { label: 'Confirm', url: 'https://gate.example/dashboard/verify?token=a.b-c_d&x=1' },
};
const from = 'revgate <no-reply@gate.example>';
const open = (smtpUrl: string | undefined, print?: (text: string) => void, contact?: string) => {
  const mailer = openMailer({ smtpUrl, from, sender: { name: 'Gate & Co', contact }, print });
  closeAfterwards(() => mailer.close());
  return mailer;
};
const failureOf = (mailer: ReturnType<typeof open>, sent = mail): Promise<unknown> =>
  mailer.send(sent).then(
    () => 'sent',
    ({ failure }) => failure,
  );

beforeEach(() => {
  received.length = 0;
  smtp.accept();
});

describe('a mail server', () => {
  it('gets a mail as text and as HTML, with the sender of the settings', async () => {
    const mailer = open(`smtp://me:hunter2@${url}`);
    expect(mailer.kind).toBe('smtp');
    await mailer.send({ ...mail, subject: `${mail.subject}\r\nBcc: eve@example.com` });
    const last = received.at(-1);
    expect(last).toMatchObject({ from: 'no-reply@gate.example', to: ['ada@example.com'], user: 'me' });
    const text = last?.text ?? '';
    expect(text).toContain('Subject: Confirm your address');
    // Nor any header or recipient from a subject.
    expect(text).not.toMatch(/^Bcc:/m);
    expect(text).not.toMatch(/^Reply-To:/m);
    expect(text).toContain('Auto-Submitted: auto-generated');
    expect(text).toContain('Confirm:\r\nhttps://gate.example/dashboard/verify?token=a.b-c_d&x=1');
    expect(text).toContain('>Hello &lt;Ada&gt;.</p>');
    expect(text).toContain('>Gate &amp; Co</p>');
    expect(text).toContain('href="https://gate.example/dashboard/verify?token=a.b-c_d&amp;x=1"');
  });

  it('gets the contact in every mail, and answers go there if it is an address', async () => {
    await open(`smtp://${url}`, undefined, 'help@gate.example').send(mail);
    await open(`smtp://${url}`, undefined, 'https://gate.example/help').send(mail);
    const [address, page] = received;
    expect(address?.raw).toMatch(/^Reply-To: help@gate\.example\r$/m);
    expect(address?.text).toContain('Questions? help@gate.example\r\n');
    expect(address?.text).toContain('<a href="mailto:help@gate.example"');
    expect(page?.raw).not.toMatch(/^Reply-To:/im);
    expect(page?.text).toContain('Questions? https://gate.example/help\r\n');
    expect(page?.text).toContain('<a href="https://gate.example/help"');
  });

  it('gets lists whose lines link what they name', async () => {
    const lines = [
      { name: 'A & B', url: 'https://gate.example/a', text: 'new' },
      { name: 'C', text: 'old' },
      { text: 'gone' },
    ];
    await open(`smtp://${url}`).send({ ...mail, lists: [{ heading: 'Changes', lines }] });
    const text = received[0]?.text ?? '';
    expect(text).toContain('Changes\r\n- A & B: new\r\n  https://gate.example/a\r\n- C: old\r\n- gone\r\n');
    expect(text).toMatch(/<li[^>]*><a href="https:\/\/gate\.example\/a"[^>]*>A &amp; B<\/a><br>new<\/li>/);
    expect(text).toMatch(/<li[^>]*><strong>C<\/strong><br>old<\/li>/);
  });

  it.each<[SmtpStage, number | 'hang-up', string]>([
    ['connect', 421, 'unavailable'],
    ['connect', 554, 'unavailable'],
    ['connect', 'hang-up', 'unavailable'],
    ['auth', 454, 'unavailable'],
    ['auth', 535, 'unavailable'],
    ['auth', 'hang-up', 'unavailable'],
    ['sender', 451, 'unavailable'],
    ['sender', 550, 'unavailable'],
    ['sender', 421, 'unavailable'],
    ['sender', 'hang-up', 'unavailable'],
    ['recipient', 450, 'deferred'],
    ['recipient', 550, 'refused'],
    ['recipient', 'hang-up', 'unavailable'],
    ['message', 452, 'deferred'],
    ['message', 421, 'unavailable'],
    ['message', 554, 'rejected'],
    ['message', 'hang-up', 'unknown'],
  ])(
    'that refuses at %s with %s leaves an email %s, and gets others afterwards',
    async (stage, refusal, failure) => {
      const mailer = open(`smtp://me:hunter2@${url}`);
      smtp.refuse(stage, refusal);
      expect(await failureOf(mailer)).toBe(failure);
      smtp.accept();
      expect(received).toEqual([]);
      expect(await failureOf(mailer)).toBe('sent');
      // Not once more: the first one was not kept.
      expect(received).toHaveLength(1);
    },
  );

  it('that ends the connection which it has kept open gets the next email by another', async () => {
    const mailer = open(`smtp://${url}`);
    expect(await failureOf(mailer)).toBe('sent');
    await smtp.stop();
    expect(await failureOf(mailer)).toBe('unavailable');
    await smtp.start();
    expect(await failureOf(mailer)).toBe('sent');
    expect(received).toHaveLength(2);
  });

  it.each([
    ['refuses the password', () => `smtp://me:wrong@${url}`, mail, 'unavailable'],
    ['knows no such mailbox', () => `smtp://${url}`, { ...mail, to: 'nobody@example.com' }, 'refused'],
    ['is not there', () => 'smtp://127.0.0.1:9', mail, 'unavailable'],
    ['could not read the address', () => `smtp://${url}`, { ...mail, to: 'a b@' }, 'refused'],
  ])('that %s is an error', async (_, urlOf, sent, failure) => {
    expect(await failureOf(open(urlOf()), sent)).toBe(failure);
    expect(received).toEqual([]);
  });

  it('says whether it takes emails, without one', async () => {
    await open(`smtp://me:hunter2@${url}`).check();
    await expect(open(`smtp://me:wrong@${url}`).check()).rejects.toMatchObject({ failure: 'unavailable' });
    await expect(open('smtp://127.0.0.1:9').check()).rejects.toMatchObject({ failure: 'unavailable' });
    expect(received).toEqual([]);
  });

  it('that answers nothing keeps a bounded number of emails waiting', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const mailer = openMailer({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from,
      sender: { name: 'Gate' },
      print: undefined,
    });
    const waiting = Array.from({ length: 200 }, () => failureOf(mailer));
    expect(await failureOf(mailer)).toBe('unavailable');
    server.close();
    mailer.close();
    expect(new Set(await Promise.all(waiting.slice(2)))).toEqual(new Set(['unavailable']));
  });
});

describe('an error of sending', () => {
  const refusal = { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 554 };
  it.each([
    ['of a name that is not found', { code: 'EDNS', command: 'CONN' }, 'unavailable'],
    ['of TLS', { code: 'ETLS', command: 'STARTTLS' }, 'unavailable'],
    ['because of the sender', { ...refusal, response: '554 5.7.1 Relay access denied' }, 'deferred'],
    ['because of the address', { ...refusal, response: '554 5.1.1 No such user' }, 'refused'],
  ])('%s', (_, error, failure) => {
    expect(failureOfError(error, false)).toBe(failure);
  });
});

it('without a mail server, a mail is printed where that may be, and nowhere else', async () => {
  const lines: string[] = [];
  const mailer = open(undefined, (text) => lines.push(text));
  expect(mailer.kind).toBe('terminal');
  await mailer.send(mail);
  await mailer.check();
  expect(lines.join('\n')).toContain(mail.link?.url);
  expect(open(undefined).kind).toBe('none');
});
