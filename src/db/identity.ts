/** What this needs of a connection; pg's client has it. */
interface Session {
  query(sql: string): Promise<{ rows: { name: string; value: string | null }[] }>;
}

/**
 * Selects the identity of the server, as names and values. After a failover, another server may lack commits whose
 * revisions it assigns again; its timeline shows that.
 */
export const SERVER_IDENTITY = `SELECT 'system' AS name, system_identifier::text AS value FROM pg_control_system()
  UNION ALL SELECT 'timeline',
    CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END`;

const EPOCH = "SELECT name, value::text FROM revisions WHERE name = 'epoch'";

/** The identity of the server and the database history: revisions are comparable only if it is the same. */
export function identityOf(values: ReadonlyMap<string, string>): string {
  return ['system', 'timeline', 'epoch'].map((name) => values.get(name) ?? '').join(' ');
}

/** Reads the identity in the session's transaction, if there is one: nothing here can fail and abort it. */
export async function readIdentity(session: Session): Promise<string> {
  const privilege = await session.query(
    "SELECT 'control' AS name, has_function_privilege('pg_control_system()', 'EXECUTE')::text AS value",
  );
  // Some hosts do not expose the identity of their servers.
  const isAllowed = privilege.rows[0]?.value === 'true';
  const { rows } = await session.query(isAllowed ? `${EPOCH} UNION ALL ${SERVER_IDENTITY}` : EPOCH);
  return identityOf(new Map(rows.map(({ name, value }) => [name, value ?? ''])));
}
