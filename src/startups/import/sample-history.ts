import type { ImportClient } from './staging.ts';

/** How many days before today the history of the sample begins, and every how many of them a startup has a point. */
const [DAYS, STEP] = [60, 5];

/**
 * Gives the startups of the sample a past, so that a first start shows curves: what they have today, less their growth,
 * with a ripple. The database computes it from the records: nothing of it is in the package.
 */
export async function recordSampleHistory(client: Pick<ImportClient, 'query'>): Promise<void> {
  await client.query(
    `INSERT INTO startup_points
     SELECT id, revgate_utc_day(clock_timestamp()) - ago, round(revenue_last_30_days * size)::bigint,
       round(revenue_mrr * size)::bigint, greatest(0, revenue_total - revenue_last_30_days * ago / 30),
       round(customers * least(size, 1))::integer, floor(active_subscriptions * least(size, 1))::integer,
       asking_price, on_sale, category
     FROM startups CROSS JOIN generate_series(${STEP}, ${DAYS}, ${STEP}) AS ago CROSS JOIN LATERAL (
       SELECT power(1 + greatest(coalesce(growth_30d, 4), -40) / 100, -ago / 30.0)
         * (1 + 0.04 * sin(id + ago / 4.0) * least(1, ago / 12.0)) AS size
     ) AS past
     WHERE sample
     ON CONFLICT DO NOTHING`,
  );
  // In one statement, as every startup has a point on each of these days: revgate_record_market takes seconds for them.
  await client.query(
    `INSERT INTO market_days
     SELECT day, coalesce(category, ''), count(*), count(*) FILTER (WHERE on_sale),
       sum(revenue_last_30_days), percentile_disc(0.5) WITHIN GROUP (ORDER BY revenue_last_30_days),
       sum(revenue_mrr), percentile_disc(0.5) WITHIN GROUP (ORDER BY revenue_mrr)
     FROM startup_points WHERE day < revgate_utc_day(clock_timestamp())
     GROUP BY GROUPING SETS ((day, category), (day)) HAVING grouping(category) = 1 OR category IS NOT NULL
     ON CONFLICT DO NOTHING`,
  );
}
