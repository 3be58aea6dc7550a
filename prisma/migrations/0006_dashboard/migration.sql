-- What people need to sign in to the dashboard, and which version of the policy each has accepted.

ALTER TABLE "accounts"
  ADD COLUMN "email_verified" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Set by the command line only.
  ADD COLUMN "operator" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "sessions" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  -- The cookie holds it with a signature, so that this alone opens nothing.
  "token" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ip_address" TEXT,
  "user_agent" TEXT,
  CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sessions_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions" ("token");
CREATE INDEX "sessions_account_id_idx" ON "sessions" ("account_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions" ("expires_at");

-- How an account can be signed in to: a password, or an account elsewhere.
CREATE TABLE "account_providers" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  -- credential or github.
  "provider" TEXT NOT NULL,
  -- The account's id at the provider.
  "provider_account_id" TEXT NOT NULL,
  -- scrypt, with its salt; only of credential.
  "password" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "account_providers_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "account_providers_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "account_providers_provider_provider_account_id_key"
  ON "account_providers" ("provider", "provider_account_id");
CREATE INDEX "account_providers_account_id_idx" ON "account_providers" ("account_id");

-- What was sent by mail, or to a provider, and is waited for.
CREATE TABLE "verifications" (
  "id" TEXT NOT NULL,
  "identifier" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "verifications_identifier_idx" ON "verifications" ("identifier");
CREATE INDEX "verifications_expires_at_idx" ON "verifications" ("expires_at");

CREATE TABLE "policy_acceptances" (
  "account_id" TEXT NOT NULL,
  "version" TEXT NOT NULL,
  "accepted_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "policy_acceptances_pkey" PRIMARY KEY ("account_id", "version"),
  CONSTRAINT "policy_acceptances_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The record of acts names nobody by address: an account can be deleted, its rows stay.
SELECT set_config('revgate.restore', 'on', true);
UPDATE "audit_log" SET "details" = "details" - 'email' - 'name' WHERE "action" = 'account.create';
SELECT set_config('revgate.restore', '', true);
