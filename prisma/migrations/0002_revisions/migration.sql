-- Revisions: numbers that rise with each change, by which running nodes, cursors and backups notice changes.

-- Whether this transaction restores a backup, which says so by SET LOCAL revgate.restore = 'on'.
CREATE FUNCTION revgate_is_restore() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('revgate.restore', true), '') = 'on'
$$;

-- Raises a revision before any statement that may change its table. The row lock that this takes makes writers commit in
-- the order of their revisions, so a reader that saw revision N has seen all below. All changes of a transaction have
-- one time.
CREATE FUNCTION revgate_raise_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  raised BIGINT;
BEGIN
  UPDATE revisions SET value = value + 1 WHERE name = TG_ARGV[0] RETURNING value INTO raised;
  PERFORM set_config('revgate.' || TG_ARGV[0], raised::text, true);
  IF TG_ARGV[0] = 'dataset' AND coalesce(current_setting('revgate.at', true), '') = '' THEN
    PERFORM set_config('revgate.at', date_trunc('milliseconds', clock_timestamp())::text, true);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER startups_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON startups
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('dataset');

-- What nodes remember of keys: also that their account was disabled, and their documents. Each change of it makes all
-- nodes look all keys up again.
CREATE TRIGGER api_keys_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('keys');
CREATE TRIGGER accounts_raise_revision BEFORE UPDATE OF disabled_at OR DELETE OR TRUNCATE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('keys');
CREATE TRIGGER documents_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON documents
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('keys');

-- What only backups watch. Triggers of one table run in the order of their names: this one after accounts_raise_revision,
-- so that everybody locks the revision of keys before this one.
CREATE TRIGGER accounts_raise_revision_of_accounts BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('accounts');
CREATE TRIGGER account_providers_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON account_providers
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('accounts');
CREATE TRIGGER account_lists_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON account_lists
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('accounts');
CREATE TRIGGER policy_acceptances_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON policy_acceptances
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('accounts');

-- Gives a startup the revision and the time of its change, and records the price that another one replaces. Data of a past
-- day replaces no price. A restore brings all of these with it.
CREATE FUNCTION revgate_stamp_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT revgate_is_restore() THEN
    NEW.revision := current_setting('revgate.dataset')::bigint;
    NEW.updated_at := current_setting('revgate.at')::timestamptz;
    NEW.created_at := CASE WHEN TG_OP = 'INSERT' THEN NEW.updated_at ELSE OLD.created_at END;
    IF TG_OP = 'UPDATE' AND NEW.asking_price IS DISTINCT FROM OLD.asking_price
      AND revgate_day_of_change() = revgate_utc_day(NEW.updated_at) THEN
      NEW.previous_asking_price := CASE WHEN NEW.asking_price IS NOT NULL THEN OLD.asking_price END;
      NEW.asking_price_changed_at := CASE WHEN NEW.previous_asking_price IS NOT NULL THEN NEW.updated_at END;
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER startups_stamp_revision
  BEFORE INSERT OR UPDATE ON startups FOR EACH ROW EXECUTE FUNCTION revgate_stamp_revision();

-- Which server and which history of the database this is, in one statement, whatever the host exposes.
-- "identity" is the system identifier, the timeline, the epoch and the transaction that wrote the epoch; the first two are
-- empty where they cannot be read. Revisions and ids are comparable only if it is the same: after a failover, another
-- server may lack commits whose revisions and ids it assigns again; its timeline shows that. After pg_restore into the same
-- server, the epoch is that of the dump, but another transaction has written it. "server_start" is null where it or any
-- part of the identity cannot be read. After a crash, a server may lack its last commits too: with synchronous_commit = off
-- also after one that does not change the time, so that it is null. STABLE: it reads the snapshot of the statement that
-- calls it.
CREATE FUNCTION revgate_identity(OUT identity TEXT, OUT server_start TEXT) LANGUAGE plpgsql STABLE AS $$
DECLARE
  system TEXT;
  timeline TEXT;
BEGIN
  -- PostgreSQL checks the privilege of a function only where it is about to call it.
  IF has_function_privilege('pg_control_system()', 'EXECUTE') THEN
    system := (SELECT system_identifier::text FROM pg_control_system());
    IF NOT pg_is_in_recovery() THEN
      timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
    END IF;
  END IF;
  identity := concat(system, ' ', timeline, ' ', (SELECT concat(value, ' ', xmin) FROM revisions WHERE name = 'epoch'));
  IF system IS NOT NULL AND timeline IS NOT NULL AND current_setting('synchronous_commit') <> 'off'
    AND has_function_privilege('pg_postmaster_start_time()', 'EXECUTE') THEN
    server_start := extract(epoch FROM pg_postmaster_start_time())::text;
  END IF;
END
$$;
