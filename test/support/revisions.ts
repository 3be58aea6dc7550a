import type pg from 'pg';

/** The revisions of the startups and of the keys. */
export async function readRevisions(pool: pg.Pool): Promise<{ dataset: bigint; keys: bigint }> {
  const { rows } = await pool.query<{ name: string; value: string }>('SELECT name, value FROM revisions');
  const values = new Map(rows.map(({ name, value }) => [name, BigInt(value)]));
  return { dataset: values.get('dataset') ?? 0n, keys: values.get('keys') ?? 0n };
}
