import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type RandomBytes, randomBase62, toBase62 } from '../../lib/text/base62.ts';

/** The prefixes of keys: secret ones, those that web pages show to everyone, and an operator's tokens, which are no API keys. */
export const keyPrefixes = { secret: 'rvg_', embed: 'rvg_pub_', operator: 'rvg_op_' } as const;

const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TAIL_LENGTH = SECRET_LENGTH + CHECKSUM_LENGTH;
const DISPLAY_LENGTH = 4;
const SCHEME = /^bearer +$/i;
/** The longest header that can have a key, with some spaces to spare. */
const MOST_BEARER = 200;
const OPERATOR_BEARER = /^bearer +(rvg_op_([0-9A-Za-z]{32})([0-9A-Za-z]{6}))$/i;
const TOKEN_SHAPE = /^rvg_(?:pub_)?[0-9A-Za-z]{38}$/;

/** Creates a new key: its prefix, 32 random base62 characters, and the CRC-32 of those 32 in 6 base62 digits. */
export function generateToken(randomBytes: RandomBytes, kind: keyof typeof keyPrefixes = 'secret'): string {
  const secret = randomBase62(SECRET_LENGTH, randomBytes);
  return keyPrefixes[kind] + secret + checksum(secret);
}

/**
 * Whether a text has the format of a key and a valid checksum, which detects typos without a query.
 * Anyone can compute a checksum: a valid one does not mean that the key is known.
 */
export function isWellFormed(token: string): boolean {
  if (!TOKEN_SHAPE.test(token)) {
    return false;
  }
  return token.slice(-CHECKSUM_LENGTH) === checksum(token.slice(-TAIL_LENGTH, -CHECKSUM_LENGTH));
}

/**
 * The SHA-256 of a key, the only form in which it is stored. A slow hash would not improve security,
 * since the secret part is random and too long for any search.
 */
export function hashToken(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(hashTokenHex(token), 'hex');
}

/** The same in lower-case hexadecimal digits. */
export function hashTokenHex(token: string): string {
  return hash('sha256', token, 'hex');
}

/** The beginning of a key, by which its holder recognises it: its prefix and 4 characters. */
export function displayPrefix(token: string): string {
  return token.slice(0, DISPLAY_LENGTH - TAIL_LENGTH);
}

/**
 * Reads the key from the value of an Authorization header.
 *
 * @returns undefined unless the value is `Bearer`, in any case, one space or more (RFC 9110) and a text with the format
 * of a key, whose checksum is not read: a known key has a valid one. The length is checked first, so a huge value costs
 * nothing.
 */
export function parseBearer(header: string | null | undefined): string | undefined {
  if (!header || header.length > MOST_BEARER) {
    return undefined;
  }
  const at = header.lastIndexOf(' ') + 1;
  const token = header.slice(at);
  return SCHEME.test(header.slice(0, at)) && TOKEN_SHAPE.test(token) ? token : undefined;
}

/** The same for the token of an operator, which is no key. */
export function parseOperatorBearer(header: string | undefined): string | undefined {
  const [, token, secret = '', sum] = OPERATOR_BEARER.exec(header ?? '') ?? [];
  return sum === checksum(secret) ? token : undefined;
}

/** A path without the keys in it, which a client may send there by mistake, even percent-encoded, once or repeatedly. */
export function hideKeys(path: string): string {
  if (!path.includes('%') && !path.includes(keyPrefixes.secret)) {
    return path;
  }
  const decoded = path.replace(/%(?:25)*([0-7][\da-f])/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const hidden = decoded.replace(/(rvg_(?:pub_|op_)?)[0-9A-Za-z]{16,}/g, '$1…');
  return hidden === decoded ? path : hidden;
}

function checksum(secret: string): string {
  return toBase62(crc32(secret), CHECKSUM_LENGTH);
}
