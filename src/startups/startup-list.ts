import type { Catalogue } from './catalogue/catalogue.ts';
import type { Place } from './catalogue/orders.ts';
import type { Facets, Stats } from './catalogue/summary.ts';
import { writeCursor } from './cursor.ts';
import type { ListRequest } from './list-request.ts';
import type { StartupRecord } from './record.ts';
import type { ReadRecord, RecordReader } from './rows.ts';

/** What a caller wants of a list: what it does not want is not done. */
export interface ListWants {
  /** The records themselves: at most one row query. */
  records: boolean;
  /** The exact number of matching startups. */
  total: boolean;
}

/** One startup of a list. */
export interface ListEntry<R = StartupRecord> {
  readonly id: number;
  /** Undefined when records were not wanted. */
  readonly record: R | undefined;
}

/** Part of a list, all of it from one catalogue. What a method gives is worked out when it is called. */
export interface StartupList<R = StartupRecord> {
  readonly request: ListRequest;
  /** At most `limit`, without those whose record went missing meanwhile. */
  readonly entries: readonly ListEntry<R>[];
  /** Undefined when it was not wanted. */
  readonly total: number | undefined;
  /** True when more follow. */
  readonly hasMore: boolean;
  /** True when some come before. */
  hasPrevious(): boolean;
  /** The cursor of an entry. */
  cursorOf(id: number): string;
  /**
   * The cursors of both ends; null where there is no entry. Entries that went missing count, so that a
   * walk gets past them.
   */
  startCursor(): string | null;
  endCursor(): string | null;
  /** Counts by value, and figures, of all matching startups. */
  facets(): Facets;
  stats(): Stats;
}

/** Reads a list from one catalogue; `agrees` tells whether every row still is as the catalogue saw it. */
export async function readList<R extends ReadRecord>(
  reader: RecordReader<R>,
  catalogue: Catalogue,
  request: ListRequest,
  wants: ListWants,
): Promise<{ list: StartupList<R>; agrees: boolean }> {
  const { filter, sort, limit, page, after } = request;
  const query = { filter, sort, limit, total: wants.total };
  const { ids, total, hasMore } =
    after === null
      ? catalogue.find({ ...query, offset: ((page ?? 1) - 1) * limit })
      : catalogue.findAfter({ ...query, after });
  const { entries, agrees } =
    wants.records && ids.length > 0
      ? await readEntries(reader, catalogue, ids, request)
      : { entries: ids.map((id) => ({ id, record: undefined })), agrees: true };
  // Ids come from this catalogue, which knows the place of each.
  const cursorOf = (id: number): string => writeCursor(catalogue.keyOf(id, sort) as Place, filter, sort);
  const cursorAt = (index: number): string | null => {
    const id = ids.at(index);
    return id === undefined ? null : cursorOf(id);
  };
  const list: StartupList<R> = {
    request,
    entries,
    total,
    hasMore,
    hasPrevious: () => {
      const [first] = catalogue.find({ filter, sort, limit: 1, total: false, offset: 0 }).ids;
      return first !== undefined && first !== ids[0];
    },
    cursorOf,
    startCursor: () => cursorAt(0),
    endCursor: () => cursorAt(-1),
    facets: () => catalogue.facets(filter),
    stats: () => catalogue.stats(filter),
  };
  return { list, agrees };
}

async function readEntries<R extends ReadRecord>(
  reader: RecordReader<R>,
  catalogue: Catalogue,
  ids: number[],
  { filter }: ListRequest,
): Promise<{ entries: ListEntry<R>[]; agrees: boolean }> {
  const entries: ListEntry<R>[] = [];
  let agrees = true;
  const records = await reader.byIds(ids, catalogue);
  for (const [index, id] of ids.entries()) {
    const record = records[index];
    const isAsSeen = record !== undefined && Number(record.revision) <= catalogue.revision;
    agrees &&= isAsSeen;
    // A newer record may stay if it still passes the filter; it never contradicts it.
    if (record !== undefined && (isAsSeen || reader.passes(record, filter))) {
      entries.push({ id, record });
    }
  }
  return { entries, agrees };
}
