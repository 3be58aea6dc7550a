import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { StartupRecord } from '../../model/record.ts';
import { type Place, writeCursor } from '../../model/requests/cursor.ts';
import type { ListRequest } from '../../model/requests/list-request.ts';
import { RELEVANCE } from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { orders, placeAt } from '../order/orders.ts';
import type { Terms } from '../store/codes.ts';
import { findId } from '../store/columns.ts';
import { recordsAt } from '../store/packed-record.ts';
import type { FoundPositions, Matcher } from './matcher.ts';
import { type Matches, scoreOf } from './search-matches.ts';

/** Part of a list of startups, all from one edition of the catalogue. */
export class StartupList {
  readonly request: ListRequest;
  readonly limit: number;
  /** Null where cursors are used instead of pages. */
  readonly page: number | null;
  /** The number of startups that match; undefined unless requested. */
  readonly total: number | undefined;
  /** True if more startups follow these. */
  readonly hasMore: boolean;
  /** Whether the search matched only with typing errors corrected; false without a search. */
  readonly isCorrected: boolean;
  readonly #data: CatalogueData;
  readonly #matcher: Matcher;
  readonly #positions: Uint32Array;
  readonly #matches: Matches | undefined;
  readonly #terms: Terms | undefined;
  #records: readonly StartupRecord[] | undefined;

  /** @param matches what the search of the request finds, if it has one. */
  constructor(
    data: CatalogueData,
    matcher: Matcher,
    request: ListRequest,
    found: FoundPositions,
    matches: Matches | undefined,
    terms: Terms | undefined,
  ) {
    this.request = request;
    this.limit = request.limit;
    this.page = request.page;
    this.total = found.total;
    this.hasMore = found.hasMore;
    this.isCorrected = matches?.isCorrected ?? false;
    this.#data = data;
    this.#matcher = matcher;
    this.#positions = found.positions;
    this.#matches = matches;
    this.#terms = terms;
  }

  /** At most `request.limit` records, in order. They are read at the first access. */
  get records(): readonly StartupRecord[] {
    this.#records ??= recordsAt(this.#data, this.#positions, this.#terms);
    return this.#records;
  }

  /** True if other startups precede these. */
  *hasPrevious(): Steps<boolean> {
    const start = { ...this.request, limit: 1, page: 1, after: null };
    const [first] = (yield* this.#matcher.find(start, false, this.#matches)).positions;
    return first !== undefined && first !== this.#positions[0];
  }

  cursorOf({ id }: StartupRecord): string {
    return this.#cursorAt(findId(this.#data.columns.id, this.#data.columns.id.length, id) as number);
  }

  /** The cursors of the first and the last record; null if there is none. */
  startCursor(): string | null {
    const [first] = this.#positions;
    return first === undefined ? null : this.#cursorAt(first);
  }

  endCursor(): string | null {
    const last = this.#positions.at(-1);
    return last === undefined ? null : this.#cursorAt(last);
  }

  #cursorAt(position: number): string {
    const { filter, sort } = this.request;
    const matches = this.#matches;
    const place: Place = {
      ...placeAt(this.#data, orders[sort === RELEVANCE ? 'revenue-desc' : sort], position),
      ...(sort === RELEVANCE && matches !== undefined && { score: scoreOf(matches, position) }),
      ...(this.isCorrected && { isCorrected: true }),
    };
    return writeCursor(place, filter, sort);
  }
}
