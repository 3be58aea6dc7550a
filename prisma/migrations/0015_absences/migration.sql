-- A removed startup that returns is the same one, with its creation, its points and its earlier price. The days until then are
-- an absence: on them, it has no figures and counts in no market.
ALTER TABLE removed_startups DROP CONSTRAINT removed_startups_pkey;
ALTER TABLE removed_startups
  ADD PRIMARY KEY (startup_id, day),
  ADD COLUMN until DATE,
  ADD COLUMN created_at TIMESTAMPTZ(3),
  ADD COLUMN name TEXT,
  ADD COLUMN website TEXT;

-- Records removals, with the day, what a return needs, and for the change feed. The points remain, but for those of the
-- sample.
CREATE OR REPLACE FUNCTION revgate_record_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM removed) THEN
    IF NOT revgate_is_restore() THEN
      DELETE FROM startup_points USING removed WHERE sample AND startup_id = id;
      INSERT INTO removed_startups (startup_id, slug, day, created_at, name, website)
      SELECT id, slug, revgate_day_of_change(), created_at, name, website FROM removed WHERE NOT sample
      ON CONFLICT (startup_id, day) DO UPDATE SET
        slug = excluded.slug, until = NULL, created_at = excluded.created_at, name = excluded.name,
        website = excluded.website;
      INSERT INTO startup_removals
      SELECT slug, id, current_setting('revgate.dataset')::bigint, current_setting('revgate.at')::timestamptz FROM removed
      ON CONFLICT (slug) DO UPDATE
        SET startup_id = excluded.startup_id, revision = excluded.revision, removed_at = excluded.removed_at;
    END IF;
    UPDATE revisions SET value = current_setting('revgate.dataset')::bigint WHERE name = 'removals';
  END IF;
  RETURN NULL;
END
$$;

-- Gives a startup the revision and the time of its change, and another price the one before it. A startup with the id of a
-- removed one is that one again. A restore brings all of these with it.
CREATE OR REPLACE FUNCTION revgate_stamp_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  earlier RECORD;
BEGIN
  IF NOT revgate_is_restore() THEN
    NEW.revision := current_setting('revgate.dataset')::bigint;
    NEW.updated_at := current_setting('revgate.at')::timestamptz;
    IF TG_OP = 'INSERT' THEN
      UPDATE removed_startups SET until = revgate_day_of_change()
      WHERE startup_id = NEW.id AND until IS NULL RETURNING created_at INTO NEW.created_at;
      IF FOUND THEN
        earlier := revgate_earlier_price(NEW.id, NEW.asking_price);
        NEW.previous_asking_price := earlier.previous;
        NEW.asking_price_changed_at := earlier.since;
      ELSIF NEW.asking_price IS NOT NULL AND NEW.asking_price_changed_at IS NULL THEN
        NEW.asking_price_changed_at := revgate_time_of_change();
      END IF;
      NEW.created_at := coalesce(NEW.created_at, NEW.updated_at);
    ELSE
      NEW.created_at := OLD.created_at;
      IF NEW.asking_price IS DISTINCT FROM OLD.asking_price THEN
        earlier := revgate_earlier_price(NEW.id, NEW.asking_price);
        NEW.previous_asking_price := earlier.previous;
        NEW.asking_price_changed_at := earlier.since;
      END IF;
    END IF;
  END IF;
  RETURN NEW;
END
$$;

-- The point that applies to a startup at the end of a day; no row before its first, and while it is absent.
CREATE OR REPLACE FUNCTION revgate_point_on(of_startup INTEGER, on_day DATE) RETURNS SETOF startup_points
LANGUAGE sql STABLE AS $$
  SELECT * FROM startup_points
  WHERE startup_id = of_startup AND day <= on_day AND NOT EXISTS (
    SELECT FROM removed_startups AS r
    WHERE r.startup_id = of_startup AND r.day <= on_day AND (r.until > on_day OR r.until IS NULL)
  )
  ORDER BY day DESC LIMIT 1
$$;

-- Writes the market of one day: today's from the startups as they are, an earlier day's from points and absences.
CREATE OR REPLACE FUNCTION revgate_record_market(on_day DATE) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_past BOOLEAN := on_day < revgate_utc_day(clock_timestamp());
BEGIN
  WITH state AS (
    SELECT category, on_sale, revenue_last_30_days AS revenue, revenue_mrr AS mrr FROM startups WHERE NOT is_past
    UNION ALL
    SELECT p.category, p.on_sale, p.revenue_last_30_days, p.revenue_mrr
    FROM (
      SELECT id FROM startups
      UNION ALL SELECT startup_id FROM removed_startups WHERE day > on_day AND until IS NULL
    ) AS s
    CROSS JOIN LATERAL revgate_point_on(s.id, on_day) AS p
    WHERE is_past
  ), figures AS (
    SELECT CASE WHEN grouping(category) = 1 THEN '' ELSE category END AS category,
      count(*) AS count, count(*) FILTER (WHERE on_sale) AS on_sale,
      sum(revenue) AS revenue_sum, percentile_disc(0.5) WITHIN GROUP (ORDER BY revenue) AS revenue_median,
      sum(mrr) AS mrr_sum, percentile_disc(0.5) WITHIN GROUP (ORDER BY mrr) AS mrr_median
    FROM state GROUP BY GROUPING SETS ((category), ())
  ), known AS (
    -- A category without startups has a row from the first day on which it had one.
    SELECT category FROM market_days WHERE day <= on_day UNION SELECT category FROM figures WHERE category IS NOT NULL
  )
  INSERT INTO market_days
  SELECT on_day, category, coalesce(count, 0), coalesce(on_sale, 0), coalesce(revenue_sum, 0), revenue_median,
    coalesce(mrr_sum, 0), mrr_median
  FROM known LEFT JOIN figures USING (category)
  ON CONFLICT (category, day) DO UPDATE SET
    count = excluded.count, on_sale = excluded.on_sale,
    revenue_sum = excluded.revenue_sum, revenue_median = excluded.revenue_median,
    mrr_sum = excluded.mrr_sum, mrr_median = excluded.mrr_median;
END
$$;
