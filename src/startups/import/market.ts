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
 * Changes the market of a past day and of all later days by the difference that the planned records make, for as long as
 * they apply. The figures of all other startups stay as they were recorded.
 *
 * @param check called between statements; throws to stop.
 */
export async function changeMarket(
  client: ImportClient,
  staging: Staging,
  day: string,
  check: () => void,
): Promise<void> {
  const { rowCount: isRecorded } = await client.query(
    `SELECT FROM market_days WHERE category = '' AND day <= $1 LIMIT 1`,
    [day],
  );
  await client.query(addRows(staging), [day]);
  if (isRecorded === 0) {
    await client.query('SELECT revgate_record_market($1)', [day]);
  }
  // The planner expects few rows of each part, and would compare all with all.
  await client.query('SET LOCAL enable_nestloop = off');
  const { rows } = await client.query(changeRows(staging), [day, isRecorded === 0]);
  await client.query('SET LOCAL enable_nestloop = on');
  const days = rows as { day: string; categories: string[] }[];
  // One is calculated from all startups, the later ones from what was recorded since the day before each.
  const { rows: moves } =
    days.length < 2
      ? { rows: [] }
      : await client.query(findMoves, [JSON.stringify(days), days[0]?.day, days.at(-1)?.day]);
  for (const { day: ofDay, categories } of days) {
    check();
    const ofThisDay = JSON.stringify(moves.filter((one) => one.day === ofDay));
    const { rows: others } = await client.query(continueMedians, [ofDay, categories, ofThisDay]);
    if (others.length > 0) {
      await client.query(calculateMedians, [ofDay, others.map(({ category }) => category)]);
    }
  }
}

/** For so many changes, the medians are always looked for around the old ones first. */
const FEW_CHANGES = 1_000;

/** What each record adds to the market of its category and of all, from the day until `until`, and what it takes away. */
const changes = ({ records, plan }: Staging): string => `
  SELECT c.category, p.until, v.n, v.on_sale, v.revenue, v.mrr
  FROM ${plan} AS p JOIN ${records} AS s USING (ordinal)
  CROSS JOIN LATERAL (VALUES
    (1, s.category, s.on_sale, s.revenue_last_30_days, s.revenue_mrr),
    (-1, p.old_category, p.old_on_sale, p.old_revenue, p.old_mrr)
  ) AS v (n, category, on_sale, revenue, mrr)
  CROSS JOIN LATERAL (VALUES (''), (v.category)) AS c (category)
  WHERE v.on_sale IS NOT NULL AND c.category IS NOT NULL`;

/**
 * Sets the medians of `market_days AS m`. Where not all startups of the day are known, because an older version recorded it,
 * the recorded ones remain.
 */
const newMedians = (known: string, count: string, revenue: string, mrr: string): string =>
  Object.entries({ revenue_median: revenue, mrr_median: mrr })
    .map(
      ([column, median]) =>
        `${column} = CASE WHEN ${count} > 0 THEN
           CASE WHEN ${known} = ${count} THEN ${median} ELSE coalesce(m.${column}, ${median}) END END`,
    )
    .join(', ');

/**
 * Rows of the day, and of those on which a record ceases to apply without any change that was recorded, with the figures
 * of the last day before; and of each category that is new on later days.
 */
const addRows = (staging: Staging): string => `
  WITH changed AS (SELECT DISTINCT category FROM (${changes(staging)}) AS c),
  known AS (SELECT category, min(day) AS since FROM market_days GROUP BY category),
  new AS (SELECT $1::date AS day UNION SELECT until FROM ${staging.plan} WHERE is_confirmed),
  later AS (SELECT day FROM new UNION SELECT day FROM market_days WHERE category = '' AND day > $1)
  INSERT INTO market_days
  SELECT n.day, n.category, coalesce(m.count, 0), coalesce(m.on_sale, 0), coalesce(m.revenue_sum, 0), m.revenue_median,
    coalesce(m.mrr_sum, 0), m.mrr_median,
    CASE WHEN m.day IS NULL THEN 0 ELSE m.known END, coalesce(m.revenue_near, '{}'), coalesce(m.revenue_below, 0),
    coalesce(m.mrr_near, '{}'), coalesce(m.mrr_below, 0)
  FROM (
    SELECT day, category FROM new JOIN known ON since <= day UNION SELECT day, category FROM later CROSS JOIN changed
  ) AS n
  LEFT JOIN LATERAL (
    SELECT * FROM market_days WHERE category = n.category AND day < n.day ORDER BY day DESC LIMIT 1
  ) AS m ON true
  ON CONFLICT DO NOTHING`;

/**
 * Changes the rows from the day on, or after the day if `$2`. Returns, for each day, the categories whose medians must be
 * calculated from all startups: where more has changed than is stored around the median.
 */
const changeRows = (staging: Staging): string => `
  WITH changed AS MATERIALIZED (${changes(staging)}),
  sums AS (
    SELECT category, until, count(*) AS changes, sum(n) AS count, count(*) FILTER (WHERE on_sale AND n > 0) AS on_sale,
      count(*) FILTER (WHERE on_sale AND n < 0) AS no_longer_on_sale, sum(n * revenue) AS revenue, sum(n * mrr) AS mrr
    FROM changed GROUP BY category, until
  ), days AS MATERIALIZED (
    -- In history of an older version, startups can leave a category that did not have as many.
    SELECT m.category, m.day,
      sum(s.changes) <= greatest(${FEW_CHANGES}, m.known / 8) AND m.known + sum(s.count) >= 0 AS are_few,
      sum(s.count)::integer AS count, sum(s.on_sale - s.no_longer_on_sale)::integer AS on_sale,
      sum(s.revenue) AS revenue, sum(s.mrr) AS mrr
    FROM market_days AS m JOIN sums AS s ON s.category = m.category AND s.until > m.day
    WHERE m.day >= $1::date AND NOT (m.day = $1 AND $2)
    GROUP BY m.category, m.day
  ), amounts AS (
    SELECT a.kind, c.category, c.until, a.amount, sum(c.n) AS n
    FROM changed AS c CROSS JOIN LATERAL (VALUES ('revenue', c.revenue), ('mrr', c.mrr)) AS a (kind, amount)
    GROUP BY a.kind, c.category, c.until, a.amount HAVING sum(c.n) <> 0
  ), moves AS (
    SELECT a.kind, d.category, d.day, coalesce(array_agg(a.amount) FILTER (WHERE a.n > 0), '{}') AS added,
      coalesce(array_agg(a.amount) FILTER (WHERE a.n < 0), '{}') AS removed
    FROM days AS d JOIN amounts AS a ON a.category = d.category AND a.until > d.day
    CROSS JOIN LATERAL generate_series(1, abs(a.n))
    WHERE d.are_few GROUP BY a.kind, d.category, d.day
  ), medians AS (
    SELECT d.*, m.known + d.count AS known, r.median AS revenue_median, r.near_median AS revenue_near,
      r.below_near AS revenue_below, s.median AS mrr_median, s.near_median AS mrr_near, s.below_near AS mrr_below
    FROM days AS d JOIN market_days AS m USING (category, day)
    LEFT JOIN moves AS a ON a.kind = 'revenue' AND a.category = d.category AND a.day = d.day
    LEFT JOIN moves AS b ON b.kind = 'mrr' AND b.category = d.category AND b.day = d.day
    LEFT JOIN LATERAL revgate_changed_median(
      m.revenue_near, m.revenue_below, m.known, coalesce(a.added, '{}'), coalesce(a.removed, '{}')
    ) AS r ON d.are_few
    LEFT JOIN LATERAL revgate_changed_median(
      m.mrr_near, m.mrr_below, m.known, coalesce(b.added, '{}'), coalesce(b.removed, '{}')
    ) AS s ON d.are_few
  ), written AS (
    UPDATE market_days AS m SET
      count = greatest(m.count + n.count, 0), on_sale = greatest(m.on_sale + n.on_sale, 0),
      revenue_sum = greatest(m.revenue_sum + n.revenue, 0), mrr_sum = greatest(m.mrr_sum + n.mrr, 0),
      ${newMedians('n.known', 'm.count + n.count', 'n.revenue_median', 'n.mrr_median')},
      known = CASE WHEN n.revenue_near IS NOT NULL AND n.mrr_near IS NOT NULL THEN n.known END,
      revenue_near = n.revenue_near, revenue_below = n.revenue_below, mrr_near = n.mrr_near, mrr_below = n.mrr_below
    FROM medians AS n WHERE m.category = n.category AND m.day = n.day
    RETURNING m.day, m.category, m.known
  )
  SELECT day::text, array_agg(category) AS categories FROM written WHERE known IS NULL GROUP BY day ORDER BY day`;

const calculateMedians = `
  UPDATE market_days AS m SET
    ${newMedians('n.known', 'm.count', 'n.revenue_median', 'n.mrr_median')},
    known = coalesce(n.known, 0), revenue_near = coalesce(n.revenue_near, '{}'),
    revenue_below = coalesce(n.revenue_below, 0), mrr_near = coalesce(n.mrr_near, '{}'),
    mrr_below = coalesce(n.mrr_below, 0)
  FROM unnest($2::text[]) AS c (category) LEFT JOIN revgate_market_on($1) AS n USING (category)
  WHERE m.day = $1 AND m.category = c.category`;

/**
 * What was recorded, for each day of `$1` and category, since the day before it: the amounts that were added and removed.
 * Without the first day `$2`, and where most amounts differ; `$3` is the last day.
 */
const findMoves = `
  WITH wanted AS (
    SELECT d.day, c.category, b.day AS since, b.count
    FROM jsonb_to_recordset($1) AS d (day date, categories text[]) CROSS JOIN LATERAL unnest(d.categories) AS c (category)
    CROSS JOIN LATERAL (
      SELECT day, count FROM market_days WHERE category = c.category AND day < d.day ORDER BY day DESC LIMIT 1
    ) AS b
    WHERE b.day >= $2::date
  ), recorded AS MATERIALIZED (
    SELECT s.id, p.day, p.day < s.removed AS remains
    FROM (
      SELECT id, 'infinity'::date AS removed FROM startups
      UNION ALL SELECT startup_id, day FROM removed_startups WHERE day > $2
    ) AS s
    CROSS JOIN LATERAL (
      SELECT day FROM startup_points WHERE startup_id = s.id AND day > $2 AND day <= $3 AND day < s.removed
      UNION ALL SELECT s.removed WHERE s.removed <= $3
    ) AS p
  ), moved AS MATERIALIZED (
    SELECT r.day, c.category, a.kind, a.amount, sum(v.n) AS n
    FROM recorded AS r
    LEFT JOIN LATERAL revgate_point_on(r.id, r.day) AS p ON r.remains
    LEFT JOIN LATERAL revgate_point_on(r.id, r.day - 1) AS o ON true
    CROSS JOIN LATERAL (VALUES
      (1, p.category, p.revenue_last_30_days, p.revenue_mrr), (-1, o.category, o.revenue_last_30_days, o.revenue_mrr)
    ) AS v (n, category, revenue, mrr)
    CROSS JOIN LATERAL (VALUES (''), (v.category)) AS c (category)
    CROSS JOIN LATERAL (VALUES ('revenue', v.revenue), ('mrr', v.mrr)) AS a (kind, amount)
    WHERE c.category IS NOT NULL AND a.amount IS NOT NULL
    GROUP BY r.day, c.category, a.kind, a.amount HAVING sum(v.n) <> 0
  )
  SELECT w.day::text, w.category, w.since::text,
    coalesce(array_agg(m.amount) FILTER (WHERE m.kind = 'revenue' AND m.n > 0), '{}') AS added_revenue,
    coalesce(array_agg(m.amount) FILTER (WHERE m.kind = 'revenue' AND m.n < 0), '{}') AS removed_revenue,
    coalesce(array_agg(m.amount) FILTER (WHERE m.kind = 'mrr' AND m.n > 0), '{}') AS added_mrr,
    coalesce(array_agg(m.amount) FILTER (WHERE m.kind = 'mrr' AND m.n < 0), '{}') AS removed_mrr
  FROM wanted AS w LEFT JOIN moved AS m ON m.category = w.category AND m.day > w.since AND m.day <= w.day
  LEFT JOIN LATERAL generate_series(1, abs(m.n)) ON true
  GROUP BY w.day, w.category, w.since, w.count HAVING count(m.n) <= greatest(${FEW_CHANGES}, w.count)`;

const knownNow = 'b.known + cardinality(n.added_mrr) - cardinality(n.removed_mrr)';

/** Calculates medians of the day `$1` from those of the days before and the moves `$3`. Returns the categories of `$2` that are left. */
const continueMedians = `
  WITH written AS (
    UPDATE market_days AS m SET
      ${newMedians(knownNow, 'm.count', 'r.median', 's.median')}, known = ${knownNow},
      revenue_near = r.near_median, revenue_below = r.below_near, mrr_near = s.near_median, mrr_below = s.below_near
    FROM jsonb_to_recordset($3) AS n (category text, since date,
      added_revenue bigint[], removed_revenue bigint[], added_mrr bigint[], removed_mrr bigint[])
    JOIN market_days AS b ON b.category = n.category AND b.day = n.since AND b.known IS NOT NULL
    CROSS JOIN LATERAL revgate_changed_median(
      b.revenue_near, b.revenue_below, b.known, n.added_revenue, n.removed_revenue
    ) AS r
    CROSS JOIN LATERAL revgate_changed_median(b.mrr_near, b.mrr_below, b.known, n.added_mrr, n.removed_mrr) AS s
    WHERE m.category = n.category AND m.day = $1
    RETURNING m.category
  )
  SELECT category FROM unnest($2::text[]) AS c (category) EXCEPT SELECT category FROM written`;
