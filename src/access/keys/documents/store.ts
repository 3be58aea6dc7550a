import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** Finds published documents, mostly in memory. */
export interface DocumentStore {
  /**
   * The text of a document; null if the family of keys has not published this hash. Answers at once from memory
   * if possible. Rejects if the database had to be queried and did not answer.
   *
   * @param family the id of its first key.
   * @param hash in lower-case hex.
   */
  find(family: string, hash: string): string | null | Promise<string | null>;
  /** The same, of a document that has a feed. */
  findFeed(family: string, hash: string): string | null | Promise<string | null>;
  /**
   * Call this with each value of the revision of keys: a new one clears the cache.
   *
   * @param isContinuous false if cached documents may belong to another history: the cache is cleared, too.
   */
  notify(revision: bigint | string, isContinuous?: boolean): void;
}

/** The cache holds as many texts as fit in this many characters. */
const CAPACITY_CHARACTERS = 20_000_000;
/** The most unknown ids that are cached. */
const UNKNOWN_CAPACITY = 10_000;

// Not a named statement, as for keys.
const FIND_DOCUMENT = `SELECT "text" FROM "documents" WHERE "family_id" = $1 AND "hash" = $2`;
const FIND_FEED = `${FIND_DOCUMENT} AND "feed"`;

/** Creates a store over the database. Its cache is as old as the last reported revision. */
export function createDocumentStore(pool: Pick<pg.Pool, 'query'>): DocumentStore {
  const known = new LRUCache<string, string>({
    maxSize: CAPACITY_CHARACTERS,
    sizeCalculation: (text, key) => text.length + key.length,
  });
  const unknown = new LRUCache<string, true>({ max: UNKNOWN_CAPACITY });
  let revision: string | undefined;
  /** How often the cache was cleared. A revision alone may occur again, after a failover. */
  let generation = 0;

  async function query(key: string, sql: string, family: string, hash: string): Promise<string | null> {
    const begun = generation;
    const { rows } = await pool.query<{ text: string }>(sql, [family, Buffer.from(hash, 'hex')]);
    const text = rows[0]?.text ?? null;
    // Otherwise something changed meanwhile, and this may be older than the change.
    if (begun === generation && revision !== undefined) {
      if (text === null) {
        unknown.set(key, true);
      } else {
        known.set(key, text);
      }
    }
    return text;
  }

  const find = (
    sql: string,
    family: string,
    hash: string,
    key: string,
  ): string | null | Promise<string | null> =>
    known.get(key) ?? (unknown.has(key) ? null : query(key, sql, family, hash));

  return {
    find: (family, hash) => find(FIND_DOCUMENT, family, hash, `${family} ${hash}`),
    findFeed: (family, hash) => find(FIND_FEED, family, hash, `${family} feed ${hash}`),
    notify(value, isContinuous = true) {
      const polled = String(value);
      if (polled !== revision || !isContinuous) {
        revision = polled;
        generation += 1;
        known.clear();
        unknown.clear();
      }
    },
  };
}
