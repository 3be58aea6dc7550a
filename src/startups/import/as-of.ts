import { OperatorError } from '../../lib/errors.ts';
import type { ImportClient } from './staging.ts';

/** The past day as of which data is imported. */
export interface AsOf {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  /** For how many days points of the history are kept. */
  readonly historyDays: number;
}

/**
 * Checks that data may be imported as of a day. Past days are imported from the oldest to the newest, because a
 * startup's state on a day follows from the days before.
 *
 * @throws OperatorError when it may not.
 */
export async function checkDay(client: ImportClient, { day, historyDays }: AsOf): Promise<void> {
  const { rows } = await client.query(
    `SELECT days.*, imported.* FROM (
       SELECT today::text, (today - $1::integer)::text AS oldest FROM revgate_utc_day(clock_timestamp()) AS today
     ) AS days, (SELECT max(as_of)::text AS last FROM imports) AS imported`,
    [historyDays],
  );
  const { today, oldest, last } = rows[0] as { today: string; oldest: string; last: string | null };
  // Such texts are in the order of their days.
  if (day > today || day < oldest) {
    throw new OperatorError(
      `--as-of: got "${day}", allowed: a day from ${oldest}, the oldest that HISTORY_DAYS keeps, to ${today}, today in UTC. Nothing was written.`,
    );
  }
  if (last !== null && day < last) {
    throw new OperatorError(
      `--as-of: got "${day}", but ${last} has been imported already: import past days from the oldest to the newest. Nothing was written.`,
    );
  }
}
