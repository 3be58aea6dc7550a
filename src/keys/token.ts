import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type RandomBytes, randomBase62, toBase62 } from './base62.ts';

/** What every key begins with. */
export const KEY_PREFIX = 'rvg_';

const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TOKEN_LENGTH = KEY_PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH;
const DISPLAY_LENGTH = 8;
const SCHEME = 'bearer ';
const TOKEN_SHAPE = /^rvg_[0-9A-Za-z]{38}$/;

/** Makes a new key: `rvg_`, 32 random base62 characters, and the CRC-32 of those 32 in 6 base62 digits. */
export function generateToken(randomBytes: RandomBytes): string {
  const secret = randomBase62(SECRET_LENGTH, randomBytes);
  return KEY_PREFIX + secret + checksum(secret);
}

/**
 * Whether a text has a key's shape and its checksum holds, which tells typos without a look-up.
 * Anyone can compute a checksum: this says nothing about the key being known.
 */
export function isWellFormed(token: string): boolean {
  if (token.length !== TOKEN_LENGTH || !TOKEN_SHAPE.test(token)) {
    return false;
  }
  const end = KEY_PREFIX.length + SECRET_LENGTH;
  return token.slice(end) === checksum(token.slice(KEY_PREFIX.length, end));
}

/**
 * The SHA-256 of a key: all that is ever stored of it. A slow hash would protect nothing here,
 * since the secret part is random and longer than any search.
 */
export function hashToken(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest() as Buffer<ArrayBuffer>;
}

/** The first 8 characters of a key, by which its holder recognises it. */
export function displayPrefix(token: string): string {
  return token.slice(0, DISPLAY_LENGTH);
}

/**
 * Reads the key from the value of an Authorization header.
 *
 * @returns undefined unless the value is exactly `Bearer`, in any case, one space and a well-formed
 * key. The length is looked at first, so a huge value costs nothing.
 */
export function parseBearer(header: string | null | undefined): string | undefined {
  if (header?.length !== SCHEME.length + TOKEN_LENGTH) {
    return undefined;
  }
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) {
    return undefined;
  }
  const token = header.slice(SCHEME.length);
  return isWellFormed(token) ? token : undefined;
}

function checksum(secret: string): string {
  return toBase62(crc32(secret), CHECKSUM_LENGTH);
}
