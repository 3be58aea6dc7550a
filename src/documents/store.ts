import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** Finds published documents, mostly in memory. */
export interface DocumentStore {
  /**
   * The text of a document; null where the line of keys has published none of this hash. Answers at once
   * where memory can. Rejects when the database had to be asked and did not answer.
   *
   * @param family the first of a line of rotated keys.
   * @param hash in lower-case hex.
   */
  find(family: string, hash: string): string | null | Promise<string | null>;
  /**
   * To be called with each value of the revision of keys: a new one forgets everything.
   *
   * @param isContinuous false where what is remembered may be of another history: it is forgotten, too.
   */
  notify(revision: bigint | string, isContinuous?: boolean): void;
}

/** Texts are remembered as many as fit in this many characters. */
const CAPACITY_CHARACTERS = 20_000_000;
/** So many ids of nothing are remembered. */
const UNKNOWN_CAPACITY = 10_000;

// Not a named statement, as for keys.
const FIND_DOCUMENT = `SELECT "text" FROM "documents" WHERE "family_id" = $1 AND "hash" = $2`;

/** Creates a store over the database. What it remembers is as old as the last revision it was told of. */
export function createDocumentStore(pool: Pick<pg.Pool, 'query'>): DocumentStore {
  const known = new LRUCache<string, string>({
    maxSize: CAPACITY_CHARACTERS,
    sizeCalculation: (text, key) => text.length + key.length,
  });
  const unknown = new LRUCache<string, true>({ max: UNKNOWN_CAPACITY });
  let revision: string | undefined;
  /** How often everything was forgotten. A revision alone may come again, after a failover. */
  let generation = 0;

  async function ask(key: string, family: string, hash: string): Promise<string | null> {
    const begun = generation;
    const { rows } = await pool.query<{ text: string }>(FIND_DOCUMENT, [family, Buffer.from(hash, 'hex')]);
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

  return {
    find(family, hash) {
      const key = `${family} ${hash}`;
      return known.get(key) ?? (unknown.has(key) ? null : ask(key, family, hash));
    },
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
