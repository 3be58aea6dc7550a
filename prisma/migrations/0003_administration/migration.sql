-- Accounts that keys may belong to, rotation, the policy's versions, what keys are used for, and a record
-- of every administrative act.

-- Whom keys belong to.
CREATE TABLE "accounts" (
  "id" TEXT NOT NULL,
  "name" TEXT,
  "email" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "disabled_at" TIMESTAMPTZ(3),
  "disabled_reason" TEXT,
  CONSTRAINT "accounts_pkey" PRIMARY KEY ("id"),
  -- One person, one account, however the address is written.
  CONSTRAINT "accounts_email_check" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "accounts_email_key" ON "accounts" ("email");

ALTER TABLE "api_keys"
  ADD COLUMN "account_id" TEXT,
  -- The first of a line of rotated keys, whose budget they share; null for that one itself.
  ADD COLUMN "family_id" TEXT,
  -- The key that this one took over from. Unique: a key is rotated once.
  ADD COLUMN "rotated_from" TEXT,
  ADD COLUMN "disabled_reason" TEXT,
  ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "api_keys_account_id_idx" ON "api_keys" ("account_id");
CREATE INDEX "api_keys_family_id_idx" ON "api_keys" ("family_id");
CREATE UNIQUE INDEX "api_keys_rotated_from_key" ON "api_keys" ("rotated_from");

-- A disabled account disables its keys, so nodes must notice. Its other columns are nothing to them.
CREATE TRIGGER "accounts_raise_revision"
  BEFORE UPDATE OF "disabled_at" OR DELETE OR TRUNCATE ON "accounts"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_raise_revision"('keys');

-- How often keys were used. Written every few seconds by each node, which is why it is no column of
-- api_keys: every change of that table makes all nodes look their keys up again.
CREATE TABLE "key_usage" (
  "key_id" TEXT NOT NULL,
  -- The beginning of the hour.
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "surface" TEXT NOT NULL,
  -- The HTTP status answered; 429 are the requests refused.
  "status" SMALLINT NOT NULL,
  "requests" BIGINT NOT NULL,
  CONSTRAINT "key_usage_pkey" PRIMARY KEY ("key_id", "hour", "surface", "status"),
  CONSTRAINT "key_usage_status_check" CHECK ("status" BETWEEN 100 AND 599),
  CONSTRAINT "key_usage_requests_check" CHECK ("requests" > 0)
);
CREATE INDEX "key_usage_hour_idx" ON "key_usage" ("hour");

CREATE TABLE "key_last_uses" (
  "key_id" TEXT NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "key_last_uses_pkey" PRIMARY KEY ("key_id")
);

-- Every version of the acceptable-use policy that was ever in force, with its text.
CREATE TABLE "policies" (
  "version" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "policies_pkey" PRIMARY KEY ("version"),
  CONSTRAINT "policies_version_check" CHECK ("version" ~ '^\d{4}-\d{2}-\d{2}$')
);

-- Who did what to which key or account, written in the transaction that did it.
CREATE TABLE "audit_log" (
  "id" SERIAL NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "actor" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "details" JSONB NOT NULL DEFAULT '{}',
  CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_log_subject_idx" ON "audit_log" ("subject");

-- What was recorded stays. Only the restoring of a backup replaces it, and says so in its transaction:
-- SET LOCAL revgate.restore = 'on'
CREATE FUNCTION "revgate_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('revgate.restore', true) IS DISTINCT FROM 'on' THEN
    RAISE EXCEPTION 'rows of % are added, never changed or removed', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "audit_log_refuse_change"
  BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_refuse_change"();
CREATE TRIGGER "policies_refuse_change"
  BEFORE UPDATE OR DELETE OR TRUNCATE ON "policies"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_refuse_change"();
