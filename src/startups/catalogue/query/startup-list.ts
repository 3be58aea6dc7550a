import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { StartupRecord } from '../../model/record.ts';
import { type Place, writeCursor } from '../../model/requests/cursor.ts';
import type { ListRequest } from '../../model/requests/list-request.ts';
import { RELEVANCE } from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { orderOf, placeAt } from '../order/orders.ts';
import type { Terms } from '../store/codes.ts';
import { findId } from '../store/columns.ts';
import { recordsAt } from '../store/packed-record.ts';
import type { FoundPositions, Matcher } from './matcher.ts';
import { type Matches, scoreOf } from './relevance.ts';

/** What a list is read from. */
interface ReadList {
  readonly data: CatalogueData;
  readonly matcher: Matcher;
  readonly request: ListRequest;
  readonly found: FoundPositions;
  /** What the search of the request finds, if it has one. */
  readonly matches: Matches | undefined;
  readonly terms: Terms | undefined;
}

/** The position of a page in its list. */
export interface PagePosition {
  /** The number of startups that match; undefined unless requested. */
  readonly total: number | undefined;
  /** Null where cursors are used instead of pages. */
  readonly page: number | null;
  readonly limit: number;
  /** True if more startups follow these. */
  readonly hasMore: boolean;
  /** Whether the search matched only with typing errors corrected; false without a search. */
  readonly corrected: boolean;
}

/**
 * Part of a list of startups, all from one edition of the catalogue. Its properties have the names of GraphQL, which then
 * needs no resolver to read them.
 */
export class StartupList {
  readonly request: ListRequest;
  readonly meta: PagePosition;
  readonly #read: ReadList;
  #page: readonly StartupRecord[] | undefined;

  constructor(read: ReadList) {
    const { request, found, matches } = read;
    this.request = request;
    this.meta = {
      total: found.total,
      page: request.page,
      limit: request.limit,
      hasMore: found.hasMore,
      corrected: matches?.isCorrected ?? false,
    };
    this.#read = read;
  }

  /** At most `request.limit` records, in order. They are read at the first access. */
  get page(): readonly StartupRecord[] {
    const { data, found, terms } = this.#read;
    this.#page ??= recordsAt(data, found.positions, terms);
    return this.#page;
  }

  /** The same, as Relay calls it. */
  get nodes(): readonly StartupRecord[] {
    return this.page;
  }

  get hasMore(): boolean {
    return this.meta.hasMore;
  }

  /** True if other startups precede these. */
  *hasPrevious(): Steps<boolean> {
    const { matcher, found, matches } = this.#read;
    const start = { ...this.request, limit: 1, page: 1, after: null };
    const [first] = (yield* matcher.find(start, false, matches)).positions;
    return first !== undefined && first !== found.positions[0];
  }

  cursorOf({ id }: StartupRecord): string {
    const { columns } = this.#read.data;
    return this.#cursorAt(findId(columns.id, columns.id.length, id)) as string;
  }

  /** The cursors of the first and the last record; null if there is none. */
  startCursor(): string | null {
    return this.#cursorAt(this.#read.found.positions[0]);
  }

  endCursor(): string | null {
    return this.#cursorAt(this.#read.found.positions.at(-1));
  }

  #cursorAt(position: number | undefined): string | null {
    if (position === undefined) {
      return null;
    }
    const { data, matches } = this.#read;
    const { filter, sort } = this.request;
    const place: Place = {
      ...placeAt(data, orderOf(sort === RELEVANCE ? 'revenue-desc' : sort), position),
      ...(sort === RELEVANCE && matches !== undefined && { score: scoreOf(matches, position) }),
      ...(this.meta.corrected && { isCorrected: true }),
    };
    return writeCursor(place, filter, sort);
  }
}
