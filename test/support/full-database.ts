import type { Database } from '../../src/db/open.ts';

/** Lets every change of startups fail as on a full disk, until {@link emptyDatabase}. */
export async function fillDatabase({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query(`CREATE FUNCTION fail_as_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
  await pool.query(
    'CREATE TRIGGER fail_as_full BEFORE INSERT OR UPDATE ON startups FOR EACH STATEMENT EXECUTE FUNCTION fail_as_full()',
  );
}

export async function emptyDatabase({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query('DROP FUNCTION fail_as_full CASCADE');
}
