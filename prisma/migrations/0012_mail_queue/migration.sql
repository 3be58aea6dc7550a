-- Emails that were certainly not taken by the mail server are tried again. `content` stays with the email, and `outcome`
-- says what became of it: it is null while the email waits (`claimed_at` is null), and while a node sends it.
ALTER TABLE sent_mails RENAME COLUMN sent_at TO ended_at;
ALTER TABLE sent_mails
  ADD COLUMN claimed_at timestamptz(3),
  ADD COLUMN retry_at timestamptz(3),
  ADD COLUMN outcome text CHECK (outcome IN ('sent', 'failed', 'refused', 'unknown', 'given_up'));
UPDATE sent_mails SET
  outcome = CASE
    WHEN content IS NOT NULL THEN NULL
    WHEN ended_at IS NOT NULL THEN 'sent'
    WHEN failure IS NULL OR failure = 'interrupted' THEN 'unknown'
    ELSE 'failed'
  END,
  ended_at = CASE WHEN content IS NULL THEN coalesce(ended_at, recorded_at) END,
  content = coalesce(content, told);
ALTER TABLE sent_mails DROP COLUMN told;

-- A line of an email names a startup in a field of its own, if it does.
UPDATE sent_mails SET content = jsonb_set(content, '{lists}', (
  SELECT coalesce(jsonb_agg(jsonb_set(list, '{lines}', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('text', line)), '[]') FROM jsonb_array_elements(list -> 'lines') AS line
  ))), '[]')
  FROM jsonb_array_elements(content -> 'lists') AS list
)) WHERE content ? 'lists';

CREATE INDEX sent_mails_waiting_idx ON sent_mails (kind) WHERE outcome IS NULL;

-- Which database, at which PUBLIC_URL, tells accounts something by email: not a copy of it. At most one row.
CREATE TABLE mail_source (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  database text NOT NULL,
  public_url text
);

-- How many emails an address got whose owner has confirmed no account, by a digest of the address.
CREATE TABLE unconfirmed_mails (
  digest text PRIMARY KEY,
  since timestamptz(3) NOT NULL,
  mails integer NOT NULL
);
