import { copyOf, createByteStore, makeRoom, type Room } from '../byte-store.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { type GivenRow, placeRow, readRow, revisionIn, sizeIn } from './row.ts';

/** Tells the revision that a row has now. */
type Revisions = Pick<Catalogue, 'revisionOf'>;

/** Keeps rows of startups by their ids. */
export interface RowMemory {
  /** Whether the row of an id is kept as it is now; it is not asked for by that. */
  knows(id: number, now: Revisions): boolean;
  /** The row of an id, if it is kept as it is now. */
  find(id: number, now: Revisions): Room | undefined;
  /** The id of the row that is kept under a slug. */
  idOf(slug: string): number | undefined;
  /** Places a row that was asked for: it stays if it is found again soon. */
  add(given: GivenRow): Room;
  /** Places a row that is to stay; false, and nothing is done, where another one would have to give way. */
  keep(given: GivenRow): boolean;
}

/** What is read once is mostly never asked for again: it passes through this part, and does not push out what is. */
const PASSING_PART = 1 / 8;

/**
 * Creates a memory of rows, as bytes: 450 for each, and 120 of the heap, where the objects that the driver
 * can make of them take 2 KB.
 *
 * @param capacity in bytes; 0: nothing is kept.
 */
export function createRowMemory(capacity: number): RowMemory {
  const ids = new Map<string, number>();
  // A row is in one of the two.
  const passing = createByteStore({ capacity: capacity * PASSING_PART, onDrop: forgetSlug });
  const kept = createByteStore({ capacity: capacity * (1 - PASSING_PART), onDrop: forgetSlug });

  function forgetSlug(id: number, room: Room): void {
    const { slug } = readRow(room, null);
    if (ids.get(slug) === id) {
      ids.delete(slug);
    }
  }

  function place(given: GivenRow, store: typeof kept): Room {
    const { id, size } = given;
    const known = kept.find(id) ?? passing.find(id);
    if (known !== undefined) {
      forgetSlug(id, known);
      passing.remove(id);
    }
    const room = makeRoom(size);
    placeRow(given, room);
    if (store.put(id, room, size)) {
      ids.set(readRow(room, null).slug, id);
    }
    return room;
  }

  return {
    knows(id, now) {
      const room = kept.find(id) ?? passing.find(id);
      return room !== undefined && revisionIn(room) === now.revisionOf(id);
    },
    find(id, now) {
      const stays = kept.find(id);
      const room = stays ?? passing.find(id);
      if (room === undefined || revisionIn(room) !== now.revisionOf(id)) {
        return undefined;
      }
      const size = sizeIn(room);
      const copy = copyOf(room, size);
      if (stays === undefined) {
        passing.remove(id);
        kept.put(id, copy, size);
      }
      return copy;
    },
    idOf: (slug) => ids.get(slug),
    add: (given) => place(given, kept.find(given.id) === undefined ? passing : kept),
    keep(given) {
      const hasRoom = !kept.wouldDrop(given.size);
      if (hasRoom) {
        place(given, kept);
      }
      return hasRoom;
    },
  };
}
