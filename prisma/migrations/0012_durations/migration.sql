-- How long the requests of a key took, by the hour. Not in key_usage: during an upgrade, nodes of the version before
-- this one add to that by its key.
CREATE TABLE "key_durations" (
  "key_id" TEXT NOT NULL,
  -- The beginning of the hour.
  "hour" TIMESTAMPTZ(3) NOT NULL,
  -- The upper end of a range of durations, in ms; Infinity for the last range.
  "up_to" DOUBLE PRECISION NOT NULL,
  "requests" BIGINT NOT NULL,
  CONSTRAINT "key_durations_pkey" PRIMARY KEY ("key_id", "hour", "up_to"),
  CONSTRAINT "key_durations_up_to_check" CHECK ("up_to" > 0),
  CONSTRAINT "key_durations_requests_check" CHECK ("requests" > 0)
);
CREATE INDEX "key_durations_hour_idx" ON "key_durations" ("hour");
