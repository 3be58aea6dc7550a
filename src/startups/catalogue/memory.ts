/** Where the memory of a catalogue's arrays comes from. What it gives may hold anything. */
export interface Memory {
  /** So many bytes. */
  take(bytes: number): ArrayBufferLike;
  /** Takes back what nobody uses. */
  give(buffers: readonly ArrayBufferLike[]): void;
}

/**
 * Memory that threads share. What is given back is used again: the collector does not count shared
 * memory, and would let what is out of use lie about.
 */
export class SharedMemory implements Memory {
  #spare: SharedArrayBuffer[] = [];

  take(bytes: number): SharedArrayBuffer {
    const at = this.#spare.findIndex(({ byteLength }) => byteLength === bytes);
    return this.#spare.splice(at, at === -1 ? 0 : 1)[0] ?? new SharedArrayBuffer(bytes);
  }

  /**
   * Takes back what nobody uses any more.
   *
   * @param most how many bytes to keep; what was given back first is left to the collector.
   */
  give(buffers: readonly ArrayBufferLike[], most = Number.POSITIVE_INFINITY): void {
    this.#spare.push(...(buffers as SharedArrayBuffer[]));
    let kept = this.#spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
    while (kept > most) {
      kept -= this.#spare.shift()?.byteLength ?? kept;
    }
  }
}

/** An array of numbers, by position. Up to four kinds of them V8 distinguishes in code that it has compiled. */
export type NumberArray = Int32Array | Uint8Array | Uint32Array | Float64Array;

/** The class of such an array. */
export interface ArrayKind<T extends NumberArray> {
  new (buffer: ArrayBufferLike, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** An array whose elements may be anything. */
export function arrayIn<T extends NumberArray>(memory: Memory, kind: ArrayKind<T>, length: number): T {
  return new kind(memory.take(length * kind.BYTES_PER_ELEMENT), 0, length);
}

/** An array of a length that begins with the elements of another one. */
export function copyIn<T extends NumberArray>(memory: Memory, array: T, length = array.length): T {
  const copy = arrayIn(memory, array.constructor as ArrayKind<T>, length);
  copy.set(array);
  return copy;
}

/** Whether both are the same part of the same memory. */
export function isSame(a: NumberArray, b: NumberArray): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length;
}
