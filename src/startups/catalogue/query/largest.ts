/** What is counted. */
export interface Sized {
  readonly count: number;
  /** Decides between equal counts: the lower one is first. */
  readonly place: number;
}

/** The largest of many: each is added, few are kept. */
export class Largest<T extends Sized> {
  readonly #items: T[] = [];
  readonly #most: number;

  /** @param most the most that are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The largest that were added, the largest first. */
  get items(): readonly T[] {
    return this.#items;
  }

  add(item: T): void {
    const last = this.#items.at(-1);
    if (this.#items.length === this.#most && last !== undefined && compareSizes(last, item) < 0) {
      return;
    }
    const place = this.#items.findIndex((other) => compareSizes(other, item) > 0);
    this.#items.splice(place === -1 ? this.#items.length : place, 0, item);
    this.#items.length = Math.min(this.#items.length, this.#most);
  }
}

const compareSizes = (a: Sized, b: Sized): number => b.count - a.count || a.place - b.place;
