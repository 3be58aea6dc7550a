import { type DocumentNode, Kind, visit } from 'graphql';

/** The field of a startup that reads the database, wherever a startup is. */
export const HISTORY_FIELD = 'history';

/** Fields that read the database; all others read the catalogue in memory. No other field has such a name. */
const DATABASE_FIELDS: ReadonlySet<string> = new Set([HISTORY_FIELD, 'market']);

const known = new WeakMap<DocumentNode, boolean>();

/** Whether a document has a field that reads the database. Found once for each parsed document. */
export function readsDatabase(document: DocumentNode): boolean {
  let found = known.get(document);
  if (found === undefined) {
    found = false;
    visit(document, {
      enter(node) {
        found ||= node.kind === Kind.FIELD && DATABASE_FIELDS.has(node.name.value);
      },
    });
    known.set(document, found);
  }
  return found;
}
