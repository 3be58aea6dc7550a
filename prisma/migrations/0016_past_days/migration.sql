-- What filling in a past day needs, so that it changes only the startups that are filled in: categories at the time,
-- startups that were removed since, imports that changed nothing, and the amounts around each median.

-- Empty for points from before this column: that of the next point that has one. Null for a startup without a category.
ALTER TABLE "startup_points" ADD COLUMN "category" TEXT DEFAULT '';

-- Removed startups, whose points remain: they count in the market of the days before.
CREATE TABLE "removed_startups" (
  "startup_id" INTEGER NOT NULL,
  "slug" TEXT NOT NULL,
  -- The first day at whose end it was gone.
  "day" DATE NOT NULL,
  CONSTRAINT "removed_startups_pkey" PRIMARY KEY ("startup_id")
);
CREATE INDEX "removed_startups_slug_idx" ON "removed_startups" ("slug");

-- The startups that imports of a day named with the values that they had. They have no point of that day.
CREATE TABLE "unchanged_startups" (
  "day" DATE NOT NULL,
  "startup_ids" INT4MULTIRANGE NOT NULL,
  CONSTRAINT "unchanged_startups_pkey" PRIMARY KEY ("day")
);

-- By these, the medians of a day with another few startups are found without those of all others.
ALTER TABLE "market_days"
  -- Number of startups whose amounts are known. Null until the columns below are calculated.
  ADD COLUMN "known" INTEGER,
  -- Amounts around the median, in order, and how many smaller ones there are.
  ADD COLUMN "revenue_near" BIGINT[],
  ADD COLUMN "revenue_below" INTEGER,
  ADD COLUMN "mrr_near" BIGINT[],
  ADD COLUMN "mrr_below" INTEGER;

-- Adds what a database, or a backup, of a version without the tables above can tell: the category of the last point of
-- each startup, and the removals that are recorded for the change feed.
CREATE FUNCTION "revgate_complete_history"() RETURNS void LANGUAGE sql AS $$
  UPDATE "startup_points" AS p SET "category" = s."category"
  FROM "startups" AS s CROSS JOIN LATERAL (
    SELECT "day" FROM "startup_points" WHERE "startup_id" = s."id" ORDER BY "day" DESC LIMIT 1
  ) AS last
  WHERE p."startup_id" = s."id" AND p."day" = last."day" AND p."category" = '';
  INSERT INTO "removed_startups"
  SELECT DISTINCT ON ("startup_id") "startup_id", "slug", revgate_utc_day("removed_at") FROM "startup_removals" AS r
  WHERE NOT EXISTS (SELECT FROM "startups" WHERE "id" = r."startup_id")
  ORDER BY "startup_id", "revision" DESC
  ON CONFLICT DO NOTHING;
$$;
SELECT revgate_complete_history();

CREATE OR REPLACE FUNCTION "revgate_day_of_change"() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    nullif(current_setting('revgate.day', true), '')::date,
    revgate_utc_day(coalesce(nullif(current_setting('revgate.at', true), '')::timestamptz, clock_timestamp()))
  )
$$;

CREATE OR REPLACE FUNCTION "revgate_record_points"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT revgate_is_restore() THEN
    INSERT INTO "startup_points" (
      "startup_id", "day", "revenue_last_30_days", "revenue_mrr", "revenue_total", "customers",
      "active_subscriptions", "asking_price", "on_sale", "category"
    )
    SELECT
      "id", revgate_day_of_change(), "revenue_last_30_days", "revenue_mrr", "revenue_total", "customers",
      "active_subscriptions", "asking_price", "on_sale", "category"
    FROM "changed"
    ON CONFLICT ("startup_id", "day") DO UPDATE SET
      "revenue_last_30_days" = excluded."revenue_last_30_days",
      "revenue_mrr" = excluded."revenue_mrr",
      "revenue_total" = excluded."revenue_total",
      "customers" = excluded."customers",
      "active_subscriptions" = excluded."active_subscriptions",
      "asking_price" = excluded."asking_price",
      "on_sale" = excluded."on_sale",
      "category" = excluded."category";
  END IF;
  RETURN NULL;
END
$$;

-- Records a removal. The points remain, but for those of the sample. What cannot be recorded ends all earlier cursors.
CREATE OR REPLACE FUNCTION "revgate_note_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM "removed") THEN
      RETURN NULL;
    END IF;
    IF NOT revgate_is_restore() THEN
      DELETE FROM "startup_points" USING "removed" WHERE "sample" AND "startup_id" = "id";
      INSERT INTO "removed_startups"
      SELECT "id", "slug", revgate_day_of_change() FROM "removed" WHERE NOT "sample"
      ON CONFLICT ("startup_id") DO UPDATE SET "slug" = excluded."slug", "day" = excluded."day";
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
      DELETE FROM "removed_startups";
      DELETE FROM "unchanged_startups";
    END IF;
  END IF;
  UPDATE "revisions" SET "value" = current_setting('revgate.dataset')::bigint WHERE "name" = 'removals';
  RETURN NULL;
END
$$;

-- The point that applies to a startup at the end of a day, with its category at that time; no row before the first.
CREATE FUNCTION "revgate_point_on"("of_startup" INTEGER, "on_day" DATE) RETURNS TABLE (
  "day" DATE, "revenue_last_30_days" BIGINT, "revenue_mrr" BIGINT, "revenue_total" BIGINT, "customers" INTEGER,
  "active_subscriptions" INTEGER, "asking_price" BIGINT, "on_sale" BOOLEAN, "category" TEXT
) LANGUAGE sql STABLE AS $$
  SELECT p."day", p."revenue_last_30_days", p."revenue_mrr", p."revenue_total", p."customers",
    p."active_subscriptions", p."asking_price", p."on_sale",
    CASE WHEN p."category" = '' THEN (
      SELECT n."category" FROM "startup_points" AS n
      WHERE n."startup_id" = p."startup_id" AND n."day" > p."day" AND n."category" IS DISTINCT FROM ''
      ORDER BY n."day" LIMIT 1
    ) ELSE p."category" END
  FROM "startup_points" AS p WHERE p."startup_id" = $1 AND p."day" <= $2 ORDER BY p."day" DESC LIMIT 1
$$;

-- Where the median of so many amounts is in their order, and how many amounts on each side of it are stored: the more
-- startups there are, the more are likely to change before all startups must be read again.
CREATE FUNCTION "revgate_median_place"("count" INTEGER) RETURNS INTEGER LANGUAGE sql IMMUTABLE AS 'SELECT ($1 + 1) / 2';
CREATE FUNCTION "revgate_median_reach"("count" INTEGER) RETURNS INTEGER LANGUAGE sql IMMUTABLE AS
  'SELECT 16 + greatest(sqrt($1)::integer, $1 / 100)';

-- The median of amounts in order, and the amounts around it. Of these amounts, `below` are missing at the beginning of
-- `ordered`, and some may be at its end. No row if the median is among the missing ones.
CREATE FUNCTION "revgate_median"(
  "ordered" BIGINT[], "missing_below" INTEGER, "count" INTEGER, OUT "median" BIGINT, OUT "near" BIGINT[], OUT "below" INTEGER
) RETURNS SETOF record LANGUAGE sql IMMUTABLE AS $$
  SELECT "ordered"["at"], coalesce("ordered"["first":least("at" + "reach", cardinality("ordered"))], '{}'),
    "missing_below" + "first" - 1
  FROM (SELECT revgate_median_place("count") - "missing_below" AS "at", revgate_median_reach("count") AS "reach") AS p
  CROSS JOIN LATERAL (SELECT greatest("at" - "reach", 1) AS "first") AS f
  WHERE "at" BETWEEN 1 AND cardinality("ordered") OR "count" = 0
$$;

-- The same after some amounts were added and others removed, from the amounts around the median before. PL/pgSQL, because
-- an inlined function would be planned and calculated several times.
CREATE FUNCTION "revgate_changed_median"(
  "near" BIGINT[], "below" INTEGER, "count" INTEGER, "added" BIGINT[], "removed" BIGINT[],
  OUT "median" BIGINT, OUT "near_median" BIGINT[], OUT "below_near" INTEGER
) RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  -- Where no amounts are missing at an end, all that are added there are among those around the median.
  "lowest" BIGINT := CASE WHEN "below" = 0 THEN -1 ELSE "near"[1] END;
  "highest" BIGINT := CASE WHEN "below" + cardinality("near") = "count" THEN 9223372036854775807
    ELSE "near"[cardinality("near")] END;
  "inside" BIGINT[] := "near" || ARRAY(SELECT a FROM unnest("added") AS a WHERE a BETWEEN "lowest" AND "highest");
  "moved" INTEGER := (SELECT count(*) FROM unnest("added") AS a WHERE a < "lowest")
    - (SELECT count(*) FROM unnest("removed") AS r WHERE r < "lowest")
    -- Of equal amounts at the end, some may be missing.
    - greatest(cardinality(array_positions("removed", "lowest")) - cardinality(array_positions("inside", "lowest")), 0);
BEGIN
  RETURN QUERY SELECT m.* FROM revgate_median(
    ARRAY(SELECT i FROM unnest("inside") AS i EXCEPT ALL SELECT r FROM unnest("removed") AS r ORDER BY 1),
    "below" + "moved", "count" + cardinality("added") - cardinality("removed")
  ) AS m;
END
$$;

-- The market at the end of a day: today's from the startups as they are, an earlier day's from their points.
CREATE FUNCTION "revgate_market_on"("on_day" DATE) RETURNS SETOF "market_days" LANGUAGE plpgsql STABLE AS $$
DECLARE
  "is_now" BOOLEAN := "on_day" >= revgate_utc_day(clock_timestamp());
BEGIN
  RETURN QUERY
  WITH "state" AS (
    SELECT s."category", s."on_sale", s."revenue_last_30_days" AS "revenue", s."revenue_mrr" AS "mrr"
    FROM "startups" AS s WHERE "is_now"
    UNION ALL
    SELECT p."category", p."on_sale", p."revenue_last_30_days", p."revenue_mrr"
    FROM (
      SELECT s."id" FROM "startups" AS s UNION ALL SELECT r."startup_id" FROM "removed_startups" AS r WHERE r."day" > "on_day"
    ) AS s
    CROSS JOIN LATERAL revgate_point_on(s."id", "on_day") AS p
    WHERE NOT "is_now"
  ), "figures" AS (
    SELECT
      CASE WHEN grouping(s."category") = 1 THEN '' ELSE s."category" END AS "category",
      count(*)::integer AS "count",
      (count(*) FILTER (WHERE s."on_sale"))::integer AS "on_sale",
      coalesce(sum("revenue"), 0)::double precision AS "revenue_sum",
      coalesce(array_agg("revenue" ORDER BY "revenue"), '{}') AS "revenues",
      coalesce(sum("mrr"), 0)::double precision AS "mrr_sum",
      coalesce(array_agg("mrr" ORDER BY "mrr"), '{}') AS "mrrs"
    FROM "state" AS s GROUP BY GROUPING SETS ((s."category"), ())
  )
  SELECT "on_day", f."category", f."count", f."on_sale", f."revenue_sum", r."median", f."mrr_sum", m."median",
    f."count", r."near", r."below", m."near", m."below"
  FROM "figures" AS f
  CROSS JOIN LATERAL revgate_median("revenues", 0, f."count") AS r
  CROSS JOIN LATERAL revgate_median("mrrs", 0, f."count") AS m
  WHERE f."category" IS NOT NULL;
END
$$;

-- Writes the market of one day.
CREATE OR REPLACE FUNCTION "revgate_record_market"("on_day" DATE) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "market_days"
  SELECT "on_day", "category", coalesce("count", 0), coalesce("on_sale", 0), coalesce("revenue_sum", 0), "revenue_median",
    coalesce("mrr_sum", 0), "mrr_median", coalesce("known", 0), coalesce("revenue_near", '{}'),
    coalesce("revenue_below", 0), coalesce("mrr_near", '{}'), coalesce("mrr_below", 0)
  -- A category without startups has a row from the first day on which it had one.
  FROM (SELECT DISTINCT "category" FROM "market_days" WHERE "day" <= "on_day") AS k
  FULL JOIN revgate_market_on("on_day") AS m USING ("category")
  ON CONFLICT ("category", "day") DO UPDATE SET
    "count" = excluded."count",
    "on_sale" = excluded."on_sale",
    "revenue_sum" = excluded."revenue_sum",
    "revenue_median" = excluded."revenue_median",
    "mrr_sum" = excluded."mrr_sum",
    "mrr_median" = excluded."mrr_median",
    "known" = excluded."known",
    "revenue_near" = excluded."revenue_near",
    "revenue_below" = excluded."revenue_below",
    "mrr_near" = excluded."mrr_near",
    "mrr_below" = excluded."mrr_below"
$$;

CREATE OR REPLACE FUNCTION "revgate_begin_history"("written_at" TIMESTAMPTZ) RETURNS void LANGUAGE plpgsql AS $$
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
      "active_subscriptions", "asking_price", "on_sale", "category"
    FROM "startups";
    PERFORM revgate_record_market(revgate_utc_day("since"));
  END IF;
END
$$;
