import type { Steps } from '../../event-loop/time-slices.ts';
import type { StartupRecord } from '../../startups/record.ts';
import type { ListRequest } from '../../startups/requests/list-request.ts';
import type { Facets, Stats } from './summary.ts';

/** Part of a list of startups, all from one edition of the catalogue. */
export interface StartupList {
  readonly request: ListRequest;
  /** The number of startups that match; undefined unless requested. */
  readonly total: number | undefined;
  /** True if more startups follow these. */
  readonly hasMore: boolean;
  /** Whether the search matched only with typing errors corrected; false without a search. */
  readonly isCorrected: boolean;
  /** At most `request.limit` records, in order. They are read at the first access. */
  readonly records: readonly StartupRecord[];
  /** True if other startups precede these. */
  hasPrevious(): Steps<boolean>;
  cursorOf(record: StartupRecord): string;
  /** The cursors of the first and the last record; null if there is none. */
  startCursor(): string | null;
  endCursor(): string | null;
  /** Counts by value, and statistics, of all startups that match the filter. */
  facets(): Steps<Facets>;
  stats(): Steps<Stats>;
}
