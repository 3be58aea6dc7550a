/**
 * Which database this is, as an expression of SQL: that of a standby is the same, that of a copy in another database or on
 * another server is not. A copy of its files, or of its disk, cannot be told from it.
 */
export const DATABASE_ID = `(SELECT concat(split_part(identity, ' ', 1), ' ', current_database(), ' ',
    (SELECT id FROM "_prisma_migrations" ORDER BY started_at, migration_name LIMIT 1))
  FROM revgate_identity())`;
