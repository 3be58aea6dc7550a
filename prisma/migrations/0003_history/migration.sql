-- What triggers keep of the past: the points of each startup, removals, and the market by day.

CREATE FUNCTION revgate_utc_day(at TIMESTAMPTZ) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT (at AT TIME ZONE 'UTC')::date
$$;

-- The day to which changes of this transaction belong: the one that an import states by revgate.day, or today.
CREATE FUNCTION revgate_day_of_change() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    nullif(current_setting('revgate.day', true), '')::date,
    revgate_utc_day(coalesce(nullif(current_setting('revgate.at', true), '')::timestamptz, clock_timestamp()))
  )
$$;

-- Writes the points of what a statement changed.
CREATE FUNCTION revgate_record_points() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT revgate_is_restore() THEN
    INSERT INTO startup_points
    SELECT id, revgate_day_of_change(), revenue_last_30_days, revenue_mrr, revenue_total, customers,
      active_subscriptions, asking_price, on_sale, category
    FROM changed
    ON CONFLICT (startup_id, day) DO UPDATE SET
      revenue_last_30_days = excluded.revenue_last_30_days, revenue_mrr = excluded.revenue_mrr,
      revenue_total = excluded.revenue_total, customers = excluded.customers,
      active_subscriptions = excluded.active_subscriptions, asking_price = excluded.asking_price,
      on_sale = excluded.on_sale, category = excluded.category;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER startups_record_points_of_new
  AFTER INSERT ON startups REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_record_points();
CREATE TRIGGER startups_record_points_of_changed
  AFTER UPDATE ON startups REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_record_points();

-- Records removals, with the day and for the change feed. The points remain, but for those of the sample.
CREATE FUNCTION revgate_record_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM removed) THEN
    IF NOT revgate_is_restore() THEN
      DELETE FROM startup_points USING removed WHERE sample AND startup_id = id;
      INSERT INTO removed_startups
      SELECT id, slug, revgate_day_of_change() FROM removed WHERE NOT sample
      ON CONFLICT (startup_id) DO UPDATE SET slug = excluded.slug, day = excluded.day;
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
CREATE TRIGGER startups_record_removal
  AFTER DELETE ON startups REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_record_removal();

-- A startup that gets another slug is removed under the old one. Imports never do it.
CREATE FUNCTION revgate_record_renaming() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO startup_removals VALUES (OLD.slug, OLD.id, NEW.revision, NEW.updated_at)
  ON CONFLICT (slug) DO UPDATE
    SET startup_id = excluded.startup_id, revision = excluded.revision, removed_at = excluded.removed_at;
  RETURN NULL;
END
$$;
CREATE TRIGGER startups_record_renaming
  AFTER UPDATE OF slug ON startups FOR EACH ROW WHEN (OLD.slug IS DISTINCT FROM NEW.slug)
  EXECUTE FUNCTION revgate_record_renaming();

-- Removals that are not recorded one by one end all earlier cursors: of all startups, and by another id.
CREATE FUNCTION revgate_forget_removals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE revisions SET value = current_setting('revgate.dataset')::bigint
  WHERE name IN ('removals', 'unrecorded_removals');
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM startup_points;
    DELETE FROM removed_startups;
    DELETE FROM unchanged_startups;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER startups_forget_removals_by_truncation
  AFTER TRUNCATE ON startups FOR EACH STATEMENT EXECUTE FUNCTION revgate_forget_removals();
CREATE TRIGGER startups_forget_removals_by_move
  AFTER UPDATE OF id ON startups FOR EACH STATEMENT EXECUTE FUNCTION revgate_forget_removals();

-- The point that applies to a startup at the end of a day; no row before its first.
CREATE FUNCTION revgate_point_on(of_startup INTEGER, on_day DATE) RETURNS SETOF startup_points LANGUAGE sql STABLE AS $$
  SELECT * FROM startup_points WHERE startup_id = of_startup AND day <= on_day ORDER BY day DESC LIMIT 1
$$;

-- Writes the market of one day: today's from the startups as they are, an earlier day's from points and removals.
CREATE FUNCTION revgate_record_market(on_day DATE) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_past BOOLEAN := on_day < revgate_utc_day(clock_timestamp());
BEGIN
  WITH state AS (
    SELECT category, on_sale, revenue_last_30_days AS revenue, revenue_mrr AS mrr FROM startups WHERE NOT is_past
    UNION ALL
    SELECT p.category, p.on_sale, p.revenue_last_30_days, p.revenue_mrr
    FROM (SELECT id FROM startups UNION ALL SELECT startup_id FROM removed_startups WHERE day > on_day) AS s
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
