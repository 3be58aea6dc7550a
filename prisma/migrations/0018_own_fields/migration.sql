-- Fields that an operator declares. Their values are one object by startup, with the names that are declared.
ALTER TABLE startups ADD COLUMN own JSONB;

CREATE TABLE own_fields (
  id SERIAL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name ~ '^[a-z][A-Za-z0-9]{0,39}$'),
  kind TEXT NOT NULL CHECK (kind IN ('text', 'url', 'count', 'cents', 'percent', 'number', 'date', 'boolean', 'choice', 'texts')),
  label TEXT NOT NULL,
  description TEXT,
  indexed BOOLEAN NOT NULL,
  choices TEXT[] NOT NULL DEFAULT '{}',
  declared_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX own_fields_name_without_case ON own_fields (lower(name));

-- Nodes serve declarations with the data that they describe.
CREATE TRIGGER own_fields_raise_revision BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON own_fields
  FOR EACH STATEMENT EXECUTE FUNCTION revgate_raise_revision('dataset');
