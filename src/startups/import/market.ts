import type { ImportClient, Staging } from './staging.ts';

/** Records the market of today. */
export async function recordMarket(client: ImportClient): Promise<void> {
  await client.query(
    // Days in the future, which a wrong clock has recorded, again.
    `SELECT revgate_record_market(day) FROM (
       SELECT revgate_day_of_change() AS day UNION SELECT day FROM market_days WHERE day > revgate_day_of_change()
     ) AS days`,
  );
}

/**
 * Calculates the market of each day that the planned records of a past day touch: of that day, of the days on which they
 * cease to apply, and of the recorded days between.
 *
 * @param onDay called before each day, with the number of days that are done and of all; throws to stop.
 */
export async function recordPastMarket(
  client: ImportClient,
  { plan }: Staging,
  day: string,
  onDay: (done: number, all: number) => void,
): Promise<void> {
  const { rows } = await client.query(
    `SELECT $1::date::text AS day UNION SELECT until::text FROM ${plan} WHERE until < 'infinity'
     UNION SELECT day::text FROM market_days
     WHERE category = '' AND day > $1 AND day < (SELECT max(until) FROM ${plan}) ORDER BY day`,
    [day],
  );
  for (const [index, touched] of rows.entries()) {
    onDay(index, rows.length);
    await client.query('SELECT revgate_record_market($1)', [touched.day]);
  }
}
