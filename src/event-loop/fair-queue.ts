/** What waits for something, by owners who take turns. */
export class FairQueue<T> {
  readonly #items = new Map<string, T[]>();

  /** The owner whose turn it is; undefined if nothing waits. */
  get next(): string | undefined {
    return this.#items.keys().next().value;
  }

  add(owner: string, item: T): void {
    const items = this.#items.get(owner);
    if (items === undefined) {
      this.#items.set(owner, [item]);
    } else {
      items.push(item);
    }
  }

  /** Removes the first item of an owner, who is then behind all others. */
  take(owner: string): T | undefined {
    const items = this.#items.get(owner);
    const item = items?.shift();
    this.#items.delete(owner);
    if (items !== undefined && items.length > 0) {
      this.#items.set(owner, items);
    }
    return item;
  }
}
