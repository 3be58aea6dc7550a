-- Tables whose rows are added, never changed or removed. Only a restore replaces them.

CREATE FUNCTION revgate_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT revgate_is_restore() THEN
    RAISE EXCEPTION 'rows of % are added, never changed or removed', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER audit_log_refuse_change
  BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_refuse_change();
CREATE TRIGGER policies_refuse_change
  BEFORE UPDATE OR DELETE OR TRUNCATE ON policies
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_refuse_change();
