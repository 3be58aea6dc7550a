-- The second factor of accounts: named as better-auth's plugin names it, with the last used step of its codes.
ALTER TABLE accounts ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;
-- When the session last gave the second factor.
ALTER TABLE sessions ADD COLUMN factor_at timestamptz(3);

CREATE TABLE two_factors (
  id text PRIMARY KEY,
  account_id text NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Both are encrypted with AUTH_SECRET.
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz(3),
  last_step integer NOT NULL DEFAULT 0
);
CREATE TRIGGER two_factors_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON two_factors
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('accounts');
