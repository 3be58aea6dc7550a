import type pg from 'pg';
import { isRefusedAddress, type Mail, type Mailer } from '../../lib/mail/open-mailer.ts';

/** An email to an account about something that happened. */
export interface DueMail {
  readonly accountId: string;
  /** What it is about: the id of a key. */
  readonly subject: string;
  /** What happened. With the kind, the account and the subject, it names an email: each is sent at most once. */
  readonly occasion: string;
  readonly mail: Mail;
}

export interface SenderOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly mailer: Pick<Mailer, 'send'>;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Receives what was not sent. */
  readonly onError: (error: unknown) => void;
}

/** After this time, an email that was recorded and not sent was interrupted: sending gives up much earlier. */
const INTERRUPTED_MS = 600_000;
const KEPT_MS = 31 * 86_400_000;

/** The condition on an account `a` that it gets emails that tell it something. */
export const RECIPIENT = `a.email_verified AND a.email IS NOT NULL AND a.disabled_at IS NULL
  AND a.refused_email IS DISTINCT FROM a.email`;

const BY_ID = 'kind = $1 AND account_id = $2 AND subject = $3 AND occasion = $4';
const idOf = (kind: string, { accountId, subject, occasion }: DueMail) => [
  kind,
  accountId,
  subject,
  occasion,
];

/** Sends emails that tell people something, each at most once, whatever node stops at whatever moment. */
export function createMailSender({ pool, mailer, now, onError }: SenderOptions) {
  const at = (before = 0): Date => new Date(now() - before);
  const deliver = async (kind: string, due: DueMail): Promise<void> => {
    const { accountId, mail } = due;
    const failure = await mailer.send(mail).then(
      () => null,
      async (error: unknown) => {
        onError(error);
        if (isRefusedAddress(error)) {
          await pool.query('UPDATE accounts SET refused_email = email WHERE id = $1 AND email = $2', [
            accountId,
            mail.to,
          ]);
        }
        return String(error instanceof Error ? error.message : error).slice(0, 500);
      },
    );
    await pool.query(
      `UPDATE sent_mails SET sent_at = CASE WHEN $5::text IS NULL THEN $6::timestamptz END, failure = $5 WHERE ${BY_ID}`,
      [...idOf(kind, due), failure, at()],
    );
  };
  return {
    /** Whether this node is to look for emails of a kind: of all nodes one does, once in so many ms. */
    async begin(kind: string, pauseMs: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        `INSERT INTO mail_runs AS runs (kind, run_at) VALUES ($1, $2)
         ON CONFLICT (kind) DO UPDATE SET run_at = excluded.run_at WHERE runs.run_at <= $3`,
        [kind, at(), at(pauseMs)],
      );
      return rowCount === 1;
    },
    /** Sends what was not recorded before. Failures are recorded and reported: nothing is sent twice. */
    async send(kind: string, due: DueMail): Promise<void> {
      const { rowCount } = await pool.query(
        `INSERT INTO sent_mails (kind, account_id, subject, occasion, recorded_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING`,
        [...idOf(kind, due), at()],
      );
      if (rowCount === 1) {
        await deliver(kind, due);
      }
    },
    /** The same for what was recorded with its content: by the node that takes that away. */
    async sendRecorded(kind: string, due: DueMail): Promise<void> {
      const { rowCount } = await pool.query(
        `UPDATE sent_mails SET told = content, content = NULL, recorded_at = $5 WHERE ${BY_ID} AND content IS NOT NULL`,
        [...idOf(kind, due), at()],
      );
      if (rowCount === 1) {
        await deliver(kind, due);
      }
    },
    /** Reports emails of a kind whose sending a stop of their node interrupted, and forgets old ones. */
    async tidy(kind: string): Promise<void> {
      const { rows } = await pool.query<{ accountId: string; subject: string }>(
        `UPDATE sent_mails SET failure = 'interrupted'
         WHERE kind = $1 AND sent_at IS NULL AND failure IS NULL AND content IS NULL AND recorded_at < $2
         RETURNING account_id AS "accountId", subject`,
        [kind, at(INTERRUPTED_MS)],
      );
      for (const { accountId, subject } of rows) {
        onError(
          new Error(`An email (${kind}) to account ${accountId} about ${subject} may not have been sent`),
        );
      }
      await pool.query('DELETE FROM sent_mails WHERE kind = $1 AND recorded_at < $2', [kind, at(KEPT_MS)]);
    },
  };
}

export type MailSender = ReturnType<typeof createMailSender>;
