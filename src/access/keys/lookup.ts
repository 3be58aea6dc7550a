import type pg from 'pg';
import type { KeyLimit } from '../limits/tiers.ts';

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
  /** Whether it may request only published documents over GraphQL. */
  readonly trustedOnly: boolean;
  /** For an embed key: the web pages that may use it. Empty for a secret key. */
  readonly origins: readonly string[];
  /** Whether it may download a snapshot of all startups. */
  readonly snapshot: boolean;
}

/** Finds the records of the given hashes (lower-case hex), in any order; unknown ones are left out. */
export type KeyLookup = (hashes: readonly string[]) => Promise<readonly KeyRecord[]>;

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

/** A look-up in the database, one query each. */
export function createKeyLookup(pool: Pick<pg.Pool, 'query'>): KeyLookup {
  return async (hashes) => {
    const { rows } = await pool.query<Row>(FIND_KEYS, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    return rows.map((row) => ({ ...row, expiresAt: row.expiresAt?.getTime() ?? null }));
  };
}

interface LookupQueueOptions {
  /** The most hashes of one query. */
  readonly size: number;
  /** The minimum time between the starts of two queries, in ms. */
  readonly spacing: number;
}

/** A hash that waits for its query. */
interface Waiting {
  readonly record: Promise<KeyRecord | undefined>;
  readonly resolve: (record: KeyRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** With a slow database, queries become larger rather than more numerous. */
const CONCURRENCY = 2;

/**
 * Creates a queue of look-ups. Well-formed unknown keys cost their sender nothing, so however many arrive,
 * the database gets at most two queries at a time, and no more of them per second than their spacing allows.
 */
export function createLookupQueue(lookup: KeyLookup, { size, spacing }: LookupQueueOptions) {
  const queued = new Map<string, Waiting>();
  let running = new Map<string, Waiting>();
  let queries = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queries >= CONCURRENCY || queued.size === 0) {
      return;
    }
    isScheduled = true;
    setTimeout(start, restOfSpacing());
  }

  function start(): void {
    isScheduled = false;
    // Timers may fire early: they count from the start of their turn of the event loop, in whole ms.
    if (restOfSpacing() === 0) {
      startedAt = performance.now();
      const batch = new Map<string, Waiting>();
      for (const [hash, waiting] of queued) {
        if (batch.size === size) {
          break;
        }
        queued.delete(hash);
        batch.set(hash, waiting);
        running.set(hash, waiting);
      }
      void run(batch);
    }
    schedule();
  }

  function restOfSpacing(): number {
    return Math.max(0, startedAt + spacing - performance.now());
  }

  async function run(batch: ReadonlyMap<string, Waiting>): Promise<void> {
    queries += 1;
    try {
      const records = new Map((await lookup([...batch.keys()])).map((record) => [record.hash, record]));
      for (const [hash, { resolve }] of batch) {
        resolve(records.get(hash));
      }
    } catch (error) {
      // Those in the queue would fail too, one time-out later.
      for (const { reject } of [...batch.values(), ...queued.values()]) {
        reject(error);
      }
      queued.clear();
    } finally {
      queries -= 1;
      for (const [hash, waiting] of batch) {
        if (running.get(hash) === waiting) {
          running.delete(hash);
        }
      }
      schedule();
    }
  }

  return {
    /** Finds the record of a hash; undefined if there is none. Callers that wait for the same hash share its query. */
    find(hash: string): Promise<KeyRecord | undefined> {
      const known = running.get(hash) ?? queued.get(hash);
      if (known !== undefined) {
        return known.record;
      }
      const waiting = createWaiting();
      queued.set(hash, waiting);
      schedule();
      return waiting.record;
    },
    /** From now on, new callers do not share the result of a query that has already begun. */
    forget(): void {
      running = new Map();
    },
  };
}

function createWaiting(): Waiting {
  let resolve: Waiting['resolve'] = () => {};
  let reject: Waiting['reject'] = () => {};
  const record = new Promise<KeyRecord | undefined>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { record, resolve, reject };
}
