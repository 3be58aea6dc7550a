-- Links that an operator made in the dashboard end with the role of this operator.
ALTER TABLE verifications
  ADD COLUMN maker_id text REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX verifications_maker_id_idx ON verifications (maker_id);
-- Nothing says who made the earlier ones. They work for a day, those in emails for an hour.
DELETE FROM verifications WHERE identifier LIKE 'reset-password:%' AND expires_at > now() + interval '1 hour';
