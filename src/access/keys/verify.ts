import { LRUCache } from 'lru-cache';
import { keySubject, type Subject } from '../limits/subject.ts';
import { isEmbedKey } from './key.ts';
import { createLookupQueue, type KeyLookup, type KeyRecord } from './lookup.ts';
import { hashTokenHex, isWellFormed } from './token.ts';

/** The key of a request. A disabled key is known, but may not be used. */
export type VerifiedKey = Readonly<
  Pick<
    KeyRecord,
    | 'id'
    | 'family'
    | 'name'
    | 'tier'
    | 'rateLimit'
    | 'disabledReason'
    | 'trustedOnly'
    | 'origins'
    | 'snapshot'
  >
> & {
  readonly state: 'active' | 'disabled';
  /** The budget of its requests; those of an embed key have one for each client. */
  readonly subject: Subject;
  readonly isEmbed: boolean;
};

/** Verifies keys, mostly from memory. */
export interface KeyVerifier {
  /**
   * The record of a key; null for one that is unknown, revoked or expired, or has an invalid checksum. Answers at once
   * from memory if possible. Rejects if the database had to be queried and did not answer.
   */
  verify(token: string): VerifiedKey | null | Promise<VerifiedKey | null>;
  /**
   * Call this with each result of polling the row "keys" of the table revisions, a few times a
   * second. After a new value, every key is looked up again before its next use; the same value
   * confirms the cached keys.
   *
   * @param isContinuous false if cached keys may belong to another history: they are looked up again, too.
   */
  notify(revision: bigint | string, isContinuous?: boolean): void;
  /** The number of cached keys, known and unknown. */
  readonly size: number;
}

/** The dependencies of a verifier. */
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
  /** How many known and how many unknown keys to cache. */
  readonly capacity?: number | undefined;
}

/** The time without a poll's answer after which the database counts as not answering. */
export const SILENCE_MS = 2_000;

const CAPACITY = 10_000;
const BATCH_SIZE = 500;
// Well-formed unknown keys cost nothing to create: at most 100 queries a second, however many arrive.
const SPACING_MS = 10;
const ATTEMPTS = 5;

interface Entry {
  readonly record: KeyRecord;
  readonly key: VerifiedKey;
  /** The generation whose look-up found it. */
  readonly generation: number;
  /** ms; the time at which the database confirmed it as valid. */
  seenAt: number;
}

/**
 * Creates a verifier. Each change of the stored keys begins a generation: a record found in an earlier
 * one, or by a look-up that began in one, is not used while the database answers. All cached
 * keys are then looked up again in the background, so that a revocation also applies to a key that is
 * first used again after the database has failed.
 */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const { lookup, now, monotonic, graceMs, onFirstUse, capacity = CAPACITY } = options;
  const known = new LRUCache<string, Entry>({ max: capacity });
  // No entry of these is used after its generation.
  const unknown = new LRUCache<string, true>({ max: capacity });
  const queue = createLookupQueue(lookup, { size: BATCH_SIZE, spacing: SPACING_MS });
  const firstUses = new Set<string>();
  let revision: string | undefined;
  let generation = 0;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let stale = false;
  let refreshing = false;

  function isTrusted(entry: Entry): boolean {
    const at = monotonic();
    if (entry.generation === generation) {
      return at - Math.max(entry.seenAt, confirmedAt) <= graceMs;
    }
    return at - confirmedAt > SILENCE_MS && at - entry.seenAt <= graceMs;
  }

  function admit({ record, key }: Entry): VerifiedKey | null {
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

  function remember(hash: string, record: KeyRecord | null, seenAt: number): Entry | null {
    if (record === null) {
      known.delete(hash);
      unknown.set(hash, true);
      return null;
    }
    const { id, family, name, tier, rateLimit, disabled, disabledReason, trustedOnly, origins, snapshot } =
      record;
    const state = disabled ? 'disabled' : 'active';
    const subject = keySubject({ family, tier, rateLimit, state });
    const key: VerifiedKey = {
      id,
      family,
      name,
      tier,
      rateLimit,
      state,
      disabledReason,
      trustedOnly,
      origins,
      snapshot,
      subject,
      isEmbed: isEmbedKey(record),
    };
    const entry: Entry = { record, key, generation, seenAt };
    known.set(hash, entry);
    return entry;
  }

  async function find(hash: string): Promise<VerifiedKey | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const begun = generation;
      const seenAt = monotonic();
      let record: KeyRecord | null;
      try {
        record = (await queue.find(hash)) ?? null;
      } catch (error) {
        const entry = known.get(hash);
        if (entry !== undefined && isTrusted(entry)) {
          return admit(entry);
        }
        throw error;
      }
      // Otherwise the keys changed meanwhile, and this answer may be older than the change.
      if (begun === generation) {
        const entry = remember(hash, record, seenAt);
        return entry === null ? null : admit(entry);
      }
    }
    throw new Error('The keys changed during every look-up of this one.');
  }

  async function refresh(): Promise<void> {
    if (refreshing) {
      return;
    }
    refreshing = true;
    try {
      while (stale) {
        await refreshOnce();
      }
    } catch {
      // The next successful poll retries. Until then each use looks its key up.
    } finally {
      refreshing = false;
    }
  }

  async function refreshOnce(): Promise<void> {
    const begun = generation;
    const hashes = [...known.entries()]
      .filter(([, entry]) => entry.generation !== begun)
      .map(([hash]) => hash);
    for (let start = 0; start < hashes.length; start += BATCH_SIZE) {
      const chunk = hashes.slice(start, start + BATCH_SIZE);
      const seenAt = monotonic();
      const records = new Map((await lookup(chunk)).map((record) => [record.hash, record]));
      if (begun !== generation) {
        return;
      }
      for (const hash of chunk) {
        remember(hash, records.get(hash) ?? null, seenAt);
      }
    }
    stale = false;
  }

  function beginGeneration(): void {
    for (const entry of known.values()) {
      if (entry.generation === generation) {
        entry.seenAt = Math.max(entry.seenAt, confirmedAt);
      }
    }
    generation += 1;
    stale = true;
    unknown.clear();
    queue.forget();
  }

  return {
    verify(token) {
      const hash = hashTokenHex(token);
      const entry = known.get(hash);
      if (entry !== undefined && isTrusted(entry)) {
        return admit(entry);
      }
      return unknown.get(hash) === true || !isWellFormed(token) ? null : find(hash);
    },
    notify(value, isContinuous = true) {
      const polled = String(value);
      if (polled !== revision || !isContinuous) {
        revision = polled;
        beginGeneration();
      }
      confirmedAt = monotonic();
      if (stale) {
        void refresh();
      }
    },
    get size() {
      return known.size + unknown.size;
    },
  };
}
