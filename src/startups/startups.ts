import type { Prisma, PrismaClient, Startup } from '../db/generated/client/client.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { ListRequest } from './list-request.ts';
import { isSlug, type StartupRecord } from './record.ts';
import { type ListWants, ranked, readList, type StartupList } from './startup-list.ts';

/** Where the current catalogue comes from, and a newer one when a read finds rows newer than it. */
export interface CatalogueSource {
  current(): Catalogue;
  /**
   * A catalogue built from a read that began after this call, or, where a revision is given, any that
   * holds it.
   */
  fresh(revision?: number): Promise<Catalogue>;
}

/** What all startups are together. */
export interface Dataset {
  /** Changes with every change of a startup; to be compared for equality only. */
  readonly version: string;
  /** When this node last read the data, in ms since 1970. */
  readonly readAt: number;
  /** How many startups there are. */
  readonly total: number;
}

/** Reads startups: lists from the catalogue, records from the database. */
export interface Startups {
  list(request: ListRequest, wants: ListWants): Promise<StartupList>;
  /** Null for an unknown slug. */
  get(slug: string): Promise<StartupRecord | null>;
  /** In the order of the slugs, null for each unknown one. One row query. */
  getBySlugs(slugs: readonly string[]): Promise<(StartupRecord | null)[]>;
  /** In the order of the ids, null for each unknown one. One row query. */
  getByIds(ids: readonly (number | null)[]): Promise<(StartupRecord | null)[]>;
  /** Of the current catalogue; no row is read. */
  dataset(): Dataset;
}

interface Deps {
  prisma: PrismaClient;
  catalogue: CatalogueSource;
}

export function createStartups({ prisma, catalogue }: Deps): Startups {
  /** Records with ranks of one catalogue, none of them older than its row. */
  async function readRecords(where: Prisma.StartupWhereInput): Promise<StartupRecord[]> {
    const rows: Startup[] = await prisma.startup.findMany({ where });
    const newest = Math.max(0, ...rows.map(({ revision }) => Number(revision)));
    const current = catalogue.current();
    const used = newest > current.revision ? await catalogue.fresh(newest) : current;
    return rows.map((row) => ranked(row, used));
  }

  const getBySlugs: Startups['getBySlugs'] = async (slugs) => {
    const known = [...new Set(slugs.filter(isSlug))];
    const records = known.length === 0 ? [] : await readRecords({ slug: { in: known } });
    const bySlug = new Map(records.map((record) => [record.slug, record]));
    return slugs.map((slug) => bySlug.get(slug) ?? null);
  };

  return {
    async list(request, wants) {
      const first = await readList(prisma, catalogue.current(), request, wants);
      if (first.agrees) {
        return first.list;
      }
      // Rows changed since the catalogue was built: once more on a fresh one, then without those that
      // changed again meanwhile.
      const second = await readList(prisma, await catalogue.fresh(), request, wants);
      return second.list;
    },

    async get(slug) {
      const [record = null] = await getBySlugs([slug]);
      return record;
    },

    getBySlugs,

    async getByIds(ids) {
      const known = [...new Set(ids.filter((id) => id !== null))];
      const records = known.length === 0 ? [] : await readRecords({ id: { in: known } });
      const byId = new Map(records.map((record) => [record.id, record]));
      return ids.map((id) => (id === null ? null : (byId.get(id) ?? null)));
    },

    dataset() {
      const { revision, builtAt, size } = catalogue.current();
      return { version: String(revision), readAt: builtAt, total: size };
    },
  };
}
