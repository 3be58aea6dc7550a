import { LRUCache } from 'lru-cache';
import type { Steps } from '../../../lib/loop/time-slices.ts';
import { filterKey, type StartupFilter } from '../../model/filter.ts';
import type { Place } from '../../model/requests/cursor.ts';
import type { ListRequest } from '../../model/requests/list-request.ts';
import { type ListSort, RELEVANCE } from '../../model/vocabulary.ts';
import { readWebsite, type Website, writeWebsite } from '../../model/website.ts';
import type { CatalogueData } from '../edition-data.ts';
import { positionsOfWebsite } from '../order/look-ups.ts';
import { allPositions } from '../order/names.ts';
import {
  arrange,
  countBefore,
  countUpTo,
  type OrderName,
  orderOf,
  placeAt,
  positionsIn,
} from '../order/orders.ts';
import {
  allOf,
  type Condition,
  type Conditions,
  conditionsOf,
  type IndexedCondition,
  markedCondition,
  narrowTo,
} from './conditions.ts';
import { byRelevance, type Matches, scoreOf } from './relevance.ts';
import { mark, type Part, scan, type Wanted } from './scan.ts';

/** Positions that answer a list request. */
export interface FoundPositions {
  readonly positions: Uint32Array;
  /** The number of startups that match; undefined unless wanted. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
}

/** A filter and an order, with the conditions of the filter and how the order helps to evaluate them. */
interface Plan {
  /** A cache key: two plans have the same one exactly if they find the same. Empty if no condition remains. */
  readonly key: string;
  readonly order: OrderName;
  /** If the order is by relevance: to what. Equal matches are in the order above. */
  readonly ranking: Matches | undefined;
  readonly conditions: Conditions;
  /** Cuts a list in this order by the range on the column it is sorted by, if there is one. */
  cut(list: Uint32Array): Uint32Array;
  /** The conditions that remain to be tested, other than on coded values and the cut. */
  readonly remaining: readonly IndexedCondition[];
}

/** Candidates that are at most one in this many of the rows to scan are tested and sorted instead. */
const CANDIDATES_PART = 32;
/** A list is long if this many times its length reaches the number of startups. */
const LONG = 4;
/** How many names of lists requested once are remembered; a list is cached at its second request. */
const ASKED = 1_000;
/** The limit for the cached lists together: the size of this many orders of all startups, but at least … bytes. */
const KEPT = { orders: 8, leastBytes: 16 * 2 ** 20, overheadBytes: 512 };

/**
 * Finds the positions that match, in order. A list by coded values alone is cached, and a range on the
 * column it is sorted by cuts it in a few steps; all other conditions are tested, and the result is cached
 * when it is requested again.
 */
export class Matcher {
  readonly #data: CatalogueData;
  /** The cached lists by their keys. */
  readonly #lists: LRUCache<string, Uint32Array>;
  readonly #asked = new LRUCache<string, true>({ max: ASKED });
  #everything: Uint32Array | undefined;

  constructor(data: CatalogueData) {
    this.#data = data;
    this.#lists = new LRUCache({
      maxSize: Math.max(KEPT.leastBytes, KEPT.orders * this.#size * Uint32Array.BYTES_PER_ELEMENT),
      sizeCalculation: ({ byteLength }) => byteLength + KEPT.overheadBytes,
    });
  }

  get #size(): number {
    return this.#data.columns.id.length;
  }

  /** @param matches what the search of the filter finds, if it has one. */
  *#plan(filter: StartupFilter, sort: ListSort | OrderName, matches?: Matches): Steps<Plan> {
    const conditions = yield* this.#conditionsOf(filter, matches);
    const order = sort === RELEVANCE ? 'revenue-desc' : sort;
    const { column, descending } = orderOf(order);
    const range = conditions.indexed.find((condition) => condition.column === column);
    const remaining = conditions.indexed.filter((condition) => condition !== range);
    return {
      key: remaining.length === 0 ? '' : `${sort} ${filterKey(filter)}`,
      order,
      ranking: sort === RELEVANCE ? matches : undefined,
      conditions,
      cut: (list) => range?.cut?.(list, descending) ?? list,
      remaining,
    };
  }

  /** All conditions of a filter. @param data the same edition with other figures, for tests of single positions. */
  *conditions(
    filter: StartupFilter,
    matches: Matches | undefined,
    data?: CatalogueData,
  ): Steps<readonly Condition[]> {
    return allOf(yield* this.#conditionsOf(filter, matches, data));
  }

  *#conditionsOf(filter: StartupFilter, matches: Matches | undefined, data = this.#data): Steps<Conditions> {
    const website = filter.website ? readWebsite(filter.website) : undefined;
    return conditionsOf(data, filter, [matches?.positions, website && (yield* this.#positionsOf(website))]);
  }

  *#positionsOf(website: Website): Steps<Uint32Array> {
    const key = `website ${writeWebsite(website)}`;
    const positions = this.#lists.get(key) ?? (yield* positionsOfWebsite(this.#data, website));
    this.#lists.set(key, positions);
    return positions;
  }

  /** All positions that match, in an order. */
  *sorted(filter: StartupFilter, order: OrderName, matches: Matches | undefined): Steps<Uint32Array> {
    return yield* this.#all(yield* this.#plan(filter, order, matches));
  }

  *#all(plan: Plan): Steps<Uint32Array> {
    const { cut, remaining, ranking } = plan;
    if (remaining.length === 0) {
      return cut(yield* this.#base(plan));
    }
    const kept = this.#lists.get(plan.key);
    if (kept !== undefined) {
      return kept;
    }
    const few = this.#fewCandidates(plan);
    const found =
      few === undefined
        ? (yield* this.#walk(cut(yield* this.#base(plan)), remaining)).positions
        : this.#sort(few, plan);
    const list = ranking === undefined ? found : yield* byRelevance(found, ranking, this.#size);
    this.#lists.set(plan.key, list);
    return list;
  }

  /**
   * Positions that answer a request.
   *
   * @param matches what its search finds, if it has one.
   */
  *find(request: ListRequest, isTotalWanted: boolean, matches: Matches | undefined): Steps<FoundPositions> {
    const plan = yield* this.#plan(request.filter, request.sort, matches);
    const found = yield* this.#part(plan, request, isTotalWanted);
    return isTotalWanted ? found : { ...found, total: undefined };
  }

  /** Part of the positions that match. Does not build the whole list at first. */
  *#part(
    plan: Plan,
    { limit: count, page, after }: ListRequest,
    isTotalWanted: boolean,
  ): Steps<FoundPositions> {
    const offset = after === null ? ((page ?? 1) - 1) * count : 0;
    const isFoundWhole = plan.ranking !== undefined || this.#fewCandidates(plan) !== undefined;
    // A deep page requires finding all matches before it; the first page alone may need fewer.
    if (!isFoundWhole && !isTotalWanted && offset === 0 && !this.#lists.has(plan.key)) {
      return yield* this.#first(plan, after, count);
    }
    const isKnown = isFoundWhole || plan.remaining.length === 0 || this.#asked.has(plan.key);
    if (!isKnown && after === null) {
      this.#asked.set(plan.key, true);
      const list = plan.cut(yield* this.#base(plan));
      const { positions, total } = yield* this.#walk(list, plan.remaining, { offset, count });
      return { positions, total, hasMore: total > offset + count };
    }
    const list = yield* this.#all(plan);
    const start = after === null ? offset : this.#countUpTo(list, plan, after);
    return {
      positions: list.subarray(start, start + count),
      total: list.length,
      hasMore: list.length > start + count,
    };
  }

  /** The first positions that match, from the start or after a place. */
  *#first(plan: Plan, after: Place | null, count: number): Steps<FoundPositions> {
    const { conditions, remaining, cut, order } = plan;
    const base = this.#keptBase(plan);
    const list = cut(base ?? positionsIn(this.#data, order));
    const { positions } = yield* scan(
      after === null ? list : list.subarray(this.#countUpTo(list, plan, after)),
      base === undefined ? [...conditions.codes, ...remaining] : remaining,
      { count: count + 1, isTotalWanted: false },
    );
    return {
      positions: positions.subarray(0, count),
      total: undefined,
      hasMore: positions.length > count,
    };
  }

  /** All positions that match, ascending. */
  *unsorted(filter: StartupFilter, matches?: Matches): Steps<Uint32Array> {
    const conditions = yield* this.conditions(filter, matches);
    this.#everything ??= allPositions(this.#size);
    if (conditions.length === 0) {
      return this.#everything;
    }
    // Facets, stats and groups of one list each ask for it.
    const key = `unsorted ${filterKey(filter)}`;
    const positions = this.#lists.get(key) ?? (yield* scan(this.#everything, conditions)).positions;
    this.#lists.set(key, positions);
    return positions;
  }

  /** How many positions of a list of this plan are at or before a place. */
  #countUpTo(list: Uint32Array, { order, ranking }: Plan, place: Place): number {
    const isAfter = (position: number): boolean => {
      const { value, id } = placeAt(this.#data, orderOf(order), position);
      const score = scoreOf(ranking as Matches, position) - (place.score ?? 0);
      return (score || place.value - value || id - place.id) > 0;
    };
    return ranking === undefined
      ? countUpTo(this.#data, orderOf(order), list, place)
      : countBefore(list, isAfter);
  }

  /** All positions that pass the conditions on coded values. */
  *#base(plan: Plan): Steps<Uint32Array> {
    const kept = this.#keptBase(plan);
    if (kept !== undefined) {
      return kept;
    }
    const { positions } = yield* this.#walk(positionsIn(this.#data, plan.order), plan.conditions.codes);
    this.#lists.set(baseKey(plan), positions);
    return positions;
  }

  #keptBase(plan: Plan): Uint32Array | undefined {
    const isWhole = plan.conditions.codes.length === 0;
    return isWhole ? positionsIn(this.#data, plan.order) : this.#lists.get(baseKey(plan));
  }

  /** Candidates, if they are so few that testing and sorting them costs less than scanning an order. */
  #fewCandidates(plan: Plan): Uint32Array | undefined {
    const candidates = plan.conditions.indexed[0]?.passing;
    if (candidates === undefined || plan.remaining.length === 0) {
      return undefined;
    }
    const walked = this.#keptBase(plan)?.length ?? this.#size;
    return candidates.length * CANDIDATES_PART <= walked ? candidates : undefined;
  }

  /** The positions of a list that pass. */
  *#walk(list: Uint32Array, conditions: readonly Condition[], wanted?: Wanted): Steps<Part> {
    if (list.length * LONG <= this.#size || conditions.every(({ isMarked }) => isMarked)) {
      return yield* scan(list, conditions, wanted);
    }
    const marks = new Uint8Array(this.#size);
    const total = yield* mark(conditions, marks);
    // If the list contains all positions, the scan may end where the wanted part ends.
    const isWhole = list.length === this.#size;
    const part = yield* scan(list, [markedCondition(marks)], { ...wanted, isTotalWanted: !isWhole });
    return isWhole ? { ...part, total } : part;
  }

  #sort(candidates: Uint32Array, { conditions, order }: Plan): Uint32Array {
    const positions = candidates.slice();
    const passing = positions.subarray(0, narrowTo(allOf(conditions), positions, positions.length)).sort();
    const list = new Uint32Array(passing.length);
    arrange(this.#data, orderOf(order), passing, list);
    return list;
  }
}

/** The cache key of the list that passes the conditions on coded values. */
function baseKey({ order, conditions }: Plan): string {
  return `${order} ${conditions.codesKey}`;
}
