/** Runs a statement in one transaction. */
type Query = (sql: string) => Promise<{ rows: number }[]>;

/** How many rows of a table some work reads without an index, in the transaction of the query. */
export async function countScannedRows(
  query: Query,
  table: string,
  work: () => Promise<void>,
): Promise<number> {
  const count = async (): Promise<number> => {
    const [found] = await query(
      `SELECT seq_tup_read::integer AS rows FROM pg_stat_xact_user_tables WHERE relname = '${table}'`,
    );
    return found?.rows ?? 0;
  };
  // The embedded engine counts nothing of a table until it was read once.
  await query(`SELECT count(*)::integer AS rows FROM ${table}`);
  const before = await count();
  await work();
  return (await count()) - before;
}
