import type { Steps } from '../../../lib/loop/time-slices.ts';
import { priceMultiple, type StartupRecord } from '../../model/record.ts';
import type { CatalogueData } from '../edition-data.ts';
import { positionOfSlug } from '../order/look-ups.ts';
import { CHUNK, type Condition, narrowTo } from '../query/conditions.ts';
import { PackedRecord } from '../store/packed-record.ts';
import { removalAt } from './removed-startups.ts';

/** The figures that are remembered: what emails tell, and what lets startups begin to match a filter. */
const numbers = ['askingPrice', 'revenueLast30Days', 'revenueMrr', 'growth30d', 'customers'] as const;
/** In an order in which each begins at a multiple of its size. */
const kept = [...numbers, 'id', 'onSale'] as const;
const BYTES = numbers.length * Float64Array.BYTES_PER_ELEMENT + Int32Array.BYTES_PER_ELEMENT + 1;
/** Startups added in one step, which takes less than a millisecond. */
const STEP = 2_048;

/** Part of the figures of the startups of an edition, in the order of their ids: 45 bytes each. Undefined after the last. */
export function packFigures({ columns }: CatalogueData, part: number): Buffer | undefined {
  const start = part * CHUNK;
  const figures = kept.map((name) => {
    const { buffer, byteOffset, byteLength } = columns[name].subarray(start, start + CHUNK);
    return new Uint8Array(buffer, byteOffset, byteLength);
  });
  return start < columns.id.length ? Buffer.concat(figures) : undefined;
}

/** A startup now and then. Of then, only the remembered figures are known; null if it was not there. */
export interface ChangedStartup {
  readonly now: StartupRecord;
  readonly before: StartupRecord | null;
  /** Its position in the later edition. */
  readonly position: number;
}

/** What can happen to a startup of a list, each as a bit. */
const differences = {
  /** It was added after the time, and matches. */
  new: 1,
  /** It was there before, and matches only now. */
  matches: 2,
  /** Its price fell. */
  cheaper: 4,
  /** It is no longer for sale. */
  ended: 8,
} as const;
export type ListDifference = keyof typeof differences;

/** What was told of each startup, so that nothing is told twice. */
export class ToldDifferences {
  readonly #told: Uint8Array;

  constructor(past: PastFigures) {
    this.#told = new Uint8Array(past.data.columns.id.length);
  }

  /** Adds what is told of a startup. @returns false if it was told before. */
  add(position: number, difference: ListDifference): boolean {
    const before = this.#told[position] as number;
    this.#told[position] = before | differences[difference];
    return this.#told[position] !== before;
  }

  clear(): void {
    this.#told.fill(0);
  }
}

/** Which changes are read. */
export interface ChangesOptions {
  /** Startups that no import has changed after this time are left out; in ms since 1970. */
  readonly since: number;
  /** The most that are described. */
  readonly most: number;
  /** What is left out; the changes are added to it. */
  readonly told: ToldDifferences;
}

/** The startups of a list that have changed. */
export interface ListChanges {
  /** How many of them, but for what was told before. */
  readonly total: number;
  /** Some of them, the last added first. */
  readonly shown: readonly (ChangedStartup & { readonly difference: ListDifference })[];
}

type PastColumns = Record<'onSale', Uint8Array> & Record<(typeof numbers)[number] | 'multiple', Float64Array>;

/** Figures that an earlier edition packed, laid over a later one. */
export class PastFigures {
  /** The edition with these figures, which only tests of single positions may read: its orders are not of them. */
  readonly data: CatalogueData;
  readonly #now: CatalogueData;
  readonly #columns: PastColumns;
  readonly #isKnown: Uint8Array;
  /** By position: 1 if the startup was added, or one of these figures is another. */
  readonly #isChanged: Uint8Array;
  /** The ids of startups that are gone. */
  readonly #gone = new Set<number>();
  /** The positions of these, the last first; set by {@link finish}. */
  #changed = new Uint32Array(0);
  /** The position of the next id, at the earliest. */
  #next = 0;

  private constructor(data: CatalogueData) {
    const size = data.columns.id.length;
    this.#now = data;
    this.#isKnown = new Uint8Array(size);
    this.#isChanged = new Uint8Array(size);
    const past = Object.fromEntries([...numbers, 'multiple'].map((name) => [name, new Float64Array(size)]));
    this.#columns = { ...past, onSale: new Uint8Array(size) } as PastColumns;
    this.data = { ...data, columns: { ...data.columns, ...this.#columns } };
  }

  /** Begins with the figures of the later edition. All parts are then added in their order, then it is finished. */
  static *open(data: CatalogueData): Steps<PastFigures> {
    const opened = new PastFigures(data);
    const names = [...numbers, 'multiple', 'onSale'] as const;
    for (let start = 0; start < data.columns.id.length; start += CHUNK) {
      for (const name of names) {
        opened.#columns[name].set(data.columns[name].subarray(start, start + CHUNK), start);
      }
      opened.#isChanged.fill(1, start, start + CHUNK);
      yield;
    }
    return opened;
  }

  *add(part: Buffer): Steps<void> {
    const { columns } = this.#now;
    const figures = unpack(part);
    for (const [at, id] of figures.id.entries()) {
      if (at % STEP === STEP - 1) {
        yield;
      }
      while ((columns.id[this.#next] ?? id) < id) {
        this.#next += 1;
      }
      if (columns.id[this.#next] === id) {
        this.#set(this.#next, figures, at);
      } else {
        this.#gone.add(id);
      }
    }
  }

  #set(position: number, figures: Figures, at: number): void {
    const [past, { columns }] = [this.#columns, this.#now];
    past.onSale[position] = figures.onSale[at] as number;
    let differs = past.onSale[position] !== columns.onSale[position];
    for (const name of numbers) {
      const value = figures[name][at] as number;
      past[name][position] = value;
      differs ||= !Object.is(value, columns[name][position]);
    }
    this.#isKnown[position] = 1;
    this.#isChanged[position] = Number(differs);
    past.multiple[position] = priceMultiple(
      past.askingPrice[position] as number,
      past.revenueLast30Days[position] as number,
    );
  }

  /**
   * What has changed of the startups that match, or did.
   *
   * @param now the conditions of a filter on the later edition.
   * @param then the same on {@link data}.
   */
  *changes(
    now: readonly Condition[],
    then: readonly Condition[],
    { since, most, told }: ChangesOptions,
  ): Steps<ListChanges> {
    const { updatedAt } = this.#now.columns;
    const [matching, matched] = [new Uint32Array(CHUNK), new Uint32Array(CHUNK)];
    const shown: (ChangedStartup & { difference: ListDifference })[] = [];
    let total = 0;
    for (let start = 0; start < this.#changed.length; start += CHUNK) {
      const chunk = this.#changed.subarray(start, start + CHUNK);
      const count = chunk.length;
      matching.set(chunk);
      matched.set(chunk);
      // Both stay in the order of the chunk.
      const [matches, did] = [narrowTo(now, matching, count), narrowTo(then, matched, count)];
      for (let at = 0, is = 0, was = 0; at < count && (is < matches || was < did); at += 1) {
        const position = chunk[at] as number;
        const [isIn, wasIn] = [
          is < matches && matching[is] === position,
          was < did && matched[was] === position,
        ];
        is += Number(isIn);
        was += Number(wasIn);
        const difference = isIn || wasIn ? this.#differenceAt(position, isIn, wasIn, since) : undefined;
        if (
          difference !== undefined &&
          (updatedAt[position] as number) > since &&
          told.add(position, difference)
        ) {
          total += 1;
          if (shown.length < most) {
            shown.push({ ...this.#startupAt(position), difference });
          }
        }
      }
      yield;
    }
    return { total, shown };
  }

  #differenceAt(position: number, isIn: boolean, wasIn: boolean, since: number): ListDifference | undefined {
    const [now, then] = [this.#now.columns, this.#columns];
    const did = wasIn && this.#isKnown[position] === 1;
    const isForSale = now.onSale[position] === 1;
    if (did && then.onSale[position] === 1 && !isForSale) {
      return 'ended';
    }
    if (!isIn) {
      return undefined;
    }
    if (!did) {
      // One that was removed and returns is not known of then, but not new.
      const isOlder = this.#isKnown[position] === 1 || (now.createdAt[position] as number) <= since;
      return isOlder ? 'matches' : 'new';
    }
    const isCheaper =
      isForSale && (now.askingPrice[position] as number) < (then.askingPrice[position] as number);
    return isCheaper ? 'cheaper' : undefined;
  }

  /** A startup that an import has changed after a time, by its slug. */
  startup(slug: string, since: number): ChangedStartup | undefined {
    const position = positionOfSlug(this.#now, slug);
    const isChanged = position !== undefined && (this.#now.columns.updatedAt[position] as number) > since;
    return isChanged ? this.#startupAt(position) : undefined;
  }

  #startupAt(position: number): ChangedStartup {
    const before = this.#isKnown[position] === 1 ? new PackedRecord(this.data, position) : null;
    return { now: new PackedRecord(this.#now, position), before, position };
  }

  /** Ends adding. @returns when the startups were removed that are gone, in ms since 1970, by their slugs. */
  *finish(): Steps<ReadonlyMap<string, number>> {
    const changed = new Uint32Array(this.#isChanged.length);
    let count = 0;
    for (let position = changed.length - 1; position >= 0; position -= 1) {
      changed[count] = position;
      count += this.#isChanged[position] as number;
      if (position % CHUNK === 0) {
        yield;
      }
    }
    this.#changed = changed.subarray(0, count);
    const { removals } = this.#now;
    const found = new Map<string, number>();
    for (const [at, id] of removals.startupIds.entries()) {
      if (this.#gone.has(id)) {
        const { slug, removedAt } = removalAt(removals, at);
        found.set(slug, removedAt);
      }
      if (at % STEP === STEP - 1) {
        yield;
      }
    }
    return found;
  }
}

type Figures = ReturnType<typeof unpack>;

function unpack(part: Buffer) {
  const count = part.length / BYTES;
  const { buffer } = new Uint8Array(part);
  const ids = numbers.length * Float64Array.BYTES_PER_ELEMENT * count;
  const columns = numbers.map((name, index) => [
    name,
    new Float64Array(buffer, index * Float64Array.BYTES_PER_ELEMENT * count, count),
  ]);
  return {
    ...(Object.fromEntries(columns) as Record<(typeof numbers)[number], Float64Array>),
    id: new Int32Array(buffer, ids, count),
    onSale: new Uint8Array(buffer, ids + Int32Array.BYTES_PER_ELEMENT * count, count),
  };
}
