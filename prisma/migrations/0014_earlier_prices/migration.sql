-- The earlier price follows from the points, which have one price a day, their last: it is that of the last earlier day with
-- another one. So each point has the earlier price at its end, and when its own began; a later point continues from there,
-- also if the points before it were removed for their age.
ALTER TABLE startup_points
  ADD COLUMN previous_asking_price BIGINT,
  ADD COLUMN asking_price_changed_at TIMESTAMPTZ(3);

-- When the changes of this transaction take effect: now, or at the start of the past day that an import states.
CREATE FUNCTION revgate_time_of_change() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN revgate_day_of_change() = revgate_utc_day(at) THEN at
    ELSE revgate_day_of_change()::timestamp AT TIME ZONE 'UTC' END
  FROM (SELECT coalesce(nullif(current_setting('revgate.at', true), '')::timestamptz, clock_timestamp()) AS at) AS change
$$;

-- What the points say of a price that a startup has at the end of a day and that this transaction sets: the earlier price,
-- null where it or the one after it is none, and since when it has the present one.
CREATE FUNCTION revgate_earlier_price(of_startup INTEGER, price BIGINT, OUT previous BIGINT, OUT since TIMESTAMPTZ)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  before startup_points;
BEGIN
  IF price IS NOT NULL THEN
    SELECT * INTO before FROM startup_points
    WHERE startup_id = of_startup AND day < revgate_day_of_change() ORDER BY day DESC LIMIT 1;
    IF before.asking_price = price THEN
      previous := before.previous_asking_price;
      since := before.asking_price_changed_at;
    ELSE
      previous := before.asking_price;
      since := revgate_time_of_change();
    END IF;
  END IF;
END
$$;

-- Gives a startup the revision and the time of its change, and another price the one before it. A restore brings all of
-- these with it.
CREATE OR REPLACE FUNCTION revgate_stamp_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  earlier RECORD;
BEGIN
  IF NOT revgate_is_restore() THEN
    NEW.revision := current_setting('revgate.dataset')::bigint;
    NEW.updated_at := current_setting('revgate.at')::timestamptz;
    IF TG_OP = 'INSERT' THEN
      NEW.created_at := NEW.updated_at;
      IF NEW.asking_price IS NOT NULL AND NEW.asking_price_changed_at IS NULL THEN
        NEW.asking_price_changed_at := revgate_time_of_change();
      END IF;
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

-- Writes the points of what a statement changed. A change of a past day, such as that of an earlier price, says nothing of
-- the figures that a startup with later points had then.
CREATE OR REPLACE FUNCTION revgate_record_points() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  on_day DATE := revgate_day_of_change();
  is_past BOOLEAN := on_day < revgate_utc_day(clock_timestamp());
BEGIN
  IF NOT revgate_is_restore() THEN
    INSERT INTO startup_points (startup_id, day, revenue_last_30_days, revenue_mrr, revenue_total, customers,
      active_subscriptions, asking_price, on_sale, category, previous_asking_price, asking_price_changed_at)
    SELECT id, on_day, revenue_last_30_days, revenue_mrr, revenue_total, customers,
      active_subscriptions, asking_price, on_sale, category, previous_asking_price, asking_price_changed_at
    FROM changed
    WHERE NOT is_past OR NOT EXISTS (SELECT FROM startup_points AS p WHERE p.startup_id = id AND p.day > on_day)
    ON CONFLICT (startup_id, day) DO UPDATE SET
      revenue_last_30_days = excluded.revenue_last_30_days, revenue_mrr = excluded.revenue_mrr,
      revenue_total = excluded.revenue_total, customers = excluded.customers,
      active_subscriptions = excluded.active_subscriptions, asking_price = excluded.asking_price,
      on_sale = excluded.on_sale, category = excluded.category,
      previous_asking_price = excluded.previous_asking_price,
      asking_price_changed_at = excluded.asking_price_changed_at;
  END IF;
  RETURN NULL;
END
$$;

-- Gives the points of an earlier version, also those of its backups, the earlier prices that follow from them. A startup
-- keeps what was recorded of its present price.
CREATE FUNCTION revgate_derive_all_prices() RETURNS void LANGUAGE sql AS $$
  WITH points AS (
    SELECT startup_id, day, asking_price, lag(asking_price) OVER days AS before,
      lag(asking_price) OVER days IS DISTINCT FROM asking_price AND row_number() OVER days > 1 AS is_change
    FROM startup_points WINDOW days AS (PARTITION BY startup_id ORDER BY day)
  ), runs AS (
    SELECT *, count(*) FILTER (WHERE is_change) OVER (PARTITION BY startup_id ORDER BY day) AS run FROM points
  ), begun AS (
    SELECT startup_id, day, run, asking_price, first_value(before) OVER run AS before, first_value(day) OVER run AS since,
      max(runs.run) OVER (PARTITION BY startup_id) AS last
    FROM runs WINDOW run AS (PARTITION BY startup_id, runs.run ORDER BY day)
  )
  UPDATE startup_points AS p SET
    previous_asking_price = CASE WHEN s.id IS NULL THEN b.before ELSE s.previous_asking_price END,
    asking_price_changed_at = CASE WHEN s.id IS NULL THEN b.since::timestamp AT TIME ZONE 'UTC'
      ELSE s.asking_price_changed_at END
  FROM begun AS b LEFT JOIN startups AS s ON s.id = b.startup_id AND b.run = b.last AND s.previous_asking_price IS NOT NULL
  WHERE p.startup_id = b.startup_id AND p.day = b.day AND b.asking_price IS NOT NULL AND (b.run > 0 OR s.id IS NOT NULL)
$$;
SELECT revgate_derive_all_prices();

DROP FUNCTION revgate_last_price_change;
