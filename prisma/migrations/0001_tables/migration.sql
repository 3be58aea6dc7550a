-- All tables. What their rows and columns mean is in schema.prisma; the triggers are in the migrations after this one.
-- The checks are what an import and the commands promise, for changes that are made directly in SQL too.

CREATE TABLE revisions (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO revisions VALUES
  ('dataset', 0), ('keys', 0), ('accounts', 0), ('removals', 0), ('unrecorded_removals', 0),
  ('epoch', floor(random() * 9007199254740991)::bigint);

CREATE TABLE startups (
  id SERIAL PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name TEXT NOT NULL,
  icon TEXT,
  description TEXT,
  website TEXT,
  country TEXT CHECK (country ~ '^[A-Z]{2}$'),
  founded_date TIMESTAMPTZ(3),
  category TEXT CHECK (category IN (
    'ai', 'saas', 'developer-tools', 'fintech', 'marketing', 'ecommerce', 'productivity', 'design-tools', 'no-code',
    'analytics', 'crypto-web3', 'education', 'health-fitness', 'social-media', 'content-creation', 'sales',
    'customer-support', 'recruiting', 'real-estate', 'travel', 'legal', 'security', 'iot-hardware', 'green-tech',
    'entertainment', 'games', 'community', 'news-magazines', 'utilities', 'marketplace', 'mobile-apps'
  )),
  payment_provider TEXT NOT NULL CHECK (payment_provider IN (
    'stripe', 'lemonsqueezy', 'polar', 'revenuecat', 'dodopayment', 'paddle', 'superwall', 'appstore', 'creem', 'whop',
    'shopify'
  )),
  target_audience TEXT CHECK (target_audience IN ('b2b', 'b2c', 'both')),
  -- Amounts stay within what a JSON number holds exactly.
  revenue_last_30_days BIGINT NOT NULL CHECK (revenue_last_30_days BETWEEN 0 AND 9007199254740991),
  revenue_mrr BIGINT NOT NULL CHECK (revenue_mrr BETWEEN 0 AND 9007199254740991),
  revenue_total BIGINT NOT NULL CHECK (revenue_total BETWEEN 0 AND 9007199254740991),
  customers INTEGER NOT NULL CHECK (customers >= 0),
  active_subscriptions INTEGER NOT NULL CHECK (active_subscriptions >= 0),
  asking_price BIGINT CHECK (asking_price BETWEEN 0 AND 9007199254740991),
  profit_margin_last_30_days DOUBLE PRECISION CHECK (profit_margin_last_30_days BETWEEN 0 AND 100),
  -- Finite: PostgreSQL sorts NaN above Infinity.
  growth_30d DOUBLE PRECISION CHECK (growth_30d > '-Infinity' AND growth_30d < 'Infinity'),
  growth_mrr_30d DOUBLE PRECISION CHECK (growth_mrr_30d > '-Infinity' AND growth_mrr_30d < 'Infinity'),
  visitors_last_30_days INTEGER CHECK (visitors_last_30_days >= 0),
  google_search_impressions_last_30_days INTEGER CHECK (google_search_impressions_last_30_days >= 0),
  on_sale BOOLEAN NOT NULL,
  first_listed_for_sale_at TIMESTAMPTZ(3),
  x_handle TEXT CHECK (x_handle ~ '^[A-Za-z0-9_]{1,30}$'),
  team_size TEXT CHECK (team_size IN ('1', '2-5', '6-10', '11-25', '26-50', '51+')),
  funding_status TEXT CHECK (funding_status IN ('bootstrapped', 'vc-funded')),
  verified_at TIMESTAMPTZ(3),
  previous_asking_price BIGINT CHECK (previous_asking_price BETWEEN 0 AND 9007199254740991),
  asking_price_changed_at TIMESTAMPTZ(3),
  tech_stack TEXT[],
  cofounders TEXT[],
  founder_name TEXT,
  founder_message TEXT,
  x_follower_count INTEGER CHECK (x_follower_count >= 0),
  is_merchant_of_record BOOLEAN,
  value_proposition TEXT,
  problem_solved TEXT,
  pricing_model TEXT,
  target_persona TEXT,
  active BOOLEAN NOT NULL DEFAULT true,
  sample BOOLEAN NOT NULL DEFAULT false,
  revision BIGINT NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX startups_revision_idx ON startups (revision);

CREATE TABLE startup_points (
  startup_id INTEGER,
  day DATE,
  revenue_last_30_days BIGINT NOT NULL,
  revenue_mrr BIGINT NOT NULL,
  revenue_total BIGINT NOT NULL,
  customers INTEGER NOT NULL,
  active_subscriptions INTEGER NOT NULL,
  asking_price BIGINT,
  on_sale BOOLEAN NOT NULL,
  category TEXT,
  PRIMARY KEY (startup_id, day)
);

CREATE TABLE removed_startups (
  startup_id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL,
  day DATE NOT NULL
);
CREATE INDEX removed_startups_slug_idx ON removed_startups (slug);

CREATE TABLE unchanged_startups (day DATE PRIMARY KEY, startup_ids INT4MULTIRANGE NOT NULL);

CREATE TABLE startup_removals (
  slug TEXT PRIMARY KEY,
  startup_id INTEGER NOT NULL,
  revision BIGINT NOT NULL,
  removed_at TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX startup_removals_revision_startup_id_idx ON startup_removals (revision, startup_id);

CREATE TABLE market_days (
  day DATE,
  category TEXT,
  count INTEGER NOT NULL,
  on_sale INTEGER NOT NULL,
  -- Sums may exceed what an integer of 64 bits holds.
  revenue_sum DOUBLE PRECISION NOT NULL,
  revenue_median BIGINT,
  mrr_sum DOUBLE PRECISION NOT NULL,
  mrr_median BIGINT,
  PRIMARY KEY (category, day)
);

CREATE TABLE imports (
  id SERIAL PRIMARY KEY,
  finished_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sources TEXT[] NOT NULL,
  imported_by TEXT NOT NULL,
  via TEXT NOT NULL DEFAULT 'command' CHECK (via IN ('command', 'http', 'dashboard')),
  duration_ms INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  as_of DATE
);

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT,
  -- One person, one account, however the address is written.
  email TEXT UNIQUE CHECK (email = lower(email)),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  disabled_at TIMESTAMPTZ(3),
  disabled_reason TEXT,
  email_verified BOOLEAN NOT NULL DEFAULT false,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  operator BOOLEAN NOT NULL DEFAULT false
);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE ON UPDATE CASCADE,
  -- The cookie holds it with a signature, so that this alone opens nothing.
  token TEXT NOT NULL UNIQUE,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ip_address TEXT,
  user_agent TEXT
);
CREATE INDEX sessions_account_id_idx ON sessions (account_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE account_providers (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE ON UPDATE CASCADE,
  provider TEXT NOT NULL,
  provider_account_id TEXT NOT NULL,
  password TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE (provider, provider_account_id)
);
CREATE INDEX account_providers_account_id_idx ON account_providers (account_id);

CREATE TABLE verifications (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX verifications_identifier_idx ON verifications (identifier);
CREATE INDEX verifications_expires_at_idx ON verifications (expires_at);

CREATE TABLE account_lists (
  account_id TEXT PRIMARY KEY REFERENCES accounts ON DELETE CASCADE ON UPDATE CASCADE,
  shortlist TEXT[] NOT NULL DEFAULT '{}' CHECK (cardinality(shortlist) <= 100),
  searches JSONB NOT NULL DEFAULT '{}'
);

CREATE TABLE policies (
  version TEXT PRIMARY KEY CHECK (version ~ '^\d{4}-\d{2}-\d{2}$'),
  text TEXT NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE policy_acceptances (
  account_id TEXT REFERENCES accounts ON DELETE CASCADE ON UPDATE CASCADE,
  version TEXT,
  accepted_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (account_id, version)
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash BYTEA NOT NULL UNIQUE,
  tier TEXT NOT NULL CHECK (tier IN ('standard', 'premium')),
  rate_limit INTEGER CHECK (rate_limit BETWEEN 1 AND 1000000000),
  demo BOOLEAN NOT NULL DEFAULT false,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  disabled_at TIMESTAMPTZ(3),
  policy_version TEXT NOT NULL,
  policy_accepted_by TEXT NOT NULL,
  policy_accepted_at TIMESTAMPTZ(3),
  account_id TEXT REFERENCES accounts ON DELETE RESTRICT ON UPDATE CASCADE,
  family_id TEXT,
  -- Unique: a key is rotated once.
  rotated_from TEXT UNIQUE,
  disabled_reason TEXT,
  trusted_only BOOLEAN NOT NULL DEFAULT false,
  origins TEXT[] NOT NULL DEFAULT '{}',
  snapshot BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT api_keys_origins_check CHECK (cardinality(origins) = 0 OR trusted_only),
  -- Everyone can read an embed key.
  CONSTRAINT api_keys_snapshot_check CHECK (cardinality(origins) = 0 OR NOT snapshot)
);
CREATE INDEX api_keys_account_id_idx ON api_keys (account_id);
CREATE INDEX api_keys_family_id_idx ON api_keys (family_id);

CREATE TABLE documents (
  family_id TEXT REFERENCES api_keys ON DELETE CASCADE ON UPDATE CASCADE,
  hash BYTEA,
  text TEXT NOT NULL,
  operations TEXT[] NOT NULL,
  feed BOOLEAN NOT NULL DEFAULT false,
  tool BOOLEAN NOT NULL DEFAULT false,
  published_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (family_id, hash),
  CONSTRAINT documents_hash_check CHECK (hash = sha256(convert_to(text, 'UTF8')))
);

CREATE TABLE key_usage (
  key_id TEXT,
  hour TIMESTAMPTZ(3),
  surface TEXT,
  status SMALLINT CHECK (status BETWEEN 100 AND 599),
  requests BIGINT NOT NULL CHECK (requests > 0),
  origin TEXT DEFAULT '',
  PRIMARY KEY (key_id, hour, surface, status, origin)
);
CREATE INDEX key_usage_hour_idx ON key_usage (hour);

CREATE TABLE key_durations (
  key_id TEXT,
  hour TIMESTAMPTZ(3),
  up_to DOUBLE PRECISION CHECK (up_to > 0),
  requests BIGINT NOT NULL CHECK (requests > 0),
  PRIMARY KEY (key_id, hour, up_to)
);
CREATE INDEX key_durations_hour_idx ON key_durations (hour);

CREATE TABLE key_last_uses (
  key_id TEXT PRIMARY KEY,
  last_used_at TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE key_failures (
  key_id TEXT,
  code TEXT,
  target TEXT,
  parameters TEXT,
  requests BIGINT NOT NULL CHECK (requests > 0),
  first_at TIMESTAMPTZ(3) NOT NULL,
  last_at TIMESTAMPTZ(3) NOT NULL,
  last JSONB NOT NULL,
  PRIMARY KEY (key_id, code, target, parameters)
);

CREATE TABLE audit_log (
  id SERIAL PRIMARY KEY,
  at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  details JSONB NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_subject_idx ON audit_log (subject);

CREATE TABLE operator_tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash BYTEA NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  account_id TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE ON UPDATE CASCADE,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at TIMESTAMPTZ(3)
);
CREATE INDEX operator_tokens_account_id_idx ON operator_tokens (account_id);

CREATE TABLE idempotent_imports (
  token_id TEXT,
  key TEXT,
  digest BYTEA NOT NULL,
  result JSONB NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (token_id, key)
);
CREATE INDEX idempotent_imports_created_at_idx ON idempotent_imports (created_at);

CREATE TABLE stored_mappings (
  name TEXT PRIMARY KEY,
  mapping JSONB NOT NULL,
  saved_by TEXT NOT NULL,
  saved_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
