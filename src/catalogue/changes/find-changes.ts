import { ApiError } from '../../errors.ts';
import { type ChangeCursor, type ChangePlace, comparePlaces } from '../../startups/requests/change-cursor.ts';
import { MAX_COUNT } from '../../startups/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { countBefore, firstReached } from '../order/orders.ts';

/** A changed startup, by its position, or a removal, by its index in the removals. */
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
  /** The cursor for the changes that follow. */
  readonly next: ChangeCursor;
}

/**
 * Finds the changes after a cursor, in the order of (revision, id).
 *
 * @param since null to start from the first change.
 * @throws ApiError CURSOR_EXPIRED if the removals since then are no longer recorded.
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
      'The changes since this cursor are no longer recorded. Read everything again: start without since.',
    );
  }
  // By revision, then by id.
  const changed = data.orders['revision-asc'];
  const firstPosition = countBefore(changed, (position) => isBefore(cursor, placeOf(data, position)));
  const seen = seenRemovals(cursor);
  const firstRemoval = firstReached(0, removals.revisions.length, (at) =>
    isBefore(seen, placeOfRemoval(data, at)),
  );
  const changes: FoundChange[] = [];
  let [nextPosition, nextRemoval] = [firstPosition, firstRemoval];
  while (changes.length <= first) {
    const position = changed[nextPosition];
    const removed = nextRemoval < removals.revisions.length ? placeOfRemoval(data, nextRemoval) : undefined;
    const place = position === undefined ? undefined : placeOf(data, position);
    if (removed !== undefined && (place === undefined || isBefore(removed, place))) {
      changes.push({ ...removed, position: undefined, removal: nextRemoval });
      nextRemoval += 1;
    } else if (place !== undefined) {
      changes.push({ ...place, position, removal: -1 });
      nextPosition += 1;
    } else {
      break;
    }
  }
  const hasMore = changes.length > first;
  const given = changes.slice(0, first);
  // If this edition is older than the one that was read first, startups removed in between may be returned.
  const from = given.length === 0 ? cursor.from : Math.min(cursor.from, revision);
  const { revision: lastRevision, id } = given.at(-1) ?? cursor;
  // This edition has all changes up to its revision, but a cursor may be of a later revision.
  const isWholeRevision = lastRevision <= revision && changes[first]?.revision !== lastRevision;
  return {
    changes: given,
    hasMore,
    // Removals up to `from` are not among the changes that this reader gets.
    hasPrevious: firstPosition + (cursor.from > cursor.revision ? 0 : firstRemoval) > 0,
    from,
    next: { identity, revision: lastRevision, id: isWholeRevision ? MAX_COUNT : id, from },
  };
}

/** The revision up to which a client already knows the removals. */
function seenRemovals({ revision, id, from }: ChangeCursor): ChangePlace {
  return from > revision ? { revision: from, id: MAX_COUNT } : { revision, id };
}

function placeOf({ columns }: CatalogueData, position: number): ChangePlace {
  return { revision: columns.revision[position] as number, id: columns.id[position] as number };
}

function placeOfRemoval({ removals }: CatalogueData, at: number): ChangePlace {
  return { revision: removals.revisions[at] as number, id: -(removals.startupIds[at] as number) };
}

function isBefore(a: ChangePlace, b: ChangePlace): boolean {
  return comparePlaces(a, b) < 0;
}
