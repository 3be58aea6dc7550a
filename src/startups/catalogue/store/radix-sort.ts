const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
/** The shifts that cut a 32-bit word into digits. */
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];
/** Up to so many, clearing the counters would cost more than comparing. */
const COMPARED = 256;

const lowWordFirst = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Scratch memory for sorting, reused where much is sorted. */
export class SortScratch {
  /** The lower and the upper half of each key. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly starts = new Uint32Array(BUCKETS + 1);

  /** @param capacity the highest number of positions that it can sort. */
  constructor(capacity: number) {
    this.low = new Uint32Array(capacity);
    this.high = new Uint32Array(capacity);
    this.from = new Uint32Array(capacity);
    this.to = new Uint32Array(capacity);
  }
}

/**
 * Sorts positions by their keys; equal keys keep the order given. Time grows linearly.
 *
 * @param keys by position; none of those sorted may be NaN or -0.
 */
export function sortPositions(
  positions: Uint32Array,
  keys: Float64Array,
  descending: boolean,
  scratch?: SortScratch,
): void {
  if (positions.length <= COMPARED) {
    const sign = descending ? -1 : 1;
    // Typed arrays sort stably when given a comparison.
    positions.sort((a, b) => sign * ((keys[a] as number) - (keys[b] as number)));
    return;
  }
  const used = scratch ?? new SortScratch(positions.length);
  splitKeys(positions, keys, descending, used);
  let { from, to } = used;
  for (let at = 0; at < positions.length; at += 1) {
    from[at] = at;
  }
  for (const words of [used.low, used.high]) {
    for (const shift of SHIFTS) {
      if (distribute(words, shift, positions.length, from, to, used.starts)) {
        [from, to] = [to, from];
      }
    }
  }
  for (let at = 0; at < positions.length; at += 1) {
    to[at] = positions[from[at] as number] as number;
  }
  positions.set(to.subarray(0, positions.length));
}

/** Calls a function with each run of positions that have equal keys, among sorted ones. */
export function sortRuns(positions: Uint32Array, keys: Float64Array, sort: (run: Uint32Array) => void): void {
  for (let start = 0, end = 0; start < positions.length; start = end) {
    const key = keys[positions[start] as number];
    for (end = start + 1; end < positions.length && keys[positions[end] as number] === key; ) {
      end += 1;
    }
    sort(positions.subarray(start, end));
  }
}

/** Makes two words of each key that compare, as unsigned integers, like the numbers do. */
function splitKeys(
  positions: Uint32Array,
  keys: Float64Array,
  descending: boolean,
  { low, high }: SortScratch,
): void {
  const bits = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2);
  const [lowAt, highAt] = lowWordFirst ? [0, 1] : [1, 0];
  const turn = descending ? 0xffffffff : 0;
  for (let at = 0; at < positions.length; at += 1) {
    const pair = 2 * (positions[at] as number);
    const word = bits[pair + highAt] as number;
    // IEEE 754: for a negative number all bits are inverted, for any other only the sign bit.
    const sign = word >> 31;
    high[at] = word ^ (sign | 0x80000000) ^ turn;
    low[at] = (bits[pair + lowAt] as number) ^ sign ^ turn;
  }
}

/** One stable pass by one digit; false if all digits are equal and nothing has to move. */
function distribute(
  words: Uint32Array,
  shift: number,
  length: number,
  from: Uint32Array,
  to: Uint32Array,
  starts: Uint32Array,
): boolean {
  starts.fill(0);
  for (let at = 0; at < length; at += 1) {
    const bucket = (((words[at] as number) >>> shift) & (BUCKETS - 1)) + 1;
    starts[bucket] = (starts[bucket] as number) + 1;
  }
  for (let bucket = 1; bucket <= BUCKETS; bucket += 1) {
    if (starts[bucket] === length) {
      return false;
    }
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  }
  for (let at = 0; at < length; at += 1) {
    const item = from[at] as number;
    const bucket = ((words[item] as number) >>> shift) & (BUCKETS - 1);
    const place = starts[bucket] as number;
    to[place] = item;
    starts[bucket] = place + 1;
  }
  return true;
}
