/** The source of memory for the arrays of a catalogue. The memory that it provides is not cleared. */
export interface Memory {
  /** Allocates this many bytes. */
  take(bytes: number): ArrayBufferLike;
  /** Takes back memory that is no longer used. */
  give(buffers: readonly ArrayBufferLike[]): void;
}

/**
 * Memory that threads share. Released memory is reused: the garbage collector does not count shared
 * memory, and would free unused memory late.
 */
export class SharedMemory implements Memory {
  #spare: SharedArrayBuffer[] = [];

  take(bytes: number): SharedArrayBuffer {
    const at = this.#spare.findIndex(({ byteLength }) => byteLength === bytes);
    return this.#spare.splice(at, at === -1 ? 0 : 1)[0] ?? new SharedArrayBuffer(bytes);
  }

  /**
   * Takes back memory that is no longer used.
   *
   * @param most how many bytes to keep; memory that was released first is left to the garbage collector.
   */
  give(buffers: readonly ArrayBufferLike[], most = Number.POSITIVE_INFINITY): void {
    this.#spare.push(...(buffers as SharedArrayBuffer[]));
    let kept = this.#spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
    while (kept > most) {
      kept -= this.#spare.shift()?.byteLength ?? kept;
    }
  }
}

/** An array of numbers, by position. Compiled code of V8 distinguishes up to four classes of them. */
export type NumberArray = Int32Array | Uint8Array | Uint32Array | Float64Array;

/** The class of such an array. */
export interface ArrayKind<T extends NumberArray> {
  new (buffer: ArrayBufferLike, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** An array with unspecified content. */
export function arrayIn<T extends NumberArray>(memory: Memory, kind: ArrayKind<T>, length: number): T {
  return new kind(memory.take(length * kind.BYTES_PER_ELEMENT), 0, length);
}

/** An array of the given length that begins with the elements of another array. */
export function copyIn<T extends NumberArray>(memory: Memory, array: T, length = array.length): T {
  const copy = arrayIn(memory, array.constructor as ArrayKind<T>, length);
  copy.set(array);
  return copy;
}

/** Whether both are the same part of the same memory. */
export function isSame(a: NumberArray, b: NumberArray): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length;
}
