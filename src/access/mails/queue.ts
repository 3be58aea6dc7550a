import type pg from 'pg';
import { amount } from '../../lib/errors.ts';
import { repeat, type Schedule } from '../../lib/loop/schedule.ts';
import type { Mail, Mailer } from '../../lib/mail/open-mailer.ts';
import { MailError, type MailFailure, type MailOutcome } from '../../lib/mail/outcome.ts';
import type { CountMail, ToldMail } from './kinds.ts';

/** Names an email: each is sent at most once. */
interface MailId {
  readonly accountId: string;
  /** What it is about: the id of a key. */
  readonly subject: string;
  /** What happened. */
  readonly occasion: string;
}

/** Emails of a kind that wait to be sent: whether they are still to be sent, and what they say. */
export interface WaitingMails<Row extends object> {
  readonly kind: ToldMail;
  /** Tables in SQL, of which `a` is that of accounts: `accounts AS a`. */
  readonly tables: string;
  /** A condition on them, on `s`, a row of sent_mails, and on the time $2. An email without such rows is dropped. */
  readonly wanted: string;
  /** What {@link toMail} needs, in SQL. */
  readonly columns: string;
  readonly toMail: (row: Row & MailId & { readonly email: string }) => Mail;
}

export interface MailOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly mailer: Pick<Mailer, 'send'>;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Receives what was not sent. */
  readonly onError: (error: unknown) => void;
  readonly onOutcome: CountMail;
  /** Whether this database is a copy, whose emails wait until an operator releases them. */
  readonly isHeld: () => Promise<boolean>;
  /** The public origin of the gateway. */
  readonly origin: () => string;
  readonly service: { readonly name: string };
  /** By the timers of this process by default. */
  readonly schedule?: Schedule | undefined;
}

/** How often one of all nodes looks for emails of a kind. */
export const RUN_MS = 300_000;
/** An email that waits for longer is given up. */
export const GIVEN_UP_MS = 2 * 86_400_000;

/** After this time, an email that a node began to send was interrupted: sending gives up much earlier. */
const INTERRUPTED_MS = 600_000;
const KEPT_MS = 31 * 86_400_000;
/** The longest pause before an email is tried again. */
const MOST_RETRY_MS = 6 * 3_600_000;
/** How many emails are read at once. */
const BATCH = 100;

/** The condition on an account `a` that it gets emails that tell it something, even if it is disabled. */
export const REACHED =
  'a.email_verified AND a.email IS NOT NULL AND a.refused_email IS DISTINCT FROM a.email';
/** The same for one that is not disabled. */
export const RECIPIENT = `${REACHED} AND a.disabled_at IS NULL`;

/** The condition on an email `s` that it waits. */
export const WAITS = 's.outcome IS NULL AND s.claimed_at IS NULL AND s.content IS NOT NULL';
const IS_DUE = `${WAITS} AND (s.retry_at IS NULL OR s.retry_at <= $2)`;
const BY_ID = 's.kind = $1 AND s.account_id = $3 AND s.subject = $4 AND s.occasion = $5';

/** What is recorded of an email that is not tried again. */
const ended: Readonly<Record<Exclude<MailFailure, 'unavailable' | 'deferred'>, MailOutcome>> = {
  refused: 'refused',
  rejected: 'failed',
  unknown: 'unknown',
};

/**
 * Sends emails that tell people something. They wait in the database: each is sent at most once, whatever node stops at
 * whatever moment, and one that the mail server has certainly not taken is tried again for two days.
 */
export function createMailQueue(options: Omit<MailOptions, 'origin' | 'service'>) {
  const { pool, mailer, now, onError, onOutcome, isHeld, schedule } = options;
  const at = (before = 0): Date => new Date(now() - before);

  /** Sends one email, unless another node does. @returns why it was not sent, if so. */
  async function sendOne(
    kind: ToldMail,
    id: MailId,
    recordedAt: Date,
    mail: Mail,
  ): Promise<MailFailure | undefined> {
    const values = [id.accountId, id.subject, id.occasion];
    const begun = at();
    const { rowCount } = await pool.query(
      `UPDATE sent_mails AS s SET claimed_at = $2 WHERE ${BY_ID} AND ${IS_DUE}`,
      [kind, begun, ...values],
    );
    if (rowCount !== 1) {
      return undefined;
    }
    const end = async (outcome: MailOutcome, failure: string | null): Promise<void> => {
      onOutcome(kind, outcome);
      await pool.query(
        `UPDATE sent_mails AS s SET outcome = $6, failure = $7, ended_at = $2, retry_at = NULL WHERE ${BY_ID}`,
        [kind, at(), ...values, outcome, failure],
      );
    };
    try {
      await mailer.send(mail);
    } catch (error) {
      onError(error);
      const failure = error instanceof MailError ? error.failure : 'unknown';
      const text = String(error instanceof Error ? error.message : error).slice(0, 500);
      if (failure === 'unavailable' || failure === 'deferred') {
        onOutcome(kind, 'deferred');
        // Each pause is as long as it has waited until then.
        const pause = Math.min(MOST_RETRY_MS, Math.max(RUN_MS, begun.getTime() - recordedAt.getTime()));
        await pool.query(
          `UPDATE sent_mails AS s SET claimed_at = NULL, failure = $6, retry_at = $7 WHERE ${BY_ID} AND s.claimed_at = $2`,
          [kind, begun, ...values, text, at(-pause)],
        );
        return failure;
      }
      if (failure === 'refused') {
        await pool.query('UPDATE accounts SET refused_email = email WHERE id = $1 AND email = $2', [
          id.accountId,
          mail.to,
        ]);
      }
      await end(ended[failure], text);
      return failure;
    }
    await end('sent', null);
    return undefined;
  }

  /** Gives up emails that have waited too long. */
  async function giveUp(kind: ToldMail): Promise<void> {
    const { rows } = await pool.query<{ failure: string }>(
      `UPDATE sent_mails AS s SET outcome = 'given_up', ended_at = $2, failure = coalesce(failure, 'other emails failed')
       WHERE kind = $1 AND ${WAITS} AND recorded_at < $3 RETURNING failure`,
      [kind, at(), at(GIVEN_UP_MS)],
    );
    for (const _ of rows) {
      onOutcome(kind, 'given_up');
    }
    if (rows.length > 0) {
      const emails = amount(rows.length, 'email');
      onError(
        new Error(
          `${emails} (${kind}) could not be sent for two days, and are given up: ${rows[0]?.failure}`,
        ),
      );
    }
  }

  /** Reports emails whose sending a stop of their node interrupted, and forgets old ones. */
  async function tidy(): Promise<void> {
    const { rows } = await pool.query<{ kind: ToldMail; accountId: string; subject: string }>(
      `UPDATE sent_mails SET outcome = 'unknown', failure = 'interrupted', ended_at = $1
       WHERE outcome IS NULL AND claimed_at < $2
       RETURNING kind, account_id AS "accountId", subject`,
      [at(), at(INTERRUPTED_MS)],
    );
    for (const { kind, accountId, subject } of rows) {
      onOutcome(kind, 'unknown');
      onError(
        new Error(`An email (${kind}) to account ${accountId} about ${subject} may not have been sent`),
      );
    }
    await pool.query('DELETE FROM sent_mails WHERE recorded_at < $1', [at(KEPT_MS)]);
  }

  /** Whether this node is to look for emails: of all nodes one does, once in {@link RUN_MS}. */
  async function begin(name: string): Promise<boolean> {
    const { rowCount } = await pool.query(
      `INSERT INTO mail_runs AS runs (kind, run_at) VALUES ($1, $2)
       ON CONFLICT (kind) DO UPDATE SET run_at = excluded.run_at WHERE runs.run_at <= $3`,
      [name, at(), at(RUN_MS)],
    );
    return rowCount === 1;
  }

  return {
    /**
     * Repeats the search for emails until that is stopped. Errors are reported.
     *
     * @param name that of the search: one node at a time does it.
     * @param run does it; its signal is aborted when no further email is to be sent.
     * @param first what every node does before it, each time.
     */
    repeat: (
      name: string,
      ms: number,
      run: (signal: AbortSignal) => Promise<void>,
      first?: () => Promise<void>,
    ) =>
      repeat(
        async (signal) => {
          try {
            await first?.();
            if (await begin(name)) {
              await tidy();
              await run(signal);
            }
          } catch (error) {
            onError(error);
          }
          return ms;
        },
        ms,
        schedule,
      ),
    /** Sends the emails of a kind that are due, also those that another node recorded. */
    async send<Row extends object>(mails: WaitingMails<Row>, signal: AbortSignal): Promise<void> {
      const { kind, tables, wanted, columns, toMail } = mails;
      const isWanted = `a.id = s.account_id AND ${wanted}`;
      await pool.query(
        `DELETE FROM sent_mails AS s WHERE s.kind = $1 AND ${IS_DUE} AND NOT EXISTS (SELECT FROM ${tables} WHERE ${isWanted})`,
        [kind, at()],
      );
      if (await isHeld()) {
        return;
      }
      await giveUp(kind);
      for (let isLast = false; !isLast; ) {
        const { rows } = await pool.query<Row & MailId & { email: string; recordedAt: Date }>(
          `SELECT s.account_id AS "accountId", s.subject, s.occasion, s.recorded_at AS "recordedAt", a.email, ${columns}
           FROM sent_mails AS s, ${tables}
           WHERE s.kind = $1 AND ${IS_DUE} AND ${isWanted} ORDER BY s.account_id, s.subject, s.occasion LIMIT ${BATCH}`,
          [kind, at()],
        );
        for (const row of rows) {
          // While the server takes no email, one is tried each time.
          const isStopped =
            signal.aborted || (await sendOne(kind, row, row.recordedAt, toMail(row))) === 'unavailable';
          if (isStopped) {
            return;
          }
        }
        isLast = rows.length < BATCH;
      }
    },
  };
}
