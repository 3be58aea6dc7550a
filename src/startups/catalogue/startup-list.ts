import type { Steps } from '../../time-slices.ts';
import type { ListRequest } from '../list-request.ts';
import type { StartupRecord } from '../record.ts';
import type { Facets, Stats } from './summary.ts';

/** Part of a list of startups, all of it from one edition of the catalogue. */
export interface StartupList {
  readonly request: ListRequest;
  /** How many startups match; undefined unless it was wanted. */
  readonly total: number | undefined;
  /** True when more startups follow these. */
  readonly hasMore: boolean;
  /** At most `request.limit` records, in order. They are read at the first access. */
  readonly records: readonly StartupRecord[];
  /** True when startups come before these. */
  hasPrevious(): Steps<boolean>;
  /** The cursor of one of the records. */
  cursorOf(record: StartupRecord): string;
  /** The cursors of the first and the last record; null where there is none. */
  startCursor(): string | null;
  endCursor(): string | null;
  /** Counts by value, and figures, of all startups that match the filter. */
  facets(): Steps<Facets>;
  stats(): Steps<Stats>;
}
