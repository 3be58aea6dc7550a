import { ApiError } from '../../errors.ts';
import { type ChangeCursor, type ChangePlace, comparePlaces } from '../change-cursor.ts';
import { MAX_COUNT } from '../vocabulary.ts';
import type { CatalogueData } from './data.ts';
import { countBefore } from './orders.ts';

/** A startup as it last changed, by its position; or a removal, by its place among the removals. */
export interface FoundChange extends ChangePlace {
  readonly position: number | undefined;
  readonly removal: number;
}

/** Part of all changes. */
export interface FoundChanges {
  readonly changes: readonly FoundChange[];
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** The revision up to which removals are left out, see {@link ChangeCursor}. */
  readonly from: number;
  /** What to give for what follows. */
  readonly next: ChangeCursor;
}

/**
 * Finds what changed after a cursor, in the order of (revision, id).
 *
 * @param since null for everything there is.
 * @throws ApiError CURSOR_EXPIRED where it is no longer known what was removed since.
 */
export function findChanges(data: CatalogueData, since: ChangeCursor | null, first: number): FoundChanges {
  const { identity, revision, removals, unrecordedRemovals } = data;
  const cursor = since ?? { identity, revision: 0, id: 0, from: revision };
  if (
    cursor.identity !== identity ||
    isBefore(seenRemovals(cursor), { revision: unrecordedRemovals, id: 0 })
  ) {
    throw new ApiError(
      'CURSOR_EXPIRED',
      'The changes since this cursor are not known any more. Read everything again: start without since.',
    );
  }
  const firstPosition = countBefore(data.changes, (at) => isBefore(cursor, placeOf(data, at)));
  const firstRemoval = countRemovalsUpTo(data, seenRemovals(cursor));
  const changes: FoundChange[] = [];
  let [nextPosition, nextRemoval] = [firstPosition, firstRemoval];
  while (changes.length <= first) {
    const position = data.changes[nextPosition];
    const removed = nextRemoval < removals.revisions.length ? placeOfRemoval(data, nextRemoval) : undefined;
    const changed = position === undefined ? undefined : placeOf(data, position);
    if (removed !== undefined && (changed === undefined || isBefore(removed, changed))) {
      changes.push({ ...removed, position: undefined, removal: nextRemoval });
      nextRemoval += 1;
    } else if (changed !== undefined) {
      changes.push({ ...changed, position, removal: -1 });
      nextPosition += 1;
    } else {
      break;
    }
  }
  const hasMore = changes.length > first;
  const given = changes.slice(0, first);
  // Where an earlier edition is read than at the beginning, startups may be given that were removed in between.
  const from = given.length === 0 ? cursor.from : Math.min(cursor.from, revision);
  const { revision: lastRevision, id } = given.at(-1) ?? cursor;
  // This edition has all of its revisions, but a cursor may be of a later one.
  const isWholeRevision = !hasMore && lastRevision <= revision;
  return {
    changes: given,
    hasMore,
    hasPrevious: firstPosition + firstRemoval > 0,
    from,
    next: { identity, revision: lastRevision, id: isWholeRevision ? MAX_COUNT : id, from },
  };
}

/** Up to where the removals are known to somebody. */
function seenRemovals({ revision, id, from }: ChangeCursor): ChangePlace {
  return from > revision ? { revision: from, id: MAX_COUNT } : { revision, id };
}

function placeOf({ columns }: CatalogueData, position: number): ChangePlace {
  return { revision: columns.revision[position] as number, id: columns.id[position] as number };
}

function placeOfRemoval({ removals }: CatalogueData, at: number): ChangePlace {
  return { revision: removals.revisions[at] as number, id: -(removals.startupIds[at] as number) };
}

function countRemovalsUpTo(data: CatalogueData, place: ChangePlace): number {
  let low = 0;
  for (let high = data.removals.revisions.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (isBefore(place, placeOfRemoval(data, middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

function isBefore(a: ChangePlace, b: ChangePlace): boolean {
  return comparePlaces(a, b) < 0;
}
