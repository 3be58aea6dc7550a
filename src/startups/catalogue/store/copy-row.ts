/** PostgreSQL counts microseconds since 2000. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** Reads the fields of a binary COPY row in the selected order. */
export class CopyRow {
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  #end = 0;

  /** The memory that contains the row. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Where the field that {@link text} found begins in {@link bytes}. */
  start = 0;
  /** Where it ends. */
  end = 0;

  /** The number of bytes left. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** Starts reading these bytes. */
  set({ buffer, byteOffset, length }: Buffer): void {
    // Most messages share one buffer, and creating views costs more than reading a row.
    if (this.bytes.buffer !== buffer) {
      this.#view = new DataView(buffer);
      this.bytes = new Uint8Array(buffer);
    }
    this.#at = byteOffset;
    this.#end = byteOffset + length;
  }

  skip(count: number): void {
    this.#at += count;
  }

  int16(): number {
    this.#at += 2;
    return this.#view.getInt16(this.#at - 2);
  }

  // Each field begins with its length in four bytes, which is -1 for null.

  /** A field of type integer that is not null. */
  integer(): number {
    this.#at += 8;
    return this.#view.getInt32(this.#at - 4);
  }

  /** A field of type boolean that is not null: 0 or 1. */
  boolean(): number {
    this.#at += 5;
    return this.bytes[this.#at - 1] as number;
  }

  /** A field of type integer, NaN for null. */
  count(): number {
    return this.#isNull() ? Number.NaN : this.integer();
  }

  /** A field of type bigint, as a number that is exact up to 2^53; NaN for null. */
  bigint(): number {
    if (this.#isNull()) {
      return Number.NaN;
    }
    this.#at += 12;
    return this.#view.getInt32(this.#at - 8) * 2 ** 32 + this.#view.getUint32(this.#at - 4);
  }

  /** A field of type timestamptz, in ms since 1970; NaN for null. */
  timestamp(): number {
    return this.bigint() / 1000 + POSTGRES_EPOCH_MS;
  }

  /** A field of type double precision; NaN for null, 0 for -0. */
  double(): number {
    if (this.#isNull()) {
      return Number.NaN;
    }
    this.#at += 12;
    return this.#view.getFloat64(this.#at - 8) + 0;
  }

  /** A field of type text: sets {@link start} and {@link end}. Returns its length in bytes; -1 for null. */
  text(): number {
    const length = this.#view.getInt32(this.#at);
    this.start = this.#at + 4;
    this.#at = this.start + Math.max(length, 0);
    this.end = this.#at;
    return length;
  }

  /** Skips the current field if it is null. */
  #isNull(): boolean {
    const isNull = this.#view.getInt32(this.#at) === -1;
    this.#at += isNull ? 4 : 0;
    return isNull;
  }
}
