import type pg from 'pg';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The most minutes of keys that wait to be stored. */
const MOST = 10_000;

/** Collects the minutes in which keys used most of their limits, until they are stored. */
export function createBusyMinutes(pool: Pick<pg.Pool, 'query'>, now: () => number) {
  let waiting = new Map<string, { readonly keyId: string; readonly minute: number }>();
  return {
    /** Adds the current minute of a key, without waiting. */
    add(keyId: string): void {
      const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
      if (waiting.size < MOST) {
        waiting.set(`${keyId} ${minute}`, { keyId, minute });
      }
    },
    /** Stores them, and removes those of more than an hour ago. If it rejects, they are kept. */
    async store(): Promise<void> {
      const taken = waiting;
      waiting = new Map();
      try {
        const minutes = [...taken.values()];
        await pool.query(
          `INSERT INTO key_busy_minutes SELECT * FROM unnest($1::text[], $2::timestamptz[]) ORDER BY 1, 2
           ON CONFLICT DO NOTHING`,
          [minutes.map(({ keyId }) => keyId), minutes.map(({ minute }) => new Date(minute))],
        );
      } catch (error) {
        waiting = new Map([...taken, ...waiting]);
        throw error;
      }
      await pool.query('DELETE FROM key_busy_minutes WHERE minute < $1', [new Date(now() - HOUR_MS)]);
    },
  };
}
