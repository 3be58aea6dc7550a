-- Emails about what accounts saved. These settings are a part of backups; each search has its own in its JSON.
ALTER TABLE account_lists
  ADD COLUMN mails text NOT NULL DEFAULT 'daily' CHECK (mails IN ('daily', 'weekly')),
  ADD COLUMN shortlist_mails_since timestamptz(3);

-- An address that the mail server refused: the account gets no more such emails until it has another.
ALTER TABLE accounts ADD COLUMN refused_email text;

-- What an email tells: while it waits to be sent, and afterwards, for the page.
ALTER TABLE sent_mails ADD COLUMN content jsonb, ADD COLUMN told jsonb;

-- The figures of all startups when emails of a kind were last written, in parts: what later ones are compared with.
CREATE TABLE told_figures (
  kind text NOT NULL,
  part integer NOT NULL,
  figures bytea NOT NULL,
  PRIMARY KEY (kind, part)
);
