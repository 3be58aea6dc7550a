/** What this needs of a connection; pg's client has it. */
interface Session {
  query(text: string): Promise<{ rows: unknown[] }>;
}

/** The schema of a table that is being filled. Whoever finds it without its maker may drop it. */
const NEXT = 'revgate_next';
/** The schema of the table whose place was taken. */
const BEFORE = 'revgate_before';

const DUPLICATE_SCHEMA = '42P06';

/** Ends what was begun and never took its place. */
export const DROP_NEXT = `DROP SCHEMA IF EXISTS ${NEXT} CASCADE`;
/** Ends what {@link beforeTable} names. */
export const DROP_BEFORE = `DROP SCHEMA IF EXISTS ${BEFORE} CASCADE`;

/** What was in a table before another took its place: for those who know only that. It may be gone. */
export function beforeTable(table: string): string {
  return `${BEFORE}.${table}`;
}

/** A table of the same shape beside another, to be filled and then to take its place. */
export interface NextTable {
  /** Its name in statements. It has all constraints and indexes, the same sequence, and no triggers. */
  readonly name: string;
  /** Takes the place, in the transaction under way. No trigger tells anybody. */
  takePlace(): Promise<void>;
  /** Drops it. To be called outside a transaction, whether it took its place or not. */
  discard(): Promise<void>;
}

/**
 * Makes a table beside another, so that many short transactions can prepare what one short transaction
 * makes visible. The embedded database needs it: its one session is everybody's.
 *
 * @param table its name in the schema `public`; its `id` has a sequence.
 * @returns undefined where that cannot be done: another is under way, or views or keys hang on the table.
 */
export async function openNextTable(session: Session, table: string): Promise<NextTable | undefined> {
  const { rows } = await session.query(
    `SELECT FROM pg_namespace WHERE nspname = '${NEXT}'
     UNION ALL SELECT FROM pg_constraint WHERE confrelid = 'public.${table}'::regclass
     UNION ALL SELECT FROM pg_inherits WHERE 'public.${table}'::regclass IN (inhrelid, inhparent)
     UNION ALL SELECT FROM pg_depend WHERE refclassid = 'pg_class'::regclass
       AND refobjid = 'public.${table}'::regclass AND classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)`,
  );
  if (rows.length > 0) {
    return undefined;
  }
  try {
    await session.query(make(table));
  } catch (error) {
    if ((error as { code?: string }).code === DUPLICATE_SCHEMA) {
      return undefined;
    }
    throw error;
  }
  return {
    name: `${NEXT}.${table}`,
    async takePlace() {
      await session.query(exchange(table));
    },
    async discard() {
      await session.query(DROP_NEXT);
    },
  };
}

/** Constraints and indexes keep their names: in another schema they are free. */
function make(table: string): string {
  return `DO $$
    DECLARE
      statement text;
    BEGIN
      CREATE SCHEMA ${NEXT};
      CREATE TABLE ${NEXT}.${table} (LIKE public.${table} INCLUDING ALL EXCLUDING INDEXES);
      FOR statement IN
        SELECT format('ALTER TABLE ${NEXT}.${table} ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE conrelid = 'public.${table}'::regclass AND contype IN ('p', 'u', 'x')
        UNION ALL
        SELECT replace(pg_get_indexdef(indexrelid), ' ON public.${table} ', ' ON ${NEXT}.${table} ')
        FROM pg_index AS i WHERE indrelid = 'public.${table}'::regclass
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
      LOOP
        EXECUTE statement;
      END LOOP;
    END $$`;
}

function exchange(table: string): string {
  return `DO $$
    DECLARE
      sequence text := pg_get_serial_sequence('public.${table}', 'id');
      statements text[];
      statement text;
    BEGIN
      SELECT array_agg(pg_get_triggerdef(oid)) INTO statements
      FROM pg_trigger WHERE tgrelid = 'public.${table}'::regclass AND NOT tgisinternal;
      -- It would go along otherwise.
      EXECUTE format('ALTER SEQUENCE %s OWNED BY NONE', sequence);
      ${DROP_BEFORE};
      CREATE SCHEMA ${BEFORE};
      ALTER TABLE public.${table} SET SCHEMA ${BEFORE};
      ALTER TABLE ${NEXT}.${table} SET SCHEMA public;
      DROP SCHEMA ${NEXT};
      EXECUTE format('ALTER SEQUENCE %s OWNED BY public.${table}.id', sequence);
      FOREACH statement IN ARRAY coalesce(statements, '{}') LOOP
        EXECUTE statement;
      END LOOP;
    END $$`;
}
