import type { Steps } from '../../../lib/loop/time-slices.ts';
import { priceMultiple } from '../../model/record.ts';
import type { CatalogueData } from '../edition-data.ts';
import { CHUNK } from '../query/conditions.ts';

/** The figures that are remembered: what emails tell, and what lets startups begin to match a filter. */
const numbers = ['askingPrice', 'revenueLast30Days', 'revenueMrr', 'growth30d', 'customers'] as const;
/** In an order in which each begins at a multiple of its size. */
const kept = [...numbers, 'id', 'onSale'] as const;
const BYTES = numbers.length * Float64Array.BYTES_PER_ELEMENT + Int32Array.BYTES_PER_ELEMENT + 1;

/** Positions handled in one step, which takes less than a millisecond. */
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

type PastColumns = Record<'onSale', Uint8Array> & Record<(typeof numbers)[number] | 'multiple', Float64Array>;

/** Figures that an earlier edition packed, laid over a later one. */
export class PastFigures {
  readonly #now: CatalogueData;
  readonly #past: PastColumns;
  readonly #isKnown: Uint8Array;
  readonly #isChanged: Uint8Array;
  readonly #gone: number[] = [];
  /** The position of the next id, at the earliest. */
  #next = 0;

  private constructor(data: CatalogueData) {
    const size = data.columns.id.length;
    this.#now = data;
    this.#isKnown = new Uint8Array(size);
    this.#isChanged = new Uint8Array(size);
    const past = Object.fromEntries([...numbers, 'multiple'].map((name) => [name, new Float64Array(size)]));
    this.#past = { ...past, onSale: new Uint8Array(size) } as PastColumns;
  }

  /** Begins with the figures of the later edition. All parts are then added in their order. */
  static *open(data: CatalogueData): Steps<PastFigures> {
    const opened = new PastFigures(data);
    const names = [...numbers, 'multiple', 'onSale'] as const;
    for (let start = 0; start < data.columns.id.length; start += CHUNK) {
      for (const name of names) {
        opened.#past[name].set(data.columns[name].subarray(start, start + CHUNK), start);
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
        this.#gone.push(id);
      }
    }
  }

  #set(position: number, figures: Figures, at: number): void {
    const [past, { columns }] = [this.#past, this.#now];
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

  /** What was added. */
  *read(): Steps<ReadFigures> {
    const changed = new Uint32Array(this.#isChanged.length);
    let count = 0;
    for (let position = 0; position < changed.length; position += 1) {
      changed[count] = position;
      count += this.#isChanged[position] as number;
      if (position % CHUNK === CHUNK - 1) {
        yield;
      }
    }
    const data = { ...this.#now, columns: { ...this.#now.columns, ...this.#past } };
    const gone = Int32Array.from(this.#gone);
    return { data, isKnown: this.#isKnown, changed: changed.subarray(0, count), gone };
  }
}

/** An edition with figures of the past, which only tests of single conditions may read: its orders are not of them. */
export interface ReadFigures {
  readonly data: CatalogueData;
  /** By position: 1 if the startup was there. */
  readonly isKnown: Uint8Array;
  /** The positions of startups that were added, or of which a figure has changed, ascending. */
  readonly changed: Uint32Array;
  /** The ids of startups that are gone, ascending. */
  readonly gone: Int32Array;
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
