import type pg from 'pg';
import { createRevisionCache } from '../revision-cache.ts';

interface StoredDocument {
  /** The id of the first key of its family, and its hash. */
  readonly name: string;
  readonly text: string;
  readonly feed: boolean;
}

// Not a named statement, as for keys.
const FIND = `SELECT concat(family_id, ' ', encode(hash, 'hex')) AS name, text, feed FROM documents
  WHERE (family_id, hash) IN (SELECT * FROM unnest($1::text[], $2::bytea[]))`;

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/** Creates a store over the database. Its cache is as old as the last reported revision. */
export function createDocumentStore(pool: Pick<pg.Pool, 'query'>) {
  const cache = createRevisionCache<StoredDocument>({
    async lookup(names) {
      const parts = names.map((name) => name.split(' '));
      const { rows } = await pool.query<StoredDocument>(FIND, [
        parts.map(([family]) => family),
        parts.map(([, hash = '']) => Buffer.from(hash, 'hex')),
      ]);
      return new Map(rows.map((row) => [row.name, row]));
    },
    // A document may have 100 kB.
    batchSize: 20,
    // As many as fit in this many characters.
    known: { maxSize: 20_000_000, sizeCalculation: ({ value }, name) => value.text.length + name.length },
    mostUnknown: 10_000,
  });

  const find = (
    family: string,
    hash: string,
    textOf = (found: StoredDocument | null): string | null => found?.text ?? null,
  ): string | null | Promise<string | null> => {
    const name = `${family} ${hash}`;
    const known = cache.get(name);
    return known === undefined ? cache.find(name).then(textOf) : textOf(known);
  };

  return {
    /**
     * The text of a document; null if the family of keys has not published this hash. Answers at once from memory
     * if possible. Rejects if the database had to be queried and did not answer.
     *
     * @param family the id of its first key.
     * @param hash in lower-case hex.
     */
    find: (family: string, hash: string) => find(family, hash),
    /** The same, of a document that has a feed. */
    findFeed: (family: string, hash: string) =>
      find(family, hash, (found) => (found?.feed ? found.text : null)),
    /** See {@link createRevisionCache}: for each poll of the revision of keys, and before one of another history. */
    notify: cache.notify,
    reset: cache.reset,
  };
}
