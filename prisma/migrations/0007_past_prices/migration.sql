-- The last day on whose points a startup has another price than before, and the price until then: null where it, or the
-- one after it, is none.
CREATE FUNCTION revgate_last_price_change(of_startup INTEGER, OUT day DATE, OUT previous BIGINT) LANGUAGE sql STABLE AS $$
  SELECT day, CASE WHEN asking_price IS NOT NULL THEN before END
  FROM (
    SELECT p.day, asking_price, lag(asking_price) OVER days AS before, row_number() OVER days AS number
    FROM startup_points AS p WHERE startup_id = of_startup WINDOW days AS (ORDER BY p.day)
  ) AS points
  WHERE number > 1 AND asking_price IS DISTINCT FROM before ORDER BY day DESC LIMIT 1
$$;

-- Writes the points of what a statement changed. A change of a past day, such as that of an earlier price, says nothing of
-- the figures that a startup with later points had then.
CREATE OR REPLACE FUNCTION revgate_record_points() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  on_day DATE := revgate_day_of_change();
  is_past BOOLEAN := on_day < revgate_utc_day(clock_timestamp());
BEGIN
  IF NOT revgate_is_restore() THEN
    INSERT INTO startup_points
    SELECT id, on_day, revenue_last_30_days, revenue_mrr, revenue_total, customers,
      active_subscriptions, asking_price, on_sale, category
    FROM changed
    WHERE NOT is_past OR NOT EXISTS (SELECT FROM startup_points AS p WHERE p.startup_id = id AND p.day > on_day)
    ON CONFLICT (startup_id, day) DO UPDATE SET
      revenue_last_30_days = excluded.revenue_last_30_days, revenue_mrr = excluded.revenue_mrr,
      revenue_total = excluded.revenue_total, customers = excluded.customers,
      active_subscriptions = excluded.active_subscriptions, asking_price = excluded.asking_price,
      on_sale = excluded.on_sale, category = excluded.category;
  END IF;
  RETURN NULL;
END
$$;
