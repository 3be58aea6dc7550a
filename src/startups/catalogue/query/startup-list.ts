import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { StartupFilter } from '../../model/filter.ts';
import type { StartupRecord } from '../../model/record.ts';
import type { ListRequest } from '../../model/requests/list-request.ts';
import type { Grouping } from '../../model/vocabulary.ts';
import type { Terms } from '../store/codes.ts';
import type { Groups } from './groups.ts';
import type { Matches } from './search-matches.ts';
import type { Facets, Figures, StatName, Stats } from './summary.ts';

/** Positions that answer a list request. */
export interface FoundPositions {
  readonly positions: Uint32Array;
  readonly total: number | undefined;
  readonly hasMore: boolean;
}

/** The edition of a list. */
interface ListSource {
  find(request: ListRequest, isTotalWanted: boolean, matches: Matches | undefined): Steps<FoundPositions>;
  recordsAt(positions: Uint32Array, terms?: Terms): StartupRecord[];
  cursorOf(id: number, request: ListRequest, matches: Matches | undefined): string;
  cursorAt(position: number, request: ListRequest, matches: Matches | undefined): string;
  facets(filter: StartupFilter): Steps<Facets>;
  stats(filter: StartupFilter): Steps<Stats>;
  groups(filter: StartupFilter, by: Grouping): Steps<Groups>;
  groupFigures(filter: StartupFilter, by: Grouping, name: StatName): Steps<readonly Figures[]>;
}

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
  readonly #source: ListSource;
  readonly #positions: Uint32Array;
  readonly #matches: Matches | undefined;
  readonly #terms: Terms | undefined;
  #records: readonly StartupRecord[] | undefined;

  /** @param matches what the search of the request finds, if it has one. */
  constructor(
    source: ListSource,
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
    this.#source = source;
    this.#positions = found.positions;
    this.#matches = matches;
    this.#terms = terms;
  }

  /** At most `request.limit` records, in order. They are read at the first access. */
  get records(): readonly StartupRecord[] {
    this.#records ??= this.#source.recordsAt(this.#positions, this.#terms);
    return this.#records;
  }

  /** True if other startups precede these. */
  *hasPrevious(): Steps<boolean> {
    const start = { ...this.request, limit: 1, page: 1, after: null };
    const [first] = (yield* this.#source.find(start, false, this.#matches)).positions;
    return first !== undefined && first !== this.#positions[0];
  }

  cursorOf({ id }: StartupRecord): string {
    return this.#source.cursorOf(id, this.request, this.#matches);
  }

  /** The cursors of the first and the last record; null if there is none. */
  startCursor(): string | null {
    return this.#cursorAt(this.#positions[0]);
  }

  endCursor(): string | null {
    return this.#cursorAt(this.#positions.at(-1));
  }

  /** Counts by value, and statistics, of all startups that match the filter. */
  facets(): Steps<Facets> {
    return this.#source.facets(this.request.filter);
  }

  stats(): Steps<Stats> {
    return this.#source.stats(this.request.filter);
  }

  /** All startups that match the filter, by a value. */
  groups(by: Grouping): Steps<Groups> {
    return this.#source.groups(this.request.filter, by);
  }

  /** One statistic of each group, in their order. */
  groupFigures(by: Grouping, name: StatName): Steps<readonly Figures[]> {
    return this.#source.groupFigures(this.request.filter, by, name);
  }

  #cursorAt(position: number | undefined): string | null {
    return position === undefined ? null : this.#source.cursorAt(position, this.request, this.#matches);
  }
}
