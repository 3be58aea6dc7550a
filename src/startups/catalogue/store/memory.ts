/** An array of numbers, by position. Compiled code of V8 distinguishes up to four classes of them. */
export type NumberArray = Int32Array | Uint8Array | Uint32Array | Float64Array;

/** The class of such an array. */
export interface ArrayKind<T extends NumberArray> {
  new (buffer: SharedArrayBuffer, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** An array of zeros in memory that threads share. */
export function sharedArray<T extends NumberArray>(kind: ArrayKind<T>, length: number): T {
  return new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT), 0, length);
}

/** An array of the given length that begins with the elements of another array. */
export function copyOf<T extends NumberArray>(array: T, length = array.length): T {
  const copy = sharedArray(array.constructor as ArrayKind<T>, length);
  copy.set(array);
  return copy;
}

/** The same elements in an array of twice the length, which only this thread uses. */
export function grown<T extends Uint8Array | Uint32Array | Int32Array>(array: T): T {
  const copy = new (array.constructor as new (length: number) => T)(Math.max(16, array.length * 2));
  copy.set(array as never);
  return copy;
}

/** The first `length` elements of an array but those at some indexes, ascending, in an array of the same length. */
export function without<T extends NumberArray>(array: T, length: number, indexes: readonly number[]): T {
  const kept = sharedArray(array.constructor as ArrayKind<T>, array.length);
  let next = 0;
  for (let left = 0, from = 0; left <= indexes.length; left += 1) {
    const end = indexes[left] ?? length;
    for (let at = from; at < end; at += 1) {
      kept[next] = array[at] as number;
      next += 1;
    }
    from = end + 1;
  }
  return kept;
}

/**
 * The first `length` elements of an array with a gap before each of those at some indexes, ascending: in an array that is at
 * least as long.
 */
export function withGaps<T extends NumberArray>(array: T, length: number, indexes: readonly number[]): T {
  const wanted = Math.max(array.length, length + indexes.length);
  const spread = sharedArray(array.constructor as ArrayKind<T>, wanted);
  let from = 0;
  for (const [gaps, index] of [...indexes, length].entries()) {
    spread.set(array.subarray(from, index), from + gaps);
    from = index;
  }
  return spread;
}

/** Whether both are the same part of the same memory. */
export function isSame(a: NumberArray, b: NumberArray): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length;
}

/** V8 begins to collect after other memory than its heap has grown by 64 MB. */
const GROWTH_BYTES = 2 ** 26 + 2 ** 22;
/** A collection takes some 20 ms: it waits for so many bytes, and for this part of the memory in use. */
const LEAST = { bytes: 2 ** 24, part: 4 };

/**
 * Makes V8 collect shared memory that this thread no longer refers to. V8 does not count shared memory, so it would
 * collect it only when its own heap has grown, which can take minutes.
 */
export class UnusedMemory {
  #bytes = 0;

  /**
   * Counts memory that is no longer used.
   *
   * @param inUse the bytes of shared memory that are still used.
   */
  add(bytes: number, inUse: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= Math.max(LEAST.bytes, inUse / LEAST.part)) {
      this.#bytes = 0;
      // Nobody writes to it, so the system provides no memory for it.
      void new ArrayBuffer(GROWTH_BYTES);
    }
  }
}
