-- Earlier versions prepared large imports in tables beside startups, and may have left some.
DROP SCHEMA IF EXISTS "revgate_next" CASCADE;
DROP SCHEMA IF EXISTS "revgate_before" CASCADE;
