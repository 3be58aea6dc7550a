-- A revision of accounts and of what belongs to them, so that a backup that is read piece by piece sees whether one
-- changed meanwhile, and so that a changed password alone makes a snapshot due. Nodes remember none of it, which is
-- why it is not the revision of keys: every change of that makes all nodes look their keys up again.
INSERT INTO "revisions" ("name", "value") VALUES ('accounts', 0);

-- Triggers of one table run in the order of their names: this one after accounts_raise_revision, so that everybody
-- locks the revision of keys before this one.
CREATE TRIGGER "accounts_raise_revision_of_accounts"
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "accounts"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_raise_revision"('accounts');
CREATE TRIGGER "account_providers_raise_revision"
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "account_providers"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_raise_revision"('accounts');
CREATE TRIGGER "policy_acceptances_raise_revision"
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "policy_acceptances"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_raise_revision"('accounts');
