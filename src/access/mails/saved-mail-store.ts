import type pg from 'pg';
import { type AccountLists, type StoredLists, toLists } from '../accounts/lists.ts';
import { RECIPIENT } from './queue.ts';
import { type MailFrequency, SAVED_MAILS, WANTS_MAILS } from './saved-mail-settings.ts';

/** What an account has saved and is told of. */
export interface Subscriber extends AccountLists {
  readonly accountId: string;
  /** Since when it is told of its shortlist, in ISO 8601; null: it is not. */
  readonly shortlistSince: string | null;
}

/** What an email tells, as it is stored. */
export interface Digest {
  /** How many changes there were. */
  readonly total: number;
  readonly lists: readonly DigestList[];
}

/** The changes of a saved search, or of the shortlist. */
export interface DigestList {
  readonly heading: string;
  /** How many there were: not all of them may be stored. */
  readonly total: number;
  readonly lines: readonly DigestLine[];
}

/** A change, of a startup that has a page if it has a slug. */
export interface DigestLine {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly text: string;
}

/** The same, of an account. */
export interface StoredDigest extends Digest {
  readonly accountId: string;
  /** What it is compared with, in ISO 8601. */
  readonly since: string;
}

/** How many accounts are read and written at once. */
export const BATCH = 100;
const kindOf = (frequency: MailFrequency): string => `${SAVED_MAILS}-${frequency}`;
const figuresOf = (frequency: MailFrequency, at: Date): string => `${kindOf(frequency)} ${at.toISOString()}`;

/** Stores emails about what accounts saved, and the figures that they were compared with. */
export function createSavedMailStore(pool: Pick<pg.Pool, 'query' | 'connect'>) {
  return {
    /** When emails were written last; undefined before the first time. */
    async lastRun(frequency: MailFrequency): Promise<Date | undefined> {
      const { rows } = await pool.query<{ runAt: Date }>(
        'SELECT run_at AS "runAt" FROM mail_runs WHERE kind = $1',
        [kindOf(frequency)],
      );
      return rows[0]?.runAt;
    },
    /** Removes the figures where nobody is told of anything. */
    async forget(frequency: MailFrequency): Promise<void> {
      await pool.query('DELETE FROM told_figures WHERE kind LIKE $1', [`${kindOf(frequency)} %`]);
      await pool.query('DELETE FROM mail_runs WHERE kind = $1', [kindOf(frequency)]);
    },
    /** Accounts with something to be told of, in the order of their ids: at most {@link BATCH} after one of them. */
    async readSubscribers(frequency: MailFrequency, after: string): Promise<Subscriber[]> {
      const { rows } = await pool.query<StoredLists & { accountId: string; shortlistSince: Date | null }>(
        `SELECT a.id AS "accountId", l.shortlist, l.searches, l.shortlist_mails_since AS "shortlistSince"
         FROM account_lists AS l JOIN accounts AS a ON a.id = l.account_id
         WHERE l.mails = $1 AND a.id > $2 AND ${RECIPIENT} AND ${WANTS_MAILS} ORDER BY a.id LIMIT ${BATCH}`,
        [frequency, after],
      );
      return rows.map(({ accountId, shortlistSince, ...lists }) => ({
        accountId,
        ...toLists(lists),
        shortlistSince: shortlistSince?.toISOString() ?? null,
      }));
    },
    /** Part of the figures of some time; undefined after the last part. */
    async readFigures(frequency: MailFrequency, at: Date, part: number): Promise<Buffer | undefined> {
      const { rows } = await pool.query<{ figures: Buffer }>(
        'SELECT figures FROM told_figures WHERE kind = $1 AND part = $2',
        [figuresOf(frequency, at), part],
      );
      return rows[0]?.figures;
    },
    /** Stores part of the figures of a time, which are used once {@link record} has recorded that time. */
    async addFigures(frequency: MailFrequency, at: Date, part: number, figures: Buffer): Promise<void> {
      const kind = figuresOf(frequency, at);
      await pool.query('INSERT INTO told_figures VALUES ($1, $2, $3)', [kind, part, figures]);
    },
    /** Records emails, and that they were written now, unless another node has done it since the last time. */
    async record(
      frequency: MailFrequency,
      { last, at }: { readonly last: Date | undefined; readonly at: Date },
      mails: readonly StoredDigest[],
    ): Promise<void> {
      const kind = kindOf(frequency);
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const { rowCount } = await client.query(
          `INSERT INTO mail_runs AS runs (kind, run_at) VALUES ($1, $2)
           ON CONFLICT (kind) DO UPDATE SET run_at = excluded.run_at WHERE runs.run_at = $3`,
          [kind, at, last],
        );
        if (rowCount === 1) {
          // Also those of nodes that have stopped, or were late.
          const others = 'kind LIKE $1 AND kind <> $2';
          const kept = figuresOf(frequency, at);
          await client.query(`DELETE FROM told_figures WHERE ${others}`, [`${kind} %`, kept]);
          for (let start = 0; start < mails.length; start += BATCH) {
            const part = JSON.stringify(mails.slice(start, start + BATCH));
            await client.query(
              `INSERT INTO sent_mails (kind, account_id, subject, occasion, recorded_at, content)
               SELECT $1, content ->> 'accountId', $2, $3, $4, content FROM jsonb_array_elements($5) AS content`,
              [SAVED_MAILS, frequency, at.toISOString(), at, part],
            );
          }
        }
        await client.query('COMMIT');
        client.release();
      } catch (error) {
        // Closing the connection rolls back.
        client.release(true);
        throw error;
      }
    },
  };
}
