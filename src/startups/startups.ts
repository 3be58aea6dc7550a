import type { Catalogue } from './catalogue/catalogue.ts';
import type { ListRequest } from './list-request.ts';
import { isSlug, type StartupRecord } from './record.ts';
import type { ReadRecord, RecordReader } from './rows.ts';
import { type ListWants, readList, type StartupList } from './startup-list.ts';

/** Where the current catalogue comes from, and a newer one when a read finds rows newer than it. */
export interface CatalogueSource {
  current(): Catalogue;
  /**
   * A catalogue built from a read that began after this call, or, where a revision is given, any that
   * holds it.
   */
  fresh(revision?: number): Promise<Catalogue>;
  /** Does work that uses what `current` or `fresh` gives for longer than a turn of the event loop. */
  use<T>(work: () => Promise<T>): Promise<T>;
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

/** Reads startups: lists from the catalogue, records, in whatever form, by a reader. */
export interface Startups<R = StartupRecord> {
  /**
   * Its methods are to be called in the turn of the event loop in which it is given, before anything is
   * awaited: later they may throw, since its catalogue may be out of use.
   */
  list(request: ListRequest, wants: ListWants): Promise<StartupList<R>>;
  /** Null for an unknown slug. */
  get(slug: string): Promise<R | null>;
  /** In the order of the slugs, null for each unknown one. At most one row query. */
  getBySlugs(slugs: readonly string[]): Promise<(R | null)[]>;
  /** In the order of the ids, null for each unknown one. At most one row query. */
  getByIds(ids: readonly (number | null)[]): Promise<(R | null)[]>;
  /** Of the current catalogue; no row is read. */
  dataset(): Dataset;
  /** What is answered from: another object whenever an answer may differ. */
  edition(): object;
}

interface Deps<R extends ReadRecord> {
  reader: RecordReader<R>;
  /**
   * Records as they were before a large import or a restore changed all at once, where they are kept until
   * there is a catalogue of the new ones. Until then lists answer with these and wait for nothing.
   */
  earlier?: RecordReader<R> | undefined;
  catalogue: CatalogueSource;
}

export function createStartups<R extends ReadRecord>({ reader, earlier, catalogue }: Deps<R>): Startups<R> {
  /** Records with ranks of one catalogue, none of them newer than it. */
  const readRanked = (read: (current: Catalogue) => Promise<(R | undefined)[]>): Promise<(R | undefined)[]> =>
    catalogue.use(async () => {
      const current = catalogue.current();
      const records = await read(current);
      const newest = Math.max(0, ...records.map((record) => Number(record?.revision ?? 0)));
      if (newest <= current.revision) {
        return records;
      }
      const fresh = await catalogue.fresh(newest);
      return records.map((record) => record && reader.rankedAs(record, fresh.rank(record.id)));
    });

  return {
    list: (request, wants) =>
      catalogue.use(async () => {
        const current = catalogue.current();
        const first = await readList(reader, current, request, wants);
        if (first.agrees) {
          return first.list;
        }
        const before = earlier && (await readList(earlier, current, request, wants));
        if (before?.agrees) {
          return before.list;
        }
        // Rows changed since the catalogue was built: once more on a fresh one, then without those that
        // changed again meanwhile.
        const second = await readList(reader, await catalogue.fresh(), request, wants);
        return second.list;
      }),

    async get(slug) {
      if (!isSlug(slug)) {
        return null;
      }
      const [record = null] = await readRanked((current) => reader.bySlugs([slug], current));
      return record;
    },

    async getBySlugs(slugs) {
      const known = slugs.filter(isSlug);
      const records = await readRanked((current) => reader.bySlugs(known, current));
      const bySlug = new Map(known.map((slug, index) => [slug, records[index]]));
      return slugs.map((slug) => bySlug.get(slug) ?? null);
    },

    async getByIds(ids) {
      const known = ids.filter((id) => id !== null);
      const records = await readRanked((current) => reader.byIds(known, current));
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
