-- Which server and which history of the database this is, in one statement, whatever the host exposes.

-- "identity" is the system identifier, the timeline and the epoch; the first two are empty where they cannot be read.
-- Revisions and ids are comparable only if it is the same: after a failover, another server may lack commits whose revisions
-- and ids it assigns again; its timeline shows that. "server_start" is null where it or any part of the identity cannot be
-- read. After a crash, a server may lack its last commits too: with synchronous_commit = off also after one that does not change
-- the time, so that it is null. STABLE: it reads the snapshot of the statement that calls it.
CREATE FUNCTION "revgate_identity"(OUT "identity" TEXT, OUT "server_start" TEXT) LANGUAGE plpgsql STABLE AS $$
DECLARE
  "system" TEXT;
  "timeline" TEXT;
BEGIN
  -- PostgreSQL checks the privilege of a function only where it is about to call it.
  IF has_function_privilege('pg_control_system()', 'EXECUTE') THEN
    "system" := (SELECT "system_identifier"::text FROM pg_control_system());
    IF NOT pg_is_in_recovery() THEN
      "timeline" := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
    END IF;
  END IF;
  "identity" := concat(
    "system", ' ', "timeline", ' ', (SELECT "value" FROM "revisions" WHERE "name" = 'epoch')
  );
  IF "system" IS NOT NULL AND "timeline" IS NOT NULL AND current_setting('synchronous_commit') <> 'off'
    AND has_function_privilege('pg_postmaster_start_time()', 'EXECUTE') THEN
    "server_start" := extract(epoch FROM pg_postmaster_start_time())::text;
  END IF;
END
$$;
