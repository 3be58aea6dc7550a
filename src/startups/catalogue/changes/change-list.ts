import { ApiError } from '../../../lib/errors.ts';
import type { StartupRecord } from '../../model/record.ts';
import {
  type ChangeCursor,
  type ChangePlace,
  comparePlaces,
  writeChangeCursor,
} from '../../model/requests/changes-request.ts';
import { MAX_COUNT } from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { countBefore, firstReached } from '../order/orders.ts';
import type { Terms } from '../store/codes.ts';
import { PackedRecord } from '../store/packed-record.ts';
import { removalAt } from './removed-startups.ts';

/** The kinds of changes, and what each means. */
export const changeKinds = {
  created: 'The startup is new and has not changed since.',
  updated: 'The startup has changed since it was created.',
  removed: 'The startup was removed.',
} as const;
export type ChangeKind = keyof typeof changeKinds;

/** The latest change of one slug. */
export interface Change {
  readonly slug: string;
  readonly kind: ChangeKind;
  /** In ms since 1970. */
  readonly at: number;
  /** The current startup; null if it was removed. */
  readonly startup: StartupRecord | null;
}

/** A change that was found, and how it is read. */
interface FoundChange extends ChangePlace {
  read(): Change;
}

/** Part of the changes of all startups, all from one edition of the catalogue. */
export type ChangeList = ReturnType<typeof findChanges>;

/** The cursor of a client that has all startups of this edition. */
export function lastCursor({ identity, revision }: CatalogueData): string {
  return writeChangeCursor({ identity, revision, id: MAX_COUNT, from: 0 });
}

/**
 * Finds the changes after a cursor, in the order of (revision, id).
 *
 * @param since null to start from the first change.
 * @param terms how enumeration values are written.
 * @throws ApiError CURSOR_EXPIRED if the removals since then are no longer recorded.
 */
export function findChanges(data: CatalogueData, since: ChangeCursor | null, first: number, terms?: Terms) {
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
  const [enough, recorded] = [first + 1, removals.revisions.length];
  const found: FoundChange[] = [];
  for (const position of changed.subarray(firstPosition, firstPosition + enough)) {
    found.push({ ...placeOf(data, position), read: () => readChange(data, position, terms) });
  }
  for (let at = firstRemoval; at < Math.min(firstRemoval + enough, recorded); at += 1) {
    found.push({ ...placeOfRemoval(data, at), read: () => readRemoval(data, at) });
  }
  found.sort(comparePlaces);
  const given = found.slice(0, first);
  // If this edition is older than the one that was read first, startups removed in between may be returned.
  const from = given.length === 0 ? cursor.from : Math.min(cursor.from, revision);
  const { revision: lastRevision, id } = given.at(-1) ?? cursor;
  // This edition has all changes up to its revision, but a cursor may be of a later revision.
  const isWholeRevision = lastRevision <= revision && found[first]?.revision !== lastRevision;
  // Removals up to `from` are not among the changes that this reader gets.
  const earlierRemovals = cursor.from > cursor.revision ? 0 : firstRemoval;
  const place = { revision: lastRevision, id: isWholeRevision ? MAX_COUNT : id };
  const next = writeChangeCursor({ identity, from, ...place });
  /** That of the last change is `next`, so that it does not expire either while there are no new changes. */
  const cursorAt = (index: number): string => {
    const { revision, id } = given[index] as ChangePlace;
    return index === given.length - 1 ? next : writeChangeCursor({ identity, from, revision, id });
  };
  return {
    changes: given.map((change) => change.read()),
    /** Whether other changes follow these. */
    hasMore: found.length > first,
    /** Whether other changes precede these. */
    hasPrevious: (): boolean => firstPosition + earlierRemovals > 0,
    /** The cursor for the following call, also if there are no changes. */
    next,
    cursorAt,
    /** The cursors of the first and the last change; null if there is none. */
    startCursor: (): string | null => (given.length === 0 ? null : cursorAt(0)),
    endCursor: (): string | null => (given.length === 0 ? null : next),
  };
}

function readRemoval({ removals }: CatalogueData, index: number): Change {
  const { slug, removedAt } = removalAt(removals, index);
  return { slug, kind: 'removed', at: removedAt, startup: null };
}

function readChange(data: CatalogueData, position: number, terms: Terms | undefined): Change {
  const startup = new PackedRecord(data, position, terms);
  const { slug, createdAt, updatedAt } = startup;
  return { slug, kind: createdAt === updatedAt ? 'created' : 'updated', at: updatedAt, startup };
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
