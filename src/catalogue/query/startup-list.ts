import type { Steps } from '../../event-loop/time-slices.ts';
import type { StartupRecord } from '../../startups/record.ts';
import type { ListRequest } from '../../startups/requests/list-request.ts';
import type { Grouping } from '../../startups/vocabulary.ts';
import type { Groups } from './groups.ts';
import type { Facets, Figures, StatName, Stats } from './summary.ts';

/** Positions that answer a list request. */
export interface FoundPositions {
  readonly positions: Uint32Array;
  readonly total: number | undefined;
  readonly hasMore: boolean;
}

/** What a list reads from its edition. */
interface ListSource {
  recordsAt(positions: Uint32Array): StartupRecord[];
  cursorAt(position: number): string;
  positionOf(record: StartupRecord): number;
  /** The first position of the whole list. */
  first(): Steps<FoundPositions>;
  facets(): Steps<Facets>;
  stats(): Steps<Stats>;
  groups(by: Grouping): Steps<Groups>;
  groupFigures(by: Grouping, name: StatName): Steps<readonly Figures[]>;
}

/** Part of a list of startups, all from one edition of the catalogue. */
export class StartupList {
  readonly request: ListRequest;
  /** The number of startups that match; undefined unless requested. */
  readonly total: number | undefined;
  /** True if more startups follow these. */
  readonly hasMore: boolean;
  /** Whether the search matched only with typing errors corrected; false without a search. */
  readonly isCorrected: boolean;
  readonly #positions: Uint32Array;
  readonly #source: ListSource;
  #records: readonly StartupRecord[] | undefined;

  constructor(request: ListRequest, found: FoundPositions, isCorrected: boolean, source: ListSource) {
    this.request = request;
    this.total = found.total;
    this.hasMore = found.hasMore;
    this.isCorrected = isCorrected;
    this.#positions = found.positions;
    this.#source = source;
  }

  /** At most `request.limit` records, in order. They are read at the first access. */
  get records(): readonly StartupRecord[] {
    this.#records ??= this.#source.recordsAt(this.#positions);
    return this.#records;
  }

  /** True if other startups precede these. */
  *hasPrevious(): Steps<boolean> {
    const [first] = (yield* this.#source.first()).positions;
    return first !== undefined && first !== this.#positions[0];
  }

  cursorOf(record: StartupRecord): string {
    return this.#source.cursorAt(this.#source.positionOf(record));
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
    return this.#source.facets();
  }

  stats(): Steps<Stats> {
    return this.#source.stats();
  }

  /** All startups that match the filter, by a value. */
  groups(by: Grouping): Steps<Groups> {
    return this.#source.groups(by);
  }

  /** One statistic of each group, in their order. */
  groupFigures(by: Grouping, name: StatName): Steps<readonly Figures[]> {
    return this.#source.groupFigures(by, name);
  }

  #cursorAt(position: number | undefined): string | null {
    return position === undefined ? null : this.#source.cursorAt(position);
  }
}
