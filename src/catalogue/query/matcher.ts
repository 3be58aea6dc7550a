import { LRUCache } from 'lru-cache';
import type { Steps } from '../../event-loop/time-slices.ts';
import { filterKey, type StartupFilter } from '../../startups/filter.ts';
import type { Place } from '../../startups/requests/cursor.ts';
import { RELEVANCE, type StartupSort } from '../../startups/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import {
  allPositions,
  arrange,
  countBefore,
  countUpTo,
  type Order,
  type OrderName,
  orders,
  placeAt,
  placesOf,
  rearrange,
} from '../order/orders.ts';
import {
  type Condition,
  type Conditions,
  conditionsOf,
  type IndexedCondition,
  markedCondition,
  narrowTo,
} from './conditions.ts';
import { KeptLists } from './list-cache.ts';
import { byRelevance, cutEachScore } from './relevance.ts';
import { Marks, mark, type Part, partOf, scan } from './scan.ts';
import { type Matches, scoreOf } from './search-matches.ts';

/** A filter and an order, with the conditions of the filter and how the order helps to evaluate them. */
interface Plan {
  /** A cache key: two plans have the same one exactly if they find the same. */
  readonly key: string;
  readonly order: OrderName;
  /** If the order is by relevance: to what. Equal matches are in the order above. */
  readonly ranking: Matches | undefined;
  readonly conditions: Conditions;
  /** Cuts a list in this order by the range on the column it is sorted by, if there is one. */
  cut(list: Uint32Array): Uint32Array;
  /** The conditions that remain to be tested, other than on coded values and the cut. */
  readonly remaining: readonly Condition[];
}

/** If candidates are this many times fewer than the rows to scan, they are tested and sorted instead. */
const FEW = 32;
/** A list is long if this many times its length reaches the number of startups. */
const LONG = 4;
/** How many names of lists requested once are remembered; a list is cached at its second request. */
const ASKED = 1_000;

/**
 * Finds the positions that match, in order. A list by coded values alone is cached, and a range on the
 * column it is sorted by cuts it in a few steps; all other conditions are tested, and the result is cached
 * when it is requested again.
 */
export class Matcher {
  readonly #data: CatalogueData;
  readonly #lists: KeptLists;
  /** The number of this catalogue among those that share the lists. */
  readonly #edition: number;
  readonly #asked: LRUCache<string, true>;
  readonly #marks: Marks;
  #everything: Uint32Array | undefined;

  /** @param before the matcher of the previous catalogue. */
  constructor(data: CatalogueData, before?: Matcher) {
    this.#data = data;
    const size = data.columns.id.length;
    this.#marks = before !== undefined && before.#size === size ? before.#marks : new Marks(size);
    if (before === undefined || data.changed === undefined) {
      this.#lists = new KeptLists(size);
      this.#edition = 0;
      this.#asked = new LRUCache({ max: ASKED });
    } else {
      this.#lists = before.#lists;
      this.#edition = this.#lists.advance(data.changed, size);
      this.#asked = before.#asked;
    }
  }

  get #size(): number {
    return this.#data.columns.id.length;
  }

  /** @param matches what the search of the filter finds, if it has one. */
  plan(filter: StartupFilter, sort: StartupSort | OrderName, matches?: Matches): Plan {
    const conditions = conditionsOf(this.#data, filter, matches);
    const order = sort === RELEVANCE ? 'revenue-desc' : sort;
    const ranking = sort === RELEVANCE ? matches : undefined;
    const { column, descending }: Order = orders[order];
    const range = conditions.indexed.find((condition) => condition.column === column);
    const cut = (list: Uint32Array): Uint32Array => range?.cut?.(list, descending) ?? list;
    return {
      // Whether a search was corrected can change with the edition, while lists are kept.
      key: `${sort} ${matches?.isCorrected === true} ${filterKey(filter)}`,
      order,
      ranking,
      conditions,
      cut: (list) =>
        range !== undefined && ranking !== undefined && hasWords(conditions)
          ? cutEachScore(list, ranking, cut)
          : cut(list),
      remaining: conditions.indexed.filter((condition) => condition !== range).sort(byCount),
    };
  }

  /** All positions that match. */
  *all(plan: Plan): Steps<Uint32Array> {
    if (plan.remaining.length === 0) {
      return plan.cut(yield* this.#base(plan));
    }
    const kept = this.#kept(plan.key, plan, plan.ranking !== undefined, () => allOf(plan.conditions));
    if (kept !== undefined) {
      return kept;
    }
    const few = this.#fewCandidates(plan);
    const list =
      few === undefined
        ? yield* this.#walk(plan.cut(yield* this.#base(plan)), plan.remaining)
        : this.#sort(few, plan);
    const isRanked = plan.ranking === undefined || (few === undefined && hasWords(plan.conditions));
    const ranked = isRanked ? list : yield* byRelevance(list, plan.ranking);
    this.#keep(plan.key, ranked);
    return ranked;
  }

  /** At most `count` of the positions that match, after `offset` others. Does not build the whole list at first. */
  *part(plan: Plan, offset: number, count: number): Steps<Part> {
    const key = plan.remaining.length === 0 ? undefined : plan.key;
    if (key === undefined || this.#asked.has(key) || this.#isSmall(plan)) {
      const list = yield* this.all(plan);
      return { positions: list.subarray(offset, offset + count), total: list.length };
    }
    this.#asked.set(key, true);
    const list = plan.cut(yield* this.#base(plan));
    return this.#isLong(list)
      ? yield* this.#walkTo(list, plan.remaining, offset, count)
      : yield* partOf(list, narrowBy(plan.remaining), offset, count);
  }

  /** At least the first `count` positions that match, from the start or after a place; else all of them. */
  *some(plan: Plan, after: Place | undefined, count: number): Steps<Uint32Array> {
    const { conditions, remaining, cut, order } = plan;
    const from = (list: Uint32Array): Uint32Array =>
      after === undefined ? list : list.subarray(this.countUpTo(list, plan, after));
    const isRanked = plan.ranking !== undefined;
    const base = isRanked && hasWords(conditions) ? yield* this.#base(plan) : this.#keptBase(plan);
    const known =
      remaining.length === 0
        ? base && cut(base)
        : this.#kept(plan.key, plan, isRanked, () => allOf(conditions));
    if (known !== undefined || this.#isSmall(plan)) {
      return from(known ?? (yield* this.all(plan)));
    }
    return base === undefined
      ? yield* scan(
          from(cut(this.#data.orders[order])),
          narrowBy([...conditions.codes, ...conditions.words, ...remaining]),
          count,
        )
      : yield* scan(from(cut(base)), narrowBy(remaining), count);
  }

  /** All positions that match, ascending. */
  *unsorted(filter: StartupFilter, matches?: Matches): Steps<Uint32Array> {
    const conditions = allOf(conditionsOf(this.#data, filter, matches));
    this.#everything ??= allPositions(this.#size);
    return conditions.length === 0 ? this.#everything : yield* scan(this.#everything, narrowBy(conditions));
  }

  /** How many positions of a list of this plan are at or before a place. */
  countUpTo(list: Uint32Array, { order, ranking }: Plan, place: Place): number {
    const isAfter = (position: number): boolean => {
      const { value, id } = placeAt(this.#data, orders[order], position);
      const score = scoreOf(ranking as Matches, position) - (place.score ?? 0);
      return (score || place.value - value || id - place.id) > 0;
    };
    return ranking === undefined
      ? countUpTo(this.#data, orders[order], list, place)
      : countBefore(list, isAfter);
  }

  /** All positions that pass the conditions on coded values and words. */
  *#base(plan: Plan): Steps<Uint32Array> {
    const kept = this.#keptBase(plan);
    if (kept !== undefined) {
      return kept;
    }
    const { codes, words } = plan.conditions;
    let list: Uint32Array;
    if (hasWords(plan.conditions)) {
      list = yield* this.#walk(yield* this.#base(withoutWords(plan)), words);
      list = plan.ranking === undefined ? list : yield* byRelevance(list, plan.ranking);
    } else {
      list = yield* this.#walk(this.#data.orders[plan.order], codes);
    }
    this.#keep(baseKey(plan), list);
    return list;
  }

  #keptBase(plan: Plan): Uint32Array | undefined {
    const { codes, words } = plan.conditions;
    const isRanked = plan.ranking !== undefined && hasWords(plan.conditions);
    return codes.length + words.length === 0
      ? this.#data.orders[plan.order]
      : this.#kept(baseKey(plan), plan, isRanked, () => [...codes, ...words]);
  }

  /** A cached list, updated if it is from an earlier catalogue and not sorted by relevance. */
  #kept(
    key: string,
    { order }: Plan,
    isRanked: boolean,
    toConditions: () => readonly Condition[],
  ): Uint32Array | undefined {
    const kept = this.#lists.get(key);
    if (kept === undefined || kept.edition > this.#edition) {
      return undefined;
    }
    if (kept.edition === this.#edition) {
      return kept.list;
    }
    const changed = this.#lists.changedBetween(kept.edition, this.#edition);
    if (changed === undefined || isRanked) {
      return undefined;
    }
    const marks = this.#marks.take();
    const places = placesOf(kept.list, changed, marks);
    this.#marks.give(marks);
    const passing = changed.slice();
    const inserted = passing.subarray(0, narrowTo(toConditions(), passing, passing.length));
    const target = new Uint32Array(kept.list.length + inserted.length);
    const length = rearrange(this.#data, orders[order], kept.list, places, inserted, target);
    const list = length === target.length ? target : target.slice(0, length);
    this.#keep(key, list);
    return list;
  }

  #keep(key: string, list: Uint32Array): void {
    this.#lists.set(key, { list, edition: this.#edition });
  }

  /** Candidates, if they are so few that testing and sorting them costs less than scanning an order. */
  #fewCandidates(plan: Plan): Uint32Array | undefined {
    if (plan.remaining.length === 0) {
      return undefined;
    }
    const candidates = plan.conditions.indexed.toSorted(byCount)[0]?.passing();
    const walked = this.#keptBase(plan)?.length ?? this.#size;
    return candidates !== undefined && candidates.length * FEW <= walked ? candidates : undefined;
  }

  /** Whether all that match are found at once. */
  #isSmall(plan: Plan): boolean {
    const isRankedLast = plan.ranking !== undefined && !hasWords(plan.conditions);
    return isRankedLast || this.#fewCandidates(plan) !== undefined;
  }

  #isLong(list: Uint32Array): boolean {
    return list.length * LONG > this.#size;
  }

  *#walk(list: Uint32Array, conditions: readonly Condition[]): Steps<Uint32Array> {
    if (!this.#isLong(list)) {
      return yield* scan(list, narrowBy(conditions));
    }
    const marks = this.#marks.take();
    yield* mark(conditions, marks);
    const found = yield* scan(list, markedCondition(marks).narrow);
    this.#marks.give(marks);
    return found;
  }

  *#walkTo(list: Uint32Array, conditions: readonly Condition[], offset: number, count: number): Steps<Part> {
    const marks = this.#marks.take();
    const total = yield* mark(conditions, marks);
    const { narrow } = markedCondition(marks);
    // If the list contains all positions, the scan may end where the requested part ends.
    const part =
      list.length < this.#size
        ? yield* partOf(list, narrow, offset, count)
        : { ...(yield* partOf(list, narrow, offset, count, offset + count)), total };
    this.#marks.give(marks);
    return part;
  }

  #sort(candidates: Uint32Array, { conditions, order }: Plan): Uint32Array {
    const positions = candidates.slice();
    const passing = positions.subarray(0, narrowTo(allOf(conditions), positions, positions.length)).sort();
    const list = new Uint32Array(passing.length);
    arrange(this.#data, orders[order], passing, list);
    return list;
  }
}

function narrowBy(conditions: readonly Condition[]): Condition['narrow'] {
  return (positions, count) => narrowTo(conditions, positions, count);
}

/** The most selective conditions first, so that the others have fewer positions to test. */
function byCount(a: IndexedCondition, b: IndexedCondition): number {
  return a.passing().length - b.passing().length;
}

function allOf({ indexed, codes, words }: Conditions): Condition[] {
  return [...indexed.toSorted(byCount), ...codes, ...words];
}

function hasWords({ words }: Conditions): boolean {
  return words.length > 0;
}

function withoutWords(plan: Plan): Plan {
  return { ...plan, ranking: undefined, conditions: { ...plan.conditions, words: [] } };
}

function baseKey({ order, ranking, conditions }: Plan): string {
  const { codesKey, wordsKey } = conditions;
  return hasWords(conditions)
    ? `${ranking === undefined ? order : RELEVANCE} ${codesKey} ${wordsKey}`
    : `${order} ${codesKey}`;
}
