import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { StartupFilter } from '../../model/filter.ts';
import type { CatalogueData } from '../edition-data.ts';
import { positionOfSlug } from '../order/text-lookup.ts';
import { CHUNK, type Condition, narrowTo } from '../query/conditions.ts';
import { findId } from '../store/columns.ts';
import { PackedRecord } from '../store/packed-record.ts';
import type { ReadFigures } from './past-figures.ts';
import { removalAt } from './removed-startups.ts';

/** What has happened to a startup of a list: it matches now, its price fell, or it is no longer for sale. */
export type ListDifference = 'new' | 'cheaper' | 'ended';

/** The figures of a startup at a moment. Money is in US cents, null if unknown. */
export interface ComparedFigures {
  readonly askingPrice: number | null;
  readonly revenue: number;
  readonly onSale: boolean;
}

/** A startup that has changed. */
export interface ChangedStartup {
  readonly slug: string;
  readonly name: string;
  readonly now: ComparedFigures;
  /** Null if it was not there. */
  readonly before: ComparedFigures | null;
}

/** The startups of a list that have changed. */
export interface ListChanges {
  readonly total: number;
  /** Some of them, the last added first. */
  readonly shown: readonly (ChangedStartup & { readonly difference: ListDifference })[];
}

/** The conditions of a filter on an edition. */
type FindConditions = (filter: StartupFilter, data: CatalogueData) => Steps<readonly Condition[]>;

/** How an edition differs from figures that were packed earlier. */
export class Comparison {
  readonly #data: CatalogueData;
  readonly #past: ReadFigures;
  readonly #conditionsOf: FindConditions;

  constructor(data: CatalogueData, past: ReadFigures, conditionsOf: FindConditions) {
    this.#data = data;
    this.#past = past;
    this.#conditionsOf = conditionsOf;
  }

  /**
   * What has changed of the startups that match a filter, or did. Only the changed ones are looked at.
   *
   * @param since startups that no import has changed after this time are left out; in ms since 1970.
   * @param most the most that are described.
   */
  *changesOf(filter: StartupFilter, since: number, most: number): Steps<ListChanges> {
    const { changed, data: past } = this.#past;
    const [now, before] = [
      yield* this.#conditionsOf(filter, this.#data),
      yield* this.#conditionsOf(filter, past),
    ];
    const [matching, matched] = [new Uint32Array(CHUNK), new Uint32Array(CHUNK)];
    const found: { readonly position: number; readonly difference: ListDifference }[] = [];
    let total = 0;
    // From the end: the last added first.
    for (let end = changed.length; end > 0; end -= CHUNK) {
      const chunk = changed.subarray(Math.max(0, end - CHUNK), end);
      matching.set(chunk);
      matched.set(chunk);
      let isNow = narrowTo(now, matching, chunk.length) - 1;
      let wasBefore = narrowTo(before, matched, chunk.length) - 1;
      // Both are in the order of the chunk.
      while (isNow >= 0 || wasBefore >= 0) {
        const position = Math.max(
          isNow < 0 ? 0 : (matching[isNow] as number),
          wasBefore < 0 ? 0 : (matched[wasBefore] as number),
        );
        const matches = isNow >= 0 && matching[isNow] === position;
        const did = wasBefore >= 0 && matched[wasBefore] === position;
        isNow -= Number(matches);
        wasBefore -= Number(did);
        const difference = this.#differenceAt(position, matches, did);
        if (difference !== undefined && (this.#data.columns.updatedAt[position] as number) > since) {
          total += 1;
          if (found.length < most) {
            found.push({ position, difference });
          }
        }
      }
      yield;
    }
    const shown = found.map(({ position, difference }) => ({ ...this.#describe(position), difference }));
    return { total, shown };
  }

  /**
   * A startup now and then, also if nothing has changed; null if there is none with this slug.
   *
   * @param since as above: without a later change, it is null.
   */
  startup(slug: string, since: number): ChangedStartup | null {
    const position = positionOfSlug(this.#data, slug);
    return position !== undefined && (this.#data.columns.updatedAt[position] as number) > since
      ? this.#describe(position)
      : null;
  }

  /** The slugs of the startups that were removed, with the time in ms since 1970. */
  *removed(): Steps<ReadonlyMap<string, number>> {
    const { removals } = this.#data;
    const { gone } = this.#past;
    const found = new Map<string, number>();
    for (const [at, id] of removals.startupIds.entries()) {
      if (findId(gone, gone.length, id) !== undefined) {
        const { slug, removedAt } = removalAt(removals, at);
        found.set(slug, removedAt);
      }
      if (at % CHUNK === CHUNK - 1) {
        yield;
      }
    }
    return found;
  }

  #differenceAt(position: number, matches: boolean, matchedThen: boolean): ListDifference | undefined {
    const { isKnown, data } = this.#past;
    const [now, then] = [this.#data.columns, data.columns];
    const did = matchedThen && isKnown[position] === 1;
    if (did && then.onSale[position] === 1 && now.onSale[position] === 0) {
      return 'ended';
    }
    const isCheaper =
      now.onSale[position] === 1 &&
      (now.askingPrice[position] as number) < (then.askingPrice[position] as number);
    return !matches ? undefined : isCheaper ? 'cheaper' : did ? undefined : 'new';
  }

  #describe(position: number): ChangedStartup {
    const { isKnown, data } = this.#past;
    const record = new PackedRecord(this.#data, position);
    return {
      slug: record.slug,
      name: record.name,
      now: figuresOf(record),
      before: isKnown[position] === 1 ? figuresOf(new PackedRecord(data, position)) : null,
    };
  }
}

function figuresOf({ askingPrice, revenue, onSale }: PackedRecord): ComparedFigures {
  return { askingPrice, revenue: revenue.last30Days, onSale };
}
