import type { StartupRecord } from '../../startups/record.ts';
import { type ChangeCursor, writeChangeCursor } from '../../startups/requests/change-cursor.ts';
import type { CatalogueData } from '../edition-data.ts';
import { PackedRecord } from '../store/packed-record.ts';
import type { FoundChange, FoundChanges } from './find-changes.ts';
import { removalAt } from './removals.ts';

/** The kinds of changes, and what each means. */
export const changeKinds = {
  CREATED: 'The startup is new and has not changed since.',
  UPDATED: 'The startup has changed since it was created.',
  REMOVED: 'The startup was removed.',
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

/** Part of the changes of all startups, all from one edition of the catalogue. */
export class ChangeList {
  readonly changes: readonly Change[];
  readonly hasMore: boolean;
  readonly #found: FoundChanges;

  constructor(data: CatalogueData, found: FoundChanges) {
    this.changes = found.changes.map(({ position, removal }): Change => {
      if (position === undefined) {
        const { slug, removedAt } = removalAt(data.removals, removal);
        return { slug, kind: 'REMOVED', at: removedAt, startup: null };
      }
      const startup = new PackedRecord(data, position);
      const { slug, createdAt, updatedAt } = startup;
      return { slug, kind: createdAt === updatedAt ? 'CREATED' : 'UPDATED', at: updatedAt, startup };
    });
    this.hasMore = found.hasMore;
    this.#found = found;
  }

  /** The cursor for the following call, also if there are no changes. */
  get next(): string {
    return writeChangeCursor(this.#found.next);
  }

  /** True if other changes precede these. */
  hasPrevious(): boolean {
    return this.#found.hasPrevious;
  }

  /**
   * The cursor of one of the changes, by its index in this list. That of the last one is {@link next}, so that it does not
   * expire either while there are no new changes.
   */
  cursorAt(index: number): string {
    const { next, from } = this.#found;
    if (index === this.changes.length - 1) {
      return this.next;
    }
    const { revision, id } = this.#found.changes[index] as FoundChange;
    const cursor: ChangeCursor = { identity: next.identity, revision, id, from };
    return writeChangeCursor(cursor);
  }

  /** The cursors of the first and the last change; null if there is none. */
  startCursor(): string | null {
    return this.changes.length === 0 ? null : this.cursorAt(0);
  }

  endCursor(): string | null {
    return this.changes.length === 0 ? null : this.cursorAt(this.changes.length - 1);
  }
}
