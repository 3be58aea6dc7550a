-- Trusted documents: what a key has published, by the SHA-256 of the exact text.

ALTER TABLE "api_keys"
  -- Whether the key may ask for nothing over GraphQL but what it has published.
  ADD COLUMN "trusted_only" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "documents" (
  -- The first of a line of rotated keys: what one of them publishes is the others' too.
  "family_id" TEXT NOT NULL,
  "hash" BYTEA NOT NULL,
  "text" TEXT NOT NULL,
  -- The names of its operations, for those who read lists.
  "operations" TEXT[] NOT NULL,
  "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "documents_pkey" PRIMARY KEY ("family_id", "hash"),
  CONSTRAINT "documents_family_id_fkey" FOREIGN KEY ("family_id")
    REFERENCES "api_keys" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  -- A document is what its hash says, also when it is written in SQL.
  CONSTRAINT "documents_hash_check" CHECK ("hash" = sha256(convert_to("text", 'UTF8')))
);

-- Nodes remember documents, so they must notice when one is removed.
CREATE TRIGGER "documents_raise_revision"
  BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "documents"
  FOR EACH STATEMENT EXECUTE FUNCTION "revgate_raise_revision"('keys');
