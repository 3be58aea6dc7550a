import type pg from 'pg';
import { CLIENT_LEFT } from '../../lib/http/request-response.ts';

export const REFUSED_STATUS = 429;

/**
 * Whether a request with this outcome failed, by the one definition of usage, charts, metrics and the list of failed requests: not
 * if it was over the limit, or if its client left. A response with 200 and errors has the outcome of its error.
 */
export function isErrorStatus(status: number): boolean {
  return status >= 400 && status !== REFUSED_STATUS && status !== CLIENT_LEFT;
}

/** The requests of a key with the same outcome and range of durations in an hour, and when the last of them was. */
export interface UsageCount {
  readonly keyId: string;
  /** The beginning of the hour, in ms since 1970. */
  readonly hour: number;
  readonly surface: string;
  /** The HTTP status; 429 means a request over the limit. */
  readonly status: number;
  /** The origin of the page that sent them, with an embed key. */
  readonly origin?: string | undefined;
  /** The upper end of the range of their durations, in ms: Infinity for the last range. */
  readonly upTo: number;
  requests: number;
  /** ms since 1970. */
  lastUsedAt: number;
}

/** Adds counts to those that are stored. Rejects when none was added. */
export type AddUsage = (counts: readonly UsageCount[]) => Promise<void>;

// Rows are locked in the order of their keys, to prevent deadlocks between nodes.
const ADD = `WITH counts AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS counts (key_id text, hour timestamptz, surface text, status smallint,
      up_to float8, requests bigint, origin text, last_used_at timestamptz)
  ),
  counted AS (
    INSERT INTO key_usage AS stored (key_id, hour, surface, status, origin, requests)
    SELECT key_id, hour, surface, status, origin, sum(requests) FROM counts
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (key_id, hour, surface, status, origin)
      DO UPDATE SET requests = stored.requests + excluded.requests
  ),
  timed AS (
    INSERT INTO key_durations AS stored (key_id, hour, up_to, requests)
    SELECT key_id, hour, up_to, sum(requests) FROM counts WHERE status <> ${REFUSED_STATUS}
    GROUP BY key_id, hour, up_to ORDER BY key_id, hour, up_to
    ON CONFLICT (key_id, hour, up_to)
      DO UPDATE SET requests = stored.requests + excluded.requests
  )
  INSERT INTO key_last_uses AS stored (key_id, last_used_at)
  SELECT key_id, max(last_used_at) FROM counts
  GROUP BY key_id ORDER BY key_id
  ON CONFLICT (key_id)
    DO UPDATE SET last_used_at = greatest(stored.last_used_at, excluded.last_used_at)`;

/** Rows of each table that one statement removes: some 35 ms of the embedded engine's time. */
const PRUNED_ROWS = 2_000;

const pruneTable = (table: string): string => `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE hour < $1 ORDER BY hour LIMIT ${PRUNED_ROWS}
  )) RETURNING 1`;
const PRUNE = `WITH durations AS (${pruneTable('key_durations')}), usage AS (${pruneTable('key_usage')})
  SELECT greatest((SELECT count(*) FROM durations), (SELECT count(*) FROM usage))::integer AS removed`;

/** How long counts are kept, in days. */
export const USAGE_KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

/**
 * Adds counts to the database in one statement. Counts older than {@link USAGE_KEPT_DAYS} are removed along with
 * the first that are added, and then once a day; if there are many, some with each that are added until none remains.
 *
 * @param now the time in ms.
 */
export function createUsageStore(pool: Pick<pg.Pool, 'query'>, now: () => number): AddUsage {
  let prunedAt = Number.NEGATIVE_INFINITY;

  return async (counts) => {
    const rows = counts.map(({ keyId, hour, upTo, lastUsedAt, origin = '', ...count }) => ({
      ...count,
      key_id: keyId,
      hour: new Date(hour),
      origin,
      last_used_at: new Date(lastUsedAt),
      // JSON has no Infinity.
      up_to: String(upTo),
    }));
    await pool.query(ADD, [JSON.stringify(rows)]);
    if (now() - prunedAt >= DAY_MS) {
      const kept = new Date(now() - USAGE_KEPT_DAYS * DAY_MS);
      // Counts that are kept for longer are no error of those that were just added.
      const { rows } = await pool.query<{ removed: number }>(PRUNE, [kept]).catch(() => ({ rows: [] }));
      if ((rows[0]?.removed ?? 0) < PRUNED_ROWS) {
        prunedAt = now();
      }
    }
  };
}
