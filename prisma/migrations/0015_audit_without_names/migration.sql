-- An account can be deleted, but the rows of the audit log stay. So they do not contain the names and origins that its
-- holder gave to keys.
SELECT set_config('revgate.restore', 'on', true);
UPDATE "audit_log" SET "details" = "details" - 'from' - 'to'
  WHERE "action" = 'key.rename' AND "subject" IN (
    SELECT "subject" FROM "audit_log" WHERE "action" = 'key.create' AND "details" ->> 'accountId' IS NOT NULL
  );
UPDATE "audit_log" SET "details" = "details" - 'name' - 'origins'
  WHERE "action" = 'key.create' AND "details" ->> 'accountId' IS NOT NULL;
SELECT set_config('revgate.restore', '', true);
