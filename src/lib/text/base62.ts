/** The digits of keys and ids, lowest first. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A source of random bytes, such as node:crypto's `randomBytes`. */
export type RandomBytes = (size: number) => Uint8Array;

// The largest multiple of 62 in a byte: values from here on would favour the first digits.
const FAIR_BYTES = 248;

/** Generates `length` base62 digits, all equally likely. */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  let digits = '';
  while (digits.length < length) {
    for (const byte of randomBytes(length - digits.length)) {
      if (byte < FAIR_BYTES && digits.length < length) {
        digits += BASE62[byte % 62];
      }
    }
  }
  return digits;
}

/** Writes a non-negative integer in exactly `width` base62 digits, most significant first. */
export function toBase62(value: number, width: number): string {
  let rest = value;
  let digits = '';
  for (let place = 0; place < width; place += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
