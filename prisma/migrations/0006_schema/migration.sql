-- A session whose search_path leads to other tables, such as those of another revgate in the same database, changes
-- nothing here: its triggers would write there.
CREATE OR REPLACE FUNCTION revgate_raise_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  raised BIGINT;
BEGIN
  IF to_regclass('revisions') IS DISTINCT FROM to_regclass(format('%I.revisions', TG_TABLE_SCHEMA)) THEN
    RAISE EXCEPTION 'search_path does not lead to the tables of schema %', TG_TABLE_SCHEMA
      USING HINT = format('Run this first: SET search_path = %I', TG_TABLE_SCHEMA);
  END IF;
  UPDATE revisions SET value = value + 1 WHERE name = TG_ARGV[0] RETURNING value INTO raised;
  PERFORM set_config('revgate.' || TG_ARGV[0], raised::text, true);
  IF TG_ARGV[0] = 'dataset' AND coalesce(current_setting('revgate.at', true), '') = '' THEN
    PERFORM set_config('revgate.at', date_trunc('milliseconds', clock_timestamp())::text, true);
  END IF;
  RETURN NULL;
END
$$;
