-- When startups were last removed, so that a running node sees without counting them whether the changes
-- since it last read are all that it has to read.

-- The dataset revision at which it happened, or one below which it may have.
INSERT INTO "revisions" ("name", "value") SELECT 'removals', "value" FROM "revisions" WHERE "name" = 'dataset';

CREATE FUNCTION "revgate_note_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM "removed") THEN
      RETURN NULL;
    END IF;
  END IF;
  UPDATE "revisions" SET "value" = current_setting('revgate.dataset')::bigint WHERE "name" = 'removals';
  RETURN NULL;
END
$$;

CREATE TRIGGER "startups_note_removal"
  AFTER DELETE ON "startups" REFERENCING OLD TABLE AS "removed"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_note_removal"();
-- A startup with another id takes another place.
CREATE TRIGGER "startups_note_move"
  AFTER UPDATE OF "id" ON "startups"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_note_removal"();
CREATE TRIGGER "startups_note_truncation"
  AFTER TRUNCATE ON "startups"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_note_removal"();
