-- What changed and since when: a point of each startup's history for each UTC day on which it changed, the removals
-- that the change feed reports, the market by day, and when each startup was created and last changed.

ALTER TABLE "startups"
  ADD COLUMN "created_at" TIMESTAMPTZ(3),
  ADD COLUMN "updated_at" TIMESTAMPTZ(3);

-- The state of a startup at the end of a UTC day on which it changed, and on every day up to the next point.
CREATE TABLE "startup_points" (
  "startup_id" INTEGER NOT NULL,
  "day" DATE NOT NULL,
  "revenue_last_30_days" BIGINT NOT NULL,
  "revenue_mrr" BIGINT NOT NULL,
  "revenue_total" BIGINT NOT NULL,
  "customers" INTEGER NOT NULL,
  "active_subscriptions" INTEGER NOT NULL,
  "asking_price" BIGINT,
  "on_sale" BOOLEAN NOT NULL,
  CONSTRAINT "startup_points_pkey" PRIMARY KEY ("startup_id", "day")
);

-- The last removal of each slug.
CREATE TABLE "startup_removals" (
  "slug" TEXT NOT NULL,
  "startup_id" INTEGER NOT NULL,
  "revision" BIGINT NOT NULL,
  "removed_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "startup_removals_pkey" PRIMARY KEY ("slug")
);
CREATE INDEX "startup_removals_revision_startup_id_idx" ON "startup_removals" ("revision", "startup_id");

-- All startups, and those of each category, at the end of a UTC day on which an import changed any.
CREATE TABLE "market_days" (
  "day" DATE NOT NULL,
  -- Empty for all startups.
  "category" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  "on_sale" INTEGER NOT NULL,
  -- Sums may exceed what an integer of 64 bits holds.
  "revenue_sum" DOUBLE PRECISION NOT NULL,
  "revenue_median" BIGINT,
  "mrr_sum" DOUBLE PRECISION NOT NULL,
  "mrr_median" BIGINT,
  CONSTRAINT "market_days_pkey" PRIMARY KEY ("category", "day")
);

ALTER TABLE "imports" ADD COLUMN "as_of" DATE;

-- Not all removals before this revision are recorded, or still are.
INSERT INTO "revisions" ("name", "value")
  SELECT 'unrecorded_removals', "value" FROM "revisions" WHERE "name" = 'dataset';

-- All changes of a transaction have one time.
CREATE OR REPLACE FUNCTION "revgate_raise_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  raised BIGINT;
BEGIN
  UPDATE "revisions" SET "value" = "value" + 1 WHERE "name" = TG_ARGV[0] RETURNING "value" INTO raised;
  PERFORM set_config('revgate.' || TG_ARGV[0], raised::text, true);
  IF TG_ARGV[0] = 'dataset' AND coalesce(current_setting('revgate.at', true), '') = '' THEN
    PERFORM set_config('revgate.at', date_trunc('milliseconds', clock_timestamp())::text, true);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "revgate_is_restore"() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('revgate.restore', true), '') = 'on'
$$;

CREATE FUNCTION "revgate_utc_day"("at" TIMESTAMPTZ) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT ("at" AT TIME ZONE 'UTC')::date
$$;

-- The day to which changes of this transaction belong: the one on which they are made, or the one that an import states
-- by `revgate.day`.
CREATE FUNCTION "revgate_day_of_change"() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    nullif(current_setting('revgate.day', true), '')::date,
    revgate_utc_day(current_setting('revgate.at')::timestamptz)
  )
$$;

CREATE OR REPLACE FUNCTION "revgate_stamp_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."revision" := current_setting('revgate.dataset')::bigint;
  -- A restore brings these times with it.
  IF NOT revgate_is_restore() THEN
    NEW."updated_at" := current_setting('revgate.at')::timestamptz;
    NEW."created_at" := CASE WHEN TG_OP = 'INSERT' THEN NEW."updated_at" ELSE OLD."created_at" END;
  END IF;
  RETURN NEW;
END
$$;

-- Writes the points of what a statement changed.
CREATE FUNCTION "revgate_record_points"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT revgate_is_restore() THEN
    INSERT INTO "startup_points" (
      "startup_id", "day", "revenue_last_30_days", "revenue_mrr", "revenue_total", "customers",
      "active_subscriptions", "asking_price", "on_sale"
    )
    SELECT
      "id", revgate_day_of_change(), "revenue_last_30_days", "revenue_mrr", "revenue_total", "customers",
      "active_subscriptions", "asking_price", "on_sale"
    FROM "changed"
    ON CONFLICT ("startup_id", "day") DO UPDATE SET
      "revenue_last_30_days" = excluded."revenue_last_30_days",
      "revenue_mrr" = excluded."revenue_mrr",
      "revenue_total" = excluded."revenue_total",
      "customers" = excluded."customers",
      "active_subscriptions" = excluded."active_subscriptions",
      "asking_price" = excluded."asking_price",
      "on_sale" = excluded."on_sale";
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "startups_record_points_of_new"
  AFTER INSERT ON "startups" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_record_points"();
CREATE TRIGGER "startups_record_points_of_changed"
  AFTER UPDATE ON "startups" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_record_points"();

-- Records a removal, and deletes the startup's points with it. What cannot be recorded ends all earlier cursors.
CREATE OR REPLACE FUNCTION "revgate_note_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM "removed") THEN
      RETURN NULL;
    END IF;
    IF NOT revgate_is_restore() THEN
      DELETE FROM "startup_points" USING "removed" WHERE "startup_id" = "id";
      INSERT INTO "startup_removals" ("slug", "startup_id", "revision", "removed_at")
      SELECT "slug", "id", current_setting('revgate.dataset')::bigint, current_setting('revgate.at')::timestamptz
      FROM "removed"
      ON CONFLICT ("slug") DO UPDATE SET
        "startup_id" = excluded."startup_id",
        "revision" = excluded."revision",
        "removed_at" = excluded."removed_at";
    END IF;
  ELSE
    UPDATE "revisions" SET "value" = current_setting('revgate.dataset')::bigint WHERE "name" = 'unrecorded_removals';
    IF TG_OP = 'TRUNCATE' THEN
      DELETE FROM "startup_points";
    END IF;
  END IF;
  UPDATE "revisions" SET "value" = current_setting('revgate.dataset')::bigint WHERE "name" = 'removals';
  RETURN NULL;
END
$$;

-- A startup that gets another slug is removed under the old one. Imports never do it.
CREATE FUNCTION "revgate_record_renaming"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "startup_removals" ("slug", "startup_id", "revision", "removed_at")
  VALUES (OLD."slug", OLD."id", NEW."revision", NEW."updated_at")
  ON CONFLICT ("slug") DO UPDATE SET
    "startup_id" = excluded."startup_id",
    "revision" = excluded."revision",
    "removed_at" = excluded."removed_at";
  RETURN NULL;
END
$$;
CREATE TRIGGER "startups_record_renaming"
  AFTER UPDATE OF "slug" ON "startups" FOR EACH ROW WHEN (OLD."slug" IS DISTINCT FROM NEW."slug")
  EXECUTE FUNCTION "revgate_record_renaming"();

-- Writes the market of one day: today's from the startups as they are, an earlier day's from their points.
CREATE FUNCTION "revgate_record_market"("on_day" DATE) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "is_now" BOOLEAN := "on_day" >= revgate_utc_day(clock_timestamp());
BEGIN
  WITH "state" AS (
    SELECT "category", "on_sale", "revenue_last_30_days" AS "revenue", "revenue_mrr" AS "mrr"
    FROM "startups" WHERE "is_now"
    UNION ALL
    SELECT s."category", p."on_sale", p."revenue_last_30_days", p."revenue_mrr"
    FROM "startups" AS s CROSS JOIN LATERAL (
      SELECT * FROM "startup_points" WHERE "startup_id" = s."id" AND "day" <= "on_day" ORDER BY "day" DESC LIMIT 1
    ) AS p
    WHERE NOT "is_now"
  ), "figures" AS (
    SELECT
      CASE WHEN grouping("category") = 1 THEN '' ELSE "category" END AS "category",
      count(*)::integer AS "count",
      (count(*) FILTER (WHERE "on_sale"))::integer AS "on_sale",
      coalesce(sum("revenue"), 0)::double precision AS "revenue_sum",
      percentile_disc(0.5) WITHIN GROUP (ORDER BY "revenue") AS "revenue_median",
      coalesce(sum("mrr"), 0)::double precision AS "mrr_sum",
      percentile_disc(0.5) WITHIN GROUP (ORDER BY "mrr") AS "mrr_median"
    FROM "state" GROUP BY GROUPING SETS (("category"), ())
  )
  INSERT INTO "market_days" (
    "day", "category", "count", "on_sale", "revenue_sum", "revenue_median", "mrr_sum", "mrr_median"
  )
  SELECT "on_day", "category", coalesce("count", 0), coalesce("on_sale", 0), coalesce("revenue_sum", 0),
    "revenue_median", coalesce("mrr_sum", 0), "mrr_median"
  -- A category without startups has a row from the first day on which it had one.
  FROM (
    SELECT DISTINCT "category" FROM "market_days" WHERE "day" <= "on_day" UNION SELECT "category" FROM "figures"
  ) AS "known"
  LEFT JOIN "figures" USING ("category")
  WHERE "category" IS NOT NULL
  ON CONFLICT ("category", "day") DO UPDATE SET
    "count" = excluded."count",
    "on_sale" = excluded."on_sale",
    "revenue_sum" = excluded."revenue_sum",
    "revenue_median" = excluded."revenue_median",
    "mrr_sum" = excluded."mrr_sum",
    "mrr_median" = excluded."mrr_median";
END
$$;

-- Begins the history of startups that have none: they are as the last import, or who wrote them at the given time, left
-- them. For a database, or a backup, of a version without a history.
CREATE FUNCTION "revgate_begin_history"("written_at" TIMESTAMPTZ) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "since" TIMESTAMPTZ := coalesce((SELECT max("finished_at") FROM "imports"), date_trunc('milliseconds', "written_at"));
  "restore" TEXT := coalesce(current_setting('revgate.restore', true), '');
BEGIN
  IF EXISTS (SELECT FROM "startups") THEN
    PERFORM set_config('revgate.restore', 'on', true);
    UPDATE "startups" SET "created_at" = "since", "updated_at" = "since";
    PERFORM set_config('revgate.restore', "restore", true);
    INSERT INTO "startup_points"
    SELECT "id", revgate_utc_day("since"), "revenue_last_30_days", "revenue_mrr", "revenue_total", "customers",
      "active_subscriptions", "asking_price", "on_sale"
    FROM "startups";
    PERFORM revgate_record_market(revgate_utc_day("since"));
  END IF;
END
$$;
SELECT revgate_begin_history(clock_timestamp());
ALTER TABLE "startups"
  ALTER COLUMN "created_at" SET NOT NULL,
  ALTER COLUMN "created_at" SET DEFAULT CURRENT_TIMESTAMP,
  ALTER COLUMN "updated_at" SET NOT NULL,
  ALTER COLUMN "updated_at" SET DEFAULT CURRENT_TIMESTAMP;
