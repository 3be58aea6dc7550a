// Nothing searches by other columns.
const ANALYZE = 'ANALYZE startups (id, slug, sample, revision)';

/**
 * Lets the planner know what the startups have become: the embedded database never does it by itself, and a
 * server only later. The change is done by then, so a failure of this is none.
 *
 * @param sharedSession whether everybody else would wait.
 */
export async function analyseStartups(
  client: { query(text: string): Promise<unknown> },
  sharedSession: boolean,
): Promise<void> {
  // A hundredth of the rows tells the same of such columns.
  const sql = sharedSession ? `SET LOCAL default_statistics_target = 3; ${ANALYZE}` : ANALYZE;
  await client.query(sql).catch(() => {});
}
