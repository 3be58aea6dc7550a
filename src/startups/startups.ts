import type { Startup } from '../db/generated/client/client.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { ListRequest } from './list-request.ts';
import { isSlug, type StartupRecord } from './record.ts';
import type { StartupRows } from './rows.ts';
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
  /** When the last import had finished, in ms since 1970; null where there was none. */
  readonly importedAt: number | null;
  /** How many startups there are. */
  readonly total: number;
}

/** Reads startups: lists from the catalogue, records from the database. */
export interface Startups {
  list(request: ListRequest, wants: ListWants): Promise<StartupList>;
  /** Null for an unknown slug. */
  get(slug: string): Promise<StartupRecord | null>;
  /** In the order of the slugs, null for each unknown one. At most one row query. */
  getBySlugs(slugs: readonly string[]): Promise<(StartupRecord | null)[]>;
  /** In the order of the ids, null for each unknown one. At most one row query. */
  getByIds(ids: readonly (number | null)[]): Promise<(StartupRecord | null)[]>;
  /** Of the current catalogue; no row is read. */
  dataset(): Dataset;
  /** What is answered from: another object whenever an answer may differ. */
  edition(): object;
}

interface Deps {
  rows: StartupRows;
  /**
   * Rows as they were before a large import or a restore changed all at once, where they are kept until there
   * is a catalogue of the new ones. Until then lists answer with these and wait for nothing.
   */
  earlierRows?: StartupRows | undefined;
  catalogue: CatalogueSource;
}

export function createStartups({ rows, earlierRows, catalogue }: Deps): Startups {
  /** Records with ranks of one catalogue, none of them older than its row. */
  async function rankAll(found: readonly (Startup | undefined)[]): Promise<(StartupRecord | null)[]> {
    const newest = Math.max(0, ...found.map((row) => Number(row?.revision ?? 0)));
    const current = catalogue.current();
    const used = newest > current.revision ? await catalogue.fresh(newest) : current;
    return found.map((row) => (row === undefined ? null : ranked(row, used)));
  }

  return {
    async list(request, wants) {
      const current = catalogue.current();
      const first = await readList(rows, current, request, wants);
      if (first.agrees) {
        return first.list;
      }
      const earlier = earlierRows && (await readList(earlierRows, current, request, wants));
      if (earlier?.agrees) {
        return earlier.list;
      }
      // Rows changed since the catalogue was built: once more on a fresh one, then without those that
      // changed again meanwhile.
      const second = await readList(rows, await catalogue.fresh(), request, wants);
      return second.list;
    },

    async get(slug) {
      if (!isSlug(slug)) {
        return null;
      }
      const [record = null] = await rankAll(await rows.bySlugs([slug], catalogue.current()));
      return record;
    },

    async getBySlugs(slugs) {
      const known = slugs.filter(isSlug);
      const records = await rankAll(await rows.bySlugs(known, catalogue.current()));
      const bySlug = new Map(known.map((slug, index) => [slug, records[index]]));
      return slugs.map((slug) => bySlug.get(slug) ?? null);
    },

    async getByIds(ids) {
      const known = ids.filter((id) => id !== null);
      const records = await rankAll(await rows.byIds(known, catalogue.current()));
      const byId = new Map(known.map((id, index) => [id, records[index]]));
      return ids.map((id) => (id === null ? null : (byId.get(id) ?? null)));
    },

    edition: () => catalogue.current(),

    dataset() {
      const { revision, importedAt, size } = catalogue.current();
      return { version: String(revision), importedAt, total: size };
    },
  };
}
