import type pg from 'pg';
import { repeat, type Schedule } from '../../lib/loop/schedule.ts';
import { isRefusedAddress, type Mail, type Mailer } from '../../lib/mail/open-mailer.ts';

/** An email to an account about something that happened. */
export interface DueMail {
  readonly kind: string;
  readonly accountId: string;
  /** What it is about: the id of a key. */
  readonly subject: string;
  /** What happened. With the kind, the account and the subject, it names an email: each is sent at most once. */
  readonly occasion: string;
  readonly mail: Mail;
}

export interface MailOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly mailer: Pick<Mailer, 'send'>;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Receives what was not sent. */
  readonly onError: (error: unknown) => void;
  /** The public origin of the gateway. */
  readonly origin: () => string;
  readonly service: { readonly name: string };
  /** By the timers of this process by default. */
  readonly schedule?: Schedule | undefined;
}

/** How often one of all nodes looks for emails of a kind. */
export const RUN_MS = 300_000;

/** After this time, an email that was recorded and not sent was interrupted: sending gives up much earlier. */
const INTERRUPTED_MS = 600_000;
const KEPT_MS = 31 * 86_400_000;

/** The condition on an account `a` that it gets emails that tell it something. */
export const RECIPIENT = `a.email_verified AND a.email IS NOT NULL AND a.disabled_at IS NULL
  AND a.refused_email IS DISTINCT FROM a.email`;

const BY_ID = 'kind = $1 AND account_id = $2 AND subject = $3 AND occasion = $4';
const idOf = ({ kind, accountId, subject, occasion }: DueMail) => [kind, accountId, subject, occasion];

/** Sends emails that tell people something, each at most once, whatever node stops at whatever moment. */
export function createMailSender(options: Omit<MailOptions, 'origin' | 'service'>) {
  const { pool, mailer, now, onError, schedule } = options;
  const at = (before = 0): Date => new Date(now() - before);
  /** @param claim a statement that changes a row for one of the nodes that want to send the email. */
  const sendOnce = async (claim: string, due: DueMail): Promise<void> => {
    const { rowCount } = await pool.query(claim, [...idOf(due), at()]);
    if (rowCount !== 1) {
      return;
    }
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
      [...idOf(due), failure, at()],
    );
  };
  /** Whether this node is to look for emails of a kind: of all nodes one does, once in {@link RUN_MS}. */
  const begin = async (kind: string): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `INSERT INTO mail_runs AS runs (kind, run_at) VALUES ($1, $2)
       ON CONFLICT (kind) DO UPDATE SET run_at = excluded.run_at WHERE runs.run_at <= $3`,
      [kind, at(), at(RUN_MS)],
    );
    return rowCount === 1;
  };
  return {
    /**
     * Repeats the search for emails of a kind until that is stopped. Errors are reported.
     *
     * @param first what every node does before it, each time.
     */
    repeat: (kind: string, ms: number, run: () => Promise<void>, first?: () => Promise<void>) =>
      repeat(
        async () => {
          try {
            await first?.();
            if (await begin(kind)) {
              await run();
            }
          } catch (error) {
            onError(error);
          }
          return ms;
        },
        ms,
        schedule,
      ),
    /** Sends what was not recorded before. Failures are recorded and reported: nothing is sent twice. */
    send: (due: DueMail) =>
      sendOnce(
        `INSERT INTO sent_mails (kind, account_id, subject, occasion, recorded_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING`,
        due,
      ),
    /** The same for what was recorded with its content: by the node that takes that away. */
    sendRecorded: (due: DueMail) =>
      sendOnce(
        `UPDATE sent_mails SET told = content, content = NULL, recorded_at = $5 WHERE ${BY_ID} AND content IS NOT NULL`,
        due,
      ),
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
