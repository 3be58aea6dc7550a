import type pg from 'pg';
import type { Tier } from '../rate-limit/tiers.ts';

/** The data of a stored key that verification needs. Revoked keys have no record. */
export interface KeyRecord {
  /** The SHA-256 of the key in lower-case hex. */
  readonly hash: string;
  readonly id: string;
  /** The id of the first of its line of rotated keys, which share one budget. */
  readonly family: string;
  readonly name: string;
  readonly tier: Tier;
  readonly disabled: boolean;
  /** ms since 1970; null: never. */
  readonly expiresAt: number | null;
  /** False only for a demo key that has not been used yet. */
  readonly policyAccepted: boolean;
  /** Whether it may request only published documents over GraphQL. */
  readonly trustedOnly: boolean;
  /** For an embed key: the web pages that may use it. Empty for a secret key. */
  readonly origins: readonly string[];
}

/** Finds the records of the given hashes (lower-case hex), in any order; unknown ones are left out. */
export type KeyLookup = (hashes: readonly string[]) => Promise<readonly KeyRecord[]>;

// Uses the driver directly: this runs before anything else of a request. Not a named statement, since the
// connections of the embedded engine share one session, and with it the names of statements.
const FIND_KEYS = `SELECT encode(k."hash", 'hex') AS "hash", k."id", coalesce(k."family_id", k."id") AS "family",
    k."name", k."tier",
    k."disabled_at" IS NOT NULL OR a."disabled_at" IS NOT NULL AS "disabled",
    k."expires_at" AS "expiresAt",
    k."policy_accepted_at" IS NOT NULL AS "policyAccepted", k."trusted_only" AS "trustedOnly",
    k."origins"
  FROM "api_keys" AS k LEFT JOIN "accounts" AS a ON a."id" = k."account_id"
  WHERE k."hash" = ANY ($1::bytea[]) AND k."revoked_at" IS NULL`;

type Row = Omit<KeyRecord, 'expiresAt'> & { expiresAt: Date | null };

/** A look-up in the database, one query each. */
export function createKeyLookup(pool: Pick<pg.Pool, 'query'>): KeyLookup {
  return async (hashes) => {
    const { rows } = await pool.query<Row>(FIND_KEYS, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    return rows.map((row) => ({ ...row, expiresAt: row.expiresAt?.getTime() ?? null }));
  };
}
