-- Which life of the data this is. A restore begins another one, in which revisions mean something else.
INSERT INTO "revisions" ("name", "value") VALUES ('epoch', floor(random() * 9007199254740991)::bigint);
