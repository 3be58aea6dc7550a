-- Embed keys: keys for web pages, bound to the origins of those pages and to published documents.

ALTER TABLE "api_keys"
  -- None for a secret key.
  ADD COLUMN "origins" TEXT[] NOT NULL DEFAULT '{}',
  ADD CONSTRAINT "api_keys_origins_check" CHECK (cardinality("origins") = 0 OR "trusted_only");
