import type { Steps } from '../../../lib/loop/time-slices.ts';
import { type CodedGrouping, codedGroupings } from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { type CodeArray, type CodeColumn, codeLimits, values } from '../store/codes.ts';

/** How many startups have a value; null counts those without a value. */
export interface FacetCount<T> {
  readonly value: T;
  readonly count: number;
}

/** The facets of coded columns. */
const CODED = [...codedGroupings, 'onSale'] as const satisfies readonly CodeColumn[];
/** The names of all facets. */
export const FACETS = [...CODED, 'techStack'] as const;

/** Counts by value, without zeros: most frequent first, then in the order of the vocabulary, null last. */
export type Facets = { readonly [column in CodedGrouping]: readonly FacetCount<string | null>[] } & {
  readonly onSale: readonly FacetCount<boolean>[];
  /** Counted apart, when it is asked for: a startup has several values. */
  techStack(): Steps<TechnologyCounts>;
};
export type TechnologyCounts = readonly FacetCount<string | null>[];

/** The values of each facet by their codes. */
const valuesByCode = { ...values, onSale: [false, true] };

/** Counts of the startups at these positions, by value. */
export function* facetsOf(
  { columns }: CatalogueData,
  positions: Uint32Array,
  techStack: Facets['techStack'],
): Steps<Facets> {
  const facets: Record<string, FacetCount<string | boolean | null>[]> = {};
  for (const column of CODED) {
    const counts = countCodes(columns[column], positions, codeLimits[column]);
    facets[column] = Array.from(counts, (count, code) => ({
      value: valuesByCode[column][code] ?? null,
      count,
    }))
      .filter(({ count }) => count > 0)
      .sort(mostFrequentFirst);
    yield;
  }
  return { ...facets, techStack } as unknown as Facets;
}

/** Compares counts of a vocabulary whose order they have. */
export function mostFrequentFirst(a: FacetCount<unknown>, b: FacetCount<unknown>): number {
  return Number(a.value === null) - Number(b.value === null) || b.count - a.count;
}

/** How many of the startups at these positions have each code. @param limit one more than the highest code. */
function countCodes(column: CodeArray, positions: Uint32Array, limit: number): Uint32Array {
  const counts = new Uint32Array(limit);
  for (let at = 0; at < positions.length; at += 1) {
    const code = column[positions[at] as number] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}
