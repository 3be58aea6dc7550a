import { describe, expect, it } from 'vitest';
import { type Mail, openMailer } from '../../../src/lib/mail/open-mailer.ts';
import { openSmtpServer } from '../../support/servers/smtp.ts';

const { host: url, received } = await openSmtpServer();

const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Confirm your address',
  paragraphs: ['Hello <Ada>.', 'A second paragraph.'],
  link: { label: 'Confirm', url: 'https://gate.example/dashboard/verify?token=a.b-c_d&x=1' },
};
const from = 'revgate <no-reply@gate.example>';
const open = (smtpUrl: string | undefined, print?: (text: string) => void) =>
  openMailer({ smtpUrl, from, sender: { name: 'Gate & Co' }, print });

describe('a mail server', () => {
  it('gets a mail as text and as HTML, with the sender of the settings', async () => {
    const mailer = open(`smtp://me:hunter2@${url}`);
    expect(mailer.kind).toBe('smtp');
    await mailer.send({ ...mail, subject: `${mail.subject}\r\nBcc: eve@example.com` });
    mailer.close();
    const last = received.at(-1);
    expect(last).toMatchObject({ from: 'no-reply@gate.example', to: ['ada@example.com'], user: 'me' });
    const text = last?.text ?? '';
    expect(text).toContain('Subject: Confirm your address');
    // Nor any header or recipient from a subject.
    expect(text).not.toMatch(/^Bcc:/m);
    expect(text).toContain('Auto-Submitted: auto-generated');
    expect(text).toContain('Confirm:\r\nhttps://gate.example/dashboard/verify?token=a.b-c_d&x=1');
    expect(text).toContain('>Hello &lt;Ada&gt;.</p>');
    expect(text).toContain('>Gate &amp; Co</p>');
    expect(text).toContain('href="https://gate.example/dashboard/verify?token=a.b-c_d&amp;x=1"');
  });

  it.each([
    ['refuses the password', () => `smtp://me:wrong@${url}`, mail],
    ['knows no such mailbox', () => `smtp://${url}`, { ...mail, to: 'nobody@example.com' }],
    ['is not there', () => 'smtp://127.0.0.1:9', mail],
  ])('that %s is an error', async (_, urlOf, sent) => {
    const before = received.length;
    const mailer = open(urlOf());
    await expect(mailer.send(sent)).rejects.toThrow();
    mailer.close();
    expect(received).toHaveLength(before);
  });
});

it('without a mail server, a mail is printed where that may be, and nowhere else', async () => {
  const lines: string[] = [];
  const mailer = open(undefined, (text) => lines.push(text));
  expect(mailer.kind).toBe('terminal');
  await mailer.send(mail);
  expect(lines.join('\n')).toContain(mail.link?.url);
  expect(open(undefined).kind).toBe('none');
});
