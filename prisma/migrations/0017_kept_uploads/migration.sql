-- The file that an operator has uploaded in the dashboard, until it is imported: one of each account, for an hour. What
-- was answered and what its examination found are JSON, as text: the order of their keys is that of its columns.
CREATE TABLE kept_uploads (
  account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id text NOT NULL UNIQUE,
  digest text NOT NULL,
  name text NOT NULL,
  bytes integer NOT NULL,
  kept_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  answers text NOT NULL,
  examination text
);
CREATE INDEX kept_uploads_expires_at_idx ON kept_uploads (expires_at);

-- Its bytes on a server, for all nodes. The embedded database has them in a file of the data directory.
CREATE TABLE kept_pieces (
  upload_id text NOT NULL REFERENCES kept_uploads (id) ON DELETE CASCADE ON UPDATE CASCADE,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (upload_id, number)
);
-- Compressing a file for an hour is not worth its time.
ALTER TABLE kept_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
