-- Emails that tell people something: which were sent, and what they are about. Without references to accounts and keys,
-- whose ids contain nothing personal: rows are removed after a month.
ALTER TABLE accounts ADD COLUMN key_mails boolean NOT NULL DEFAULT true;

-- When each kind of mails was last looked for: one node at a time does it.
CREATE TABLE mail_runs (
  kind text PRIMARY KEY,
  run_at timestamptz(3) NOT NULL
);

-- Written before an email is sent, so that none is sent twice.
CREATE TABLE sent_mails (
  kind text NOT NULL,
  account_id text NOT NULL,
  subject text NOT NULL,
  occasion text NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  failure text,
  PRIMARY KEY (kind, account_id, subject, occasion)
);
CREATE INDEX sent_mails_recorded_at_idx ON sent_mails (recorded_at);

-- The minutes in which a key used most of its limit.
CREATE TABLE key_busy_minutes (
  key_id text NOT NULL,
  minute timestamptz(3) NOT NULL,
  PRIMARY KEY (key_id, minute)
);
CREATE INDEX key_busy_minutes_minute_idx ON key_busy_minutes (minute);
