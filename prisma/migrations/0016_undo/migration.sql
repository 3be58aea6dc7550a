-- What an import replaced, so that it can be undone. In no backup.
CREATE TABLE undo_log (
  id SERIAL PRIMARY KEY,
  import_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (
    kind IN ('updated', 'created', 'returned', 'removed', 'prices', 'points', 'absences', 'unchanged', 'market')
  ),
  day DATE NOT NULL,
  -- As text: it is written with each import, and read by few.
  entries JSON NOT NULL
);
CREATE INDEX undo_log_import_id_idx ON undo_log (import_id);

ALTER TABLE imports
  -- That of the startups when it was done: a higher one of a startup shows a later change. Null for earlier versions.
  ADD COLUMN revision BIGINT,
  ADD COLUMN undone_at TIMESTAMPTZ(3),
  ADD COLUMN undone_by TEXT;
ALTER TABLE idempotent_imports ADD COLUMN import_id INTEGER;
-- The revision that a startup had before an import that was undone: what the undoing changed was no later change.
ALTER TABLE startups ADD COLUMN restored_revision BIGINT;

-- Whether this transaction undoes an import, which says so by SET LOCAL revgate.undo = 'on'.
CREATE FUNCTION revgate_is_undo() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('revgate.undo', true), '') = 'on'
$$;

-- Gives a startup the revision and the time of its change, and another price the one before it. A startup with the id of a
-- removed one is that one again. A restore brings all of these with it, and undoing an import all but revision and time.
CREATE OR REPLACE FUNCTION revgate_stamp_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  earlier RECORD;
BEGIN
  IF revgate_is_restore() THEN
    RETURN NEW;
  END IF;
  NEW.revision := current_setting('revgate.dataset')::bigint;
  NEW.updated_at := current_setting('revgate.at')::timestamptz;
  IF revgate_is_undo() THEN
    RETURN NEW;
  END IF;
  NEW.restored_revision := NULL;
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
  RETURN NEW;
END
$$;

-- Undoing an import writes the history that was before: the triggers write none.
CREATE OR REPLACE FUNCTION revgate_record_points() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  on_day DATE := revgate_day_of_change();
  is_past BOOLEAN := on_day < revgate_utc_day(clock_timestamp());
BEGIN
  IF NOT revgate_is_restore() AND NOT revgate_is_undo() THEN
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

CREATE OR REPLACE FUNCTION revgate_record_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM removed) THEN
    IF NOT revgate_is_restore() THEN
      IF NOT revgate_is_undo() THEN
        DELETE FROM startup_points USING removed WHERE sample AND startup_id = id;
        INSERT INTO removed_startups (startup_id, slug, day, created_at, name, website)
        SELECT id, slug, revgate_day_of_change(), created_at, name, website FROM removed WHERE NOT sample
        ON CONFLICT (startup_id, day) DO UPDATE SET
          slug = excluded.slug, until = NULL, created_at = excluded.created_at, name = excluded.name,
          website = excluded.website;
      END IF;
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

CREATE OR REPLACE FUNCTION revgate_forget_removals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE revisions SET value = current_setting('revgate.dataset')::bigint
  WHERE name IN ('removals', 'unrecorded_removals');
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM startup_points;
    DELETE FROM removed_startups;
    DELETE FROM unchanged_startups;
    DELETE FROM undo_log;
  END IF;
  RETURN NULL;
END
$$;
