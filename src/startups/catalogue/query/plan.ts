import { RELEVANCE } from '../../model/vocabulary.ts';
import type { OrderName } from '../order/orders.ts';
import type { Condition, Conditions, IndexedCondition } from './conditions.ts';
import type { Matches } from './search-matches.ts';

/** A filter and an order, with the conditions of the filter and how the order helps to evaluate them. */
export interface Plan {
  /** A cache key: two plans have the same one exactly if they find the same. Empty if no condition remains. */
  readonly key: string;
  readonly order: OrderName;
  /** If the order is by relevance: to what. Equal matches are in the order above. */
  readonly ranking: Matches | undefined;
  /** Whether a list that passes the conditions on coded values and words is by relevance: all words are frequent. */
  readonly isBaseRanked: boolean;
  readonly conditions: Conditions;
  /** Cuts a list in this order by the range on the column it is sorted by, if there is one. */
  cut(list: Uint32Array): Uint32Array;
  /** The conditions that remain to be tested, other than on coded values and the cut. */
  readonly remaining: readonly IndexedCondition[];
}

/** The conditions of a filter in the order in which they are tested. */
export function allOf({ indexed, codes, words }: Conditions): Condition[] {
  return [...indexed, ...codes, ...words];
}

/** The plan of the wider list that the conditions on coded values alone give. */
export function withoutWords(plan: Plan): Plan {
  const conditions = { ...plan.conditions, words: [], wordsKey: '' };
  return { ...plan, ranking: undefined, isBaseRanked: false, conditions };
}

/** The cache key of the list that passes the conditions on coded values and words. */
export function baseKey({ order, isBaseRanked, conditions: { codesKey, wordsKey } }: Plan): string {
  return `${isBaseRanked ? RELEVANCE : order} ${codesKey} ${wordsKey}`;
}
