import type { PrismaClient, Startup } from '../db/generated/client/client.ts';
import { type Catalogue, matches } from './catalogue/catalogue.ts';
import type { ListRequest } from './list-request.ts';
import type { StartupRecord } from './record.ts';

/** Where the current catalogue comes from, and a newer one when a read finds rows newer than it. */
export interface CatalogueSource {
  current(): Catalogue;
  /** A catalogue built from a read that began after this call. */
  fresh(): Promise<Catalogue>;
}

/** What a caller wants of a list: what it does not want is not done. */
export interface ListWants {
  /** The records themselves: one row query. */
  records: boolean;
  /** The exact number of matching startups. */
  total: boolean;
}

/** One page of a list. */
export interface StartupList {
  /** At most `limit` records; empty when they were not wanted. */
  records: StartupRecord[];
  /** Undefined when it was not wanted. */
  total: number | undefined;
  page: number;
  limit: number;
  /** True when another page follows. */
  hasMore: boolean;
}

/** Reads startups: lists from the catalogue, records from the database. */
export interface Startups {
  list(request: ListRequest, wants: ListWants): Promise<StartupList>;
  /** Null for an unknown slug. */
  get(slug: string): Promise<StartupRecord | null>;
}

interface Deps {
  prisma: PrismaClient;
  catalogue: CatalogueSource;
}

export function createStartups({ prisma, catalogue }: Deps): Startups {
  return {
    async list(request, wants) {
      const first = await read(prisma, catalogue.current(), request, wants);
      if (first.agrees) {
        return first.list;
      }
      // Rows changed since the catalogue was built: once more on a fresh one, then without those that
      // changed again meanwhile.
      const second = await read(prisma, await catalogue.fresh(), request, wants);
      return second.list;
    },

    async get(slug) {
      const row = await prisma.startup.findUnique({ where: { slug } });
      if (row === null) {
        return null;
      }
      const current = catalogue.current();
      const isNewer = Number(row.revision) > current.revision;
      return ranked(row, isNewer ? await catalogue.fresh() : current);
    },
  };
}

/** Reads a page from one catalogue; `agrees` tells whether every row still is as the catalogue saw it. */
async function read(
  prisma: PrismaClient,
  catalogue: Catalogue,
  request: ListRequest,
  wants: ListWants,
): Promise<{ list: StartupList; agrees: boolean }> {
  const { filter, sort, page, limit } = request;
  const found = catalogue.find({ filter, sort, offset: (page - 1) * limit, limit, total: wants.total });
  const { total, hasMore } = found;
  if (!wants.records || found.ids.length === 0) {
    return { list: { records: [], total, page, limit, hasMore }, agrees: true };
  }
  const rows = new Map<number, Startup>();
  for (const row of await prisma.startup.findMany({ where: { id: { in: found.ids } } })) {
    rows.set(row.id, row);
  }
  const records: StartupRecord[] = [];
  let agrees = true;
  for (const id of found.ids) {
    const row = rows.get(id);
    const isAsSeen = row !== undefined && Number(row.revision) <= catalogue.revision;
    agrees &&= isAsSeen;
    // A newer row may stay if it still passes the filter; it never contradicts it.
    if (row !== undefined && (isAsSeen || matches(row, filter))) {
      records.push(ranked(row, catalogue));
    }
  }
  return { list: { records, total, page, limit, hasMore }, agrees };
}

function ranked(row: Startup, catalogue: Catalogue): StartupRecord {
  return Object.assign(row, { rank: catalogue.rank(row.id) });
}
