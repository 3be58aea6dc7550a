import { createHash } from 'node:crypto';

/** Identifies an email address in counters without storing it. */
export function addressDigest(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22);
}
