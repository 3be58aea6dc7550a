import type { ImportClient } from '../import/staging.ts';

/** How many days before today the history of the sample begins, and every how many of them a startup has a point. */
const [DAYS, STEP] = [60, 2];

/**
 * Gives the startups of the sample a past, so that a first start shows curves. Thirty days ago, revenue and MRR were what
 * their growth says, and the total was less by the revenue since then; before, all grew slowly. A ripple is 0 on
 * these days. The database computes it from the records: nothing of it is in the package.
 */
export async function recordSampleHistory(client: Pick<ImportClient, 'query'>): Promise<void> {
  await client.query(
    `INSERT INTO startup_points
     SELECT id, revgate_utc_day(clock_timestamp()) - ago,
       round(revenue_last_30_days * power(revenue, age) * earlier * (1 + ripple * sin(id + ago / 5.0)))::bigint,
       round(revenue_mrr * power(mrr, age) * earlier * (1 + ripple * sin(id + 2 + ago / 7.0)))::bigint,
       greatest(0, revenue_total - round(revenue_last_30_days * least(ago, 30) / 30.0)::bigint
         - round(revenue_last_30_days * revenue * greatest(0, ago - 30) / 30.0)::bigint),
       round(customers * least(1, power(revenue, age / 3) * earlier))::integer,
       round(active_subscriptions * least(1, power(mrr, age / 2) * earlier))::integer,
       asking_price, on_sale, category
     FROM startups CROSS JOIN generate_series(${STEP}, ${DAYS}, ${STEP}) AS ago CROSS JOIN LATERAL (
       SELECT 100 / (100 + greatest(coalesce(growth_30d, growth_mrr_30d * 0.8, 4), -90)) AS revenue,
         100 / (100 + greatest(coalesce(growth_mrr_30d, growth_30d * 0.8, 3), -90)) AS mrr,
         least(ago, 30) / 30.0 AS age, power(1.08, least(0, 30 - ago) / 30.0) AS earlier,
         0.06 * abs(sin(pi() * ago / 30)) AS ripple
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
