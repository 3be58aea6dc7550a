import { LRUCache } from 'lru-cache';
import { filterKey, type StartupFilter } from '../filter.ts';
import type { StartupSort } from '../vocabulary.ts';
import { buildCatalogue } from './build.ts';
import { findId } from './columns.ts';
import type { CatalogueData, NumberColumn } from './data.ts';
import { Matcher } from './matcher.ts';
import { orders, type Place, placeAt } from './orders.ts';
import { type CatalogueRow, columnsOf } from './row.ts';
import { type Facets, facetsOf, type Stats, statsOf } from './summary.ts';

/** What to find: which startups, in which order. */
export interface Query {
  readonly filter: StartupFilter;
  readonly sort: StartupSort;
  /** At most so many ids. */
  readonly limit: number;
  /** Whether the number of all matches is wanted. It may cost more than the page. */
  readonly total: boolean;
}

/** Part of the answer to a query. */
export interface Found {
  readonly ids: number[];
  /** Exactly how many match; undefined when not asked for. */
  readonly total: number | undefined;
  /** Whether more follow these. */
  readonly hasMore: boolean;
}

const KEPT_SUMMARIES = 200;

/** Answers every list from memory. One catalogue never changes; a newer one replaces it as a whole. */
export class Catalogue {
  #held: { readonly data: CatalogueData; readonly matcher: Matcher } | undefined;
  readonly #facets = new LRUCache<string, Facets>({ max: KEPT_SUMMARIES });
  readonly #stats = new LRUCache<string, Stats>({ max: KEPT_SUMMARIES });

  /** @param before the catalogue before it, whose lists are brought up to date where only little changed. */
  constructor(data: CatalogueData, before?: Catalogue) {
    this.#held = {
      data,
      matcher: new Matcher(data, before === undefined ? undefined : before.#held?.matcher),
    };
  }

  /** Gives up what it holds, which is about to change. Whoever asks it for anything from here on gets a fault. */
  retire(): void {
    this.#held = undefined;
  }

  get #data(): CatalogueData {
    return this.#holding.data;
  }

  get #matcher(): Matcher {
    return this.#holding.matcher;
  }

  get #holding(): { readonly data: CatalogueData; readonly matcher: Matcher } {
    if (this.#held === undefined) {
      throw new Error('This catalogue is out of use.');
    }
    return this.#held;
  }

  /** How many startups there are. */
  get size(): number {
    return this.#data.ids.length;
  }

  /** The dataset revision that this is a picture of. */
  get revision(): number {
    return this.#data.revision;
  }

  /** When its rows were read, in ms since 1970. */
  get builtAt(): number {
    return this.#data.builtAt;
  }

  /** When the last import had finished, in ms since 1970; null where there was none. */
  get importedAt(): number | null {
    return this.#data.importedAt;
  }

  /** The page of `limit` startups after the first `offset` ones. The cost does not grow with the offset. */
  find({ filter, sort, limit, total, offset }: Query & { readonly offset: number }): Found {
    const plan = this.#matcher.plan(filter, sort);
    // Finding what a deep page skips is finding them all; the first page alone may be had for less.
    if (!total && offset === 0) {
      return this.#page(this.#matcher.some(plan, undefined, limit + 1), 0, limit, total);
    }
    const part = this.#matcher.part(plan, offset, limit);
    return {
      ids: this.#idsOf(part.positions),
      total: total ? part.total : undefined,
      hasMore: part.total > offset + limit,
    };
  }

  /** The `limit` startups that follow a place, whether or not a startup still is there. */
  findAfter({ filter, sort, limit, total, after }: Query & { readonly after: Place }): Found {
    const plan = this.#matcher.plan(filter, sort);
    if (total) {
      const all = this.#matcher.all(plan);
      return this.#page(all, this.#matcher.countUpTo(all, sort, after), limit, total);
    }
    return this.#page(this.#matcher.some(plan, after, limit + 1), 0, limit, total);
  }

  /** The place of a startup in an order, for a cursor; undefined for an unknown id. */
  keyOf(id: number, sort: StartupSort): Place | undefined {
    const position = this.#positionOf(id);
    return position === undefined ? undefined : placeAt<NumberColumn>(this.#data, orders[sort], position);
  }

  /** Rank by total revenue among active startups, from 1; null for inactive and unknown ones. */
  rank(id: number): number | null {
    const position = this.#positionOf(id);
    return position === undefined ? null : this.#data.ranks[position] || null;
  }

  /** The dataset revision that last changed a startup; undefined for an unknown id. */
  revisionOf(id: number): number | undefined {
    const position = this.#positionOf(id);
    return position === undefined ? undefined : this.#data.revisions[position];
  }

  /** How many matching startups have each value, most frequent first. */
  facets(filter: StartupFilter): Facets {
    return remember(this.#facets, filterKey(filter), () =>
      facetsOf(this.#data, this.#matcher.unsorted(filter)),
    );
  }

  /** Figures of the matching startups. */
  stats(filter: StartupFilter): Stats {
    return remember(this.#stats, filterKey(filter), () =>
      statsOf(this.#data, this.#matcher.unsorted(filter), (order) =>
        this.#matcher.all(this.#matcher.plan(filter, order)),
      ),
    );
  }

  #page(list: Uint32Array, offset: number, limit: number, total: boolean): Found {
    return {
      ids: this.#idsOf(list.subarray(offset, offset + limit)),
      total: total ? list.length : undefined,
      hasMore: list.length > offset + limit,
    };
  }

  #idsOf(positions: Uint32Array): number[] {
    return Array.from(positions, (position) => this.#data.ids[position] as number);
  }

  #positionOf(id: number): number | undefined {
    return findId(this.#data.ids, this.#data.ids.length, id);
  }
}

/** Whether one startup, as freshly read, passes a filter: the catalogue's own answer. */
export function matches(row: CatalogueRow, filter: StartupFilter): boolean {
  const catalogue = new Catalogue(buildCatalogue(columnsOf([row]), 0));
  return catalogue.find({ filter, sort: 'revenue-desc', offset: 0, limit: 1, total: false }).ids.length === 1;
}

function remember<T extends object>(kept: LRUCache<string, T>, key: string, make: () => T): T {
  const value = kept.get(key) ?? make();
  kept.set(key, value);
  return value;
}
