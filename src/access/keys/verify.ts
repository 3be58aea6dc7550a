import type pg from 'pg';
import { keySubject, type Subject } from '../limits/subject.ts';
import type { KeyLimit } from '../limits/tiers.ts';
import { isEmbedKey } from './key.ts';
import { createRevisionCache } from './revision-cache.ts';
import { hashTokenHex, isWellFormed } from './token.ts';

/** The data of a stored key that verification needs. Revoked keys have no record. */
export interface KeyRecord extends KeyLimit {
  /** The SHA-256 of the key in lower-case hex. */
  readonly hash: string;
  readonly id: string;
  /** The id of the first key of its family: a key and those that replaced it, which share one budget. */
  readonly family: string;
  readonly name: string;
  readonly disabled: boolean;
  /** Why the key, or else its account, is disabled. */
  readonly disabledReason: string | null;
  /** ms since 1970; null: never. */
  readonly expiresAt: number | null;
  /** False only for a demo key that has not been used yet. */
  readonly policyAccepted: boolean;
  readonly trustedOnly: boolean;
  /** For an embed key: the web pages that may use it. Empty for a secret key. */
  readonly origins: readonly string[];
  readonly snapshot: boolean;
}

/** Finds the records of the given hashes (lower-case hex), in any order; unknown ones are left out. */
type KeyLookup = (hashes: readonly string[]) => Promise<readonly KeyRecord[]>;

// Uses the driver directly: this runs before anything else of a request. Not a named statement, since the
// connections of the embedded engine share one session, and with it the names of statements.
const FIND_KEYS = `SELECT encode(k."hash", 'hex') AS "hash", k."id", coalesce(k."family_id", k."id") AS "family",
    k."name", k."tier", k."rate_limit" AS "rateLimit",
    k."disabled_at" IS NOT NULL OR a."disabled_at" IS NOT NULL AS "disabled",
    coalesce(k."disabled_reason", a."disabled_reason") AS "disabledReason",
    k."expires_at" AS "expiresAt",
    k."policy_accepted_at" IS NOT NULL AS "policyAccepted", k."trusted_only" AS "trustedOnly",
    k."origins", k."snapshot"
  FROM "api_keys" AS k LEFT JOIN "accounts" AS a ON a."id" = k."account_id"
  WHERE k."hash" = ANY ($1::bytea[]) AND k."revoked_at" IS NULL`;

type Row = Omit<KeyRecord, 'expiresAt'> & { expiresAt: Date | null };

export function createKeyLookup(pool: Pick<pg.Pool, 'query'>): KeyLookup {
  return async (hashes) => {
    const { rows } = await pool.query<Row>(FIND_KEYS, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    return rows.map((row) => ({ ...row, expiresAt: row.expiresAt?.getTime() ?? null }));
  };
}

/** The key of a request. A disabled key is known, but may not be used. */
export type VerifiedKey = Readonly<Omit<KeyRecord, 'hash' | 'disabled' | 'expiresAt' | 'policyAccepted'>> & {
  readonly state: 'active' | 'disabled';
  /** The budget of its requests; those of an embed key have one for each client. */
  readonly subject: Subject;
  readonly isEmbed: boolean;
};

export type KeyVerifier = ReturnType<typeof createKeyVerifier>;

export interface KeyVerifierOptions {
  readonly lookup: KeyLookup;
  /** The time, in ms since 1970, for when keys expire. */
  readonly now: () => number;
  /** ms of a monotonic clock, for everything else. */
  readonly monotonic: () => number;
  /** How long a key that was seen valid is accepted while the database does not answer, in ms. */
  readonly graceMs: number;
  /**
   * Called at the first use of a key whose holder has not accepted the policy yet (the demo key);
   * the request does not wait. Called again at a later use if it rejects.
   */
  readonly onFirstUse?: ((id: string) => Promise<void>) | undefined;
}

/** What is cached of a key, so that it is made once. */
interface KnownKey {
  readonly record: KeyRecord;
  readonly key: VerifiedKey;
}

function toKnown(record: KeyRecord): KnownKey {
  const { hash: _hash, disabled, expiresAt: _expiresAt, policyAccepted: _accepted, ...shown } = record;
  const state = disabled ? 'disabled' : 'active';
  const subject = keySubject({ ...shown, state });
  return { record, key: { ...shown, state, subject, isEmbed: isEmbedKey(record) } };
}

const CAPACITY = 10_000;

export function createKeyVerifier({ lookup, now, monotonic, graceMs, onFirstUse }: KeyVerifierOptions) {
  const cache = createRevisionCache<KnownKey>({
    lookup: async (hashes) => new Map((await lookup(hashes)).map((record) => [record.hash, toKnown(record)])),
    batchSize: 500,
    known: { max: CAPACITY },
    mostUnknown: CAPACITY,
    grace: { ms: graceMs, monotonic },
  });
  const firstUses = new Set<string>();

  function admit({ record, key }: KnownKey): VerifiedKey | null {
    if (record.expiresAt !== null && record.expiresAt <= now()) {
      return null;
    }
    if (!record.policyAccepted && !record.disabled) {
      noteFirstUse(record.id);
    }
    return key;
  }

  function noteFirstUse(id: string): void {
    if (onFirstUse === undefined || firstUses.has(id)) {
      return;
    }
    firstUses.add(id);
    onFirstUse(id).catch(() => firstUses.delete(id));
  }

  async function find(hash: string): Promise<VerifiedKey | null> {
    const found = await cache.find(hash);
    return found && admit(found);
  }

  return {
    /**
     * The record of a key; null for one that is unknown, revoked or expired, or has an invalid checksum. Answers at once
     * from memory if possible. Rejects if the database had to be queried and did not answer.
     */
    verify(token: string): VerifiedKey | null | Promise<VerifiedKey | null> {
      const hash = hashTokenHex(token);
      const known = cache.get(hash);
      if (known) {
        return admit(known);
      }
      return known === null || !isWellFormed(token) ? null : find(hash);
    },
    /** See {@link createRevisionCache}: for each poll of the revision of keys, and before one of another history. */
    notify: cache.notify,
    reset: cache.reset,
    get size(): number {
      return cache.size;
    },
  };
}
