/** A map that drops the least recently used entries once it is full. */
interface BoundedMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  clear(): void;
  entries(): Iterable<[string, V]>;
}

/**
 * Creates a map that holds at most `capacity` entries: two halves, of which the older is dropped when
 * the younger is full. Reading an entry moves it to the younger half, so reading is usually one look-up.
 */
export function createBoundedMap<V>(capacity: number): BoundedMap<V> {
  const half = Math.max(1, Math.floor(capacity / 2));
  let young = new Map<string, V>();
  let old = new Map<string, V>();

  function set(key: string, value: V): void {
    old.delete(key);
    if (young.size >= half && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get size() {
      return young.size + old.size;
    },
    get(key) {
      const value = young.get(key);
      if (value !== undefined) {
        return value;
      }
      const older = old.get(key);
      if (older !== undefined) {
        set(key, older);
      }
      return older;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young = new Map();
      old = new Map();
    },
    *entries() {
      yield* old;
      yield* young;
    },
  };
}
