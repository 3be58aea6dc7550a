-- A restore brings the revisions of startups with it, like their times: they are the order in which the startups changed.
CREATE OR REPLACE FUNCTION "revgate_stamp_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT revgate_is_restore() THEN
    NEW."revision" := current_setting('revgate.dataset')::bigint;
    NEW."updated_at" := current_setting('revgate.at')::timestamptz;
    NEW."created_at" := CASE WHEN TG_OP = 'INSERT' THEN NEW."updated_at" ELSE OLD."created_at" END;
  END IF;
  RETURN NEW;
END
$$;
