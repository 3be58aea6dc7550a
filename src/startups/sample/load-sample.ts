import { Readable } from 'node:stream';
import type { DatabaseKind } from '../../db/transaction.ts';
import { standardFields } from '../import/columns/import-fields.ts';
import { importStartups } from '../import/import.ts';
import type { ImportClient } from '../import/staging.ts';
import type { ImportSummary } from '../import/values/summary.ts';
import { pointColumns, pointFigureList } from '../model/point-figures.ts';
import { type SampleOptions, sampleNdjson } from './sample.ts';

/**
 * Loads generated startups, marked as the sample, which the first import of other data removes.
 *
 * @throws OperatorError if the database has startups.
 */
export function loadSample({
  client,
  kind,
  ...options
}: SampleOptions & { client: ImportClient; kind: DatabaseKind }): Promise<ImportSummary> {
  const open = () => Readable.from(sampleNdjson(options), { objectMode: false });
  return importStartups({
    client,
    kind,
    fields: standardFields,
    inputs: [{ name: 'sample.ndjson', open }],
    sample: true,
  });
}

/**
 * Puts some startups of the sample up for sale in the last 20 days, and has reduced the price of others in the last 30, on
 * whatever day it is loaded, so that lists of what is new have something to show. Before its history is recorded.
 */
export async function recordSampleSales(client: Pick<ImportClient, 'query'>): Promise<void> {
  await client.query(
    `UPDATE startups SET
       first_listed_for_sale_at = CASE WHEN id % 5 = 0 THEN clock_timestamp() - id * 7 % 20 * interval '1 day'
         ELSE first_listed_for_sale_at END,
       previous_asking_price = CASE WHEN id % 5 IN (1, 2) THEN asking_price / 10000 * 11500 + 100000 END,
       asking_price_changed_at = CASE WHEN id % 5 IN (1, 2) THEN clock_timestamp() - id * 7 % 30 * interval '1 day' END
     WHERE sample AND on_sale AND asking_price IS NOT NULL`,
  );
}

/** How many days before today the history of the sample begins, and every how many of them a startup has a point. */
const [DAYS, STEP] = [60, 2];

/**
 * Gives the startups of the sample a past, so that a first start shows curves. Thirty days ago, revenue and MRR were what
 * their growth says, and the total was less by the revenue since then; before, all grew slowly. A ripple is 0 on
 * these days. The database computes it from the records: nothing of it is in the package.
 */
export async function recordSampleHistory(client: Pick<ImportClient, 'query'>): Promise<void> {
  await client.query(
    `INSERT INTO startup_points (startup_id, day, ${pointColumns.join(', ')})
     SELECT id, revgate_utc_day(clock_timestamp()) - ago,
       ${pointFigureList.map(({ column, sample }) => sample ?? column).join(',\n       ')}, category
     FROM startups CROSS JOIN generate_series(${STEP}, ${DAYS}, ${STEP}) AS ago CROSS JOIN LATERAL (
       SELECT clock_timestamp() - ago * interval '1 day' AS at
     ) AS point CROSS JOIN LATERAL (
       SELECT 100 / (100 + greatest(coalesce(growth_30d, growth_mrr_30d * 0.8, 4), -90)) AS revenue,
         100 / (100 + greatest(coalesce(growth_mrr_30d, growth_30d * 0.8, 3), -90)) AS mrr,
         least(ago, 30) / 30.0 AS age, power(1.08, least(0, 30 - ago) / 30.0) AS earlier,
         coalesce(first_listed_for_sale_at <= at, true) AS is_listed,
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
