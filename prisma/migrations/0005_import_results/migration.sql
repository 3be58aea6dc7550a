-- A repeated request gets the text of the first result: jsonb would order its keys.
ALTER TABLE idempotent_imports ALTER COLUMN result TYPE json USING result::json;
