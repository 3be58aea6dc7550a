import { hash, timingSafeEqual } from 'node:crypto';

const DIGEST_LENGTH = 27;

/** Identifies a text: 160 bits of its SHA-256, as characters of base64url. */
export function digestOf(text: string | Buffer): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH);
}

/** Compares a received secret with the expected one, in a time that depends on neither. */
export function isSameSecret(received: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', received, 'buffer'), hash('sha256', expected, 'buffer'));
}
