-- Startups, API keys, and the revisions by which running nodes notice changes to either.

CREATE TABLE "revisions" (
  "name" TEXT NOT NULL,
  "value" BIGINT NOT NULL,
  CONSTRAINT "revisions_pkey" PRIMARY KEY ("name")
);
INSERT INTO "revisions" ("name", "value") VALUES ('dataset', 0), ('keys', 0);

CREATE TABLE "startups" (
  "id" SERIAL NOT NULL,
  "slug" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "icon" TEXT,
  "description" TEXT,
  "website" TEXT,
  "country" TEXT,
  "founded_date" TIMESTAMPTZ(3),
  "category" TEXT,
  "payment_provider" TEXT NOT NULL,
  "target_audience" TEXT,
  "revenue_last_30_days" BIGINT NOT NULL,
  "revenue_mrr" BIGINT NOT NULL,
  "revenue_total" BIGINT NOT NULL,
  "customers" INTEGER NOT NULL,
  "active_subscriptions" INTEGER NOT NULL,
  "asking_price" BIGINT,
  "profit_margin_last_30_days" DOUBLE PRECISION,
  "growth_30d" DOUBLE PRECISION,
  "growth_mrr_30d" DOUBLE PRECISION,
  "visitors_last_30_days" INTEGER,
  "google_search_impressions_last_30_days" INTEGER,
  "on_sale" BOOLEAN NOT NULL,
  "first_listed_for_sale_at" TIMESTAMPTZ(3),
  "x_handle" TEXT,
  "team_size" TEXT,
  "funding_status" TEXT,
  "active" BOOLEAN NOT NULL DEFAULT true,
  "sample" BOOLEAN NOT NULL DEFAULT false,
  "revision" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "startups_pkey" PRIMARY KEY ("id"),
  -- What an import promises holds for changes made directly in SQL too.
  CONSTRAINT "startups_slug_check" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  CONSTRAINT "startups_country_check" CHECK ("country" ~ '^[A-Z]{2}$'),
  CONSTRAINT "startups_x_handle_check" CHECK ("x_handle" ~ '^[A-Za-z0-9_]{1,30}$'),
  CONSTRAINT "startups_category_check" CHECK ("category" IN (
    'ai', 'saas', 'developer-tools', 'fintech', 'marketing', 'ecommerce', 'productivity',
    'design-tools', 'no-code', 'analytics', 'crypto-web3', 'education', 'health-fitness',
    'social-media', 'content-creation', 'sales', 'customer-support', 'recruiting',
    'real-estate', 'travel', 'legal', 'security', 'iot-hardware', 'green-tech',
    'entertainment', 'games', 'community', 'news-magazines', 'utilities', 'marketplace',
    'mobile-apps'
  )),
  CONSTRAINT "startups_payment_provider_check" CHECK ("payment_provider" IN (
    'stripe', 'lemonsqueezy', 'polar', 'revenuecat', 'dodopayment', 'paddle', 'superwall',
    'appstore', 'creem', 'whop', 'shopify'
  )),
  CONSTRAINT "startups_target_audience_check" CHECK ("target_audience" IN ('b2b', 'b2c', 'both')),
  CONSTRAINT "startups_team_size_check" CHECK ("team_size" IN ('1', '2-5', '6-10', '11-25', '26-50', '51+')),
  CONSTRAINT "startups_funding_status_check" CHECK ("funding_status" IN ('bootstrapped', 'vc-funded')),
  -- Amounts stay within what a JSON number holds exactly.
  CONSTRAINT "startups_money_check" CHECK (
    "revenue_last_30_days" BETWEEN 0 AND 9007199254740991
    AND "revenue_mrr" BETWEEN 0 AND 9007199254740991
    AND "revenue_total" BETWEEN 0 AND 9007199254740991
    AND "asking_price" BETWEEN 0 AND 9007199254740991
  ),
  CONSTRAINT "startups_count_check" CHECK (
    "customers" >= 0 AND "active_subscriptions" >= 0
    AND "visitors_last_30_days" >= 0 AND "google_search_impressions_last_30_days" >= 0
  ),
  CONSTRAINT "startups_margin_check" CHECK ("profit_margin_last_30_days" BETWEEN 0 AND 100),
  -- Finite: PostgreSQL sorts NaN above Infinity.
  CONSTRAINT "startups_growth_check" CHECK (
    "growth_30d" > '-Infinity' AND "growth_30d" < 'Infinity'
    AND "growth_mrr_30d" > '-Infinity' AND "growth_mrr_30d" < 'Infinity'
  )
);
CREATE UNIQUE INDEX "startups_slug_key" ON "startups" ("slug");
CREATE INDEX "startups_revision_idx" ON "startups" ("revision");

CREATE TABLE "api_keys" (
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "hash" BYTEA NOT NULL,
  "tier" TEXT NOT NULL,
  "demo" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  "disabled_at" TIMESTAMPTZ(3),
  "policy_version" TEXT NOT NULL,
  "policy_accepted_by" TEXT NOT NULL,
  "policy_accepted_at" TIMESTAMPTZ(3),
  CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "api_keys_tier_check" CHECK ("tier" IN ('standard', 'premium'))
);
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys" ("hash");

-- Raises a revision before any statement that may change its table. The row lock this takes makes
-- writers commit in the order of their revisions, so a reader that saw revision N has seen all below.
CREATE FUNCTION "revgate_raise_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  raised BIGINT;
BEGIN
  UPDATE "revisions" SET "value" = "value" + 1 WHERE "name" = TG_ARGV[0] RETURNING "value" INTO raised;
  PERFORM set_config('revgate.' || TG_ARGV[0], raised::text, true);
  RETURN NULL;
END
$$;

CREATE FUNCTION "revgate_stamp_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."revision" := current_setting('revgate.dataset')::bigint;
  RETURN NEW;
END
$$;

CREATE TRIGGER "startups_raise_revision"
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "startups"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_raise_revision"('dataset');
CREATE TRIGGER "startups_stamp_revision"
  BEFORE INSERT OR UPDATE ON "startups"
  FOR EACH ROW EXECUTE FUNCTION "revgate_stamp_revision"();
CREATE TRIGGER "api_keys_raise_revision"
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "api_keys"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_raise_revision"('keys');
