import type { ClientBase } from 'pg';
import { positionOfSlug } from '../order/look-ups.ts';
import type { ArrangedData } from '../order/orders.ts';
import type { Removal, RowsState, StoredRows } from '../store/row-writer.ts';

/** Removals in the order of changes, packed: as objects they would take long to pass between threads. */
export interface RemovalData {
  readonly startupIds: Int32Array;
  readonly revisions: Float64Array;
  /** In ms since 1970. */
  readonly times: Float64Array;
  /** All slugs, concatenated. */
  readonly slugs: string;
  /** Where each slug ends. */
  readonly slugEnds: Uint32Array;
}

/**
 * Reads the recorded removals, in the order of changes: within one revision, higher ids first.
 *
 * @param earlier an earlier read of the same history, whose removals are not read again.
 */
export async function readRemovals(
  client: ClientBase,
  earlier: StoredRows | undefined,
  { unrecordedRemovals }: Pick<RowsState, 'unrecordedRemovals'>,
): Promise<readonly Removal[]> {
  const since = Math.max(unrecordedRemovals, earlier?.revision ?? 0);
  const { rows: added } = await client.query<Removal>(
    `SELECT slug, startup_id AS "startupId", revision::float8 AS revision,
       (extract(epoch FROM removed_at) * 1000)::float8 AS "removedAt"
     FROM startup_removals WHERE revision > ${since} ORDER BY revision, startup_id DESC`,
  );
  const known = earlier?.removals ?? [];
  if (added.length === 0 && (known[0]?.revision ?? Number.POSITIVE_INFINITY) > unrecordedRemovals) {
    return known;
  }
  const replaced = new Set(added.map(({ slug }) => slug));
  const kept = known.filter(({ slug, revision }) => revision > unrecordedRemovals && !replaced.has(slug));
  return [...kept, ...added];
}

/** The removals of slugs that no startup uses again. */
export function packRemovals(removals: readonly Removal[], startups: ArrangedData): RemovalData {
  const gone = removals.filter(({ slug }) => positionOfSlug(startups, slug) === undefined);
  let end = 0;
  return {
    startupIds: Int32Array.from(gone, ({ startupId }) => startupId),
    revisions: Float64Array.from(gone, ({ revision }) => revision),
    times: Float64Array.from(gone, ({ removedAt }) => removedAt),
    slugs: gone.map(({ slug }) => slug).join(''),
    slugEnds: Uint32Array.from(gone, ({ slug }) => {
      end += slug.length;
      return end;
    }),
  };
}

/** One entry of packed removals. */
export function removalAt(
  { startupIds, revisions, times, slugs, slugEnds }: RemovalData,
  at: number,
): Removal {
  return {
    slug: slugs.slice(slugEnds[at - 1] ?? 0, slugEnds[at]),
    startupId: startupIds[at] as number,
    revision: revisions[at] as number,
    removedAt: times[at] as number,
  };
}
