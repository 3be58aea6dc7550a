import { randomBytes } from 'node:crypto';
import { begin, type DatabaseKind, SERVER_SETTINGS, setLocally } from '../../db/transaction.ts';
import type { StartupFieldKind } from '../model/field-kinds.ts';
import type { ColumnField, OwnImportField } from '../model/fields.ts';
import { OWN, type OwnField, type OwnValue, toOwnValue } from '../model/own-fields.ts';
import type { Given, StartupRow } from '../model/stored-value.ts';

/** What an import needs of a database connection, which must be one session throughout; pg's client has it. */
export interface ImportClient {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/** The progress of an import. */
export interface ImportProgress {
  phase: 'validating' | 'applying' | 'calculating';
  /** Records read while validating, records written while applying, days of the market while calculating. */
  records: number;
  /** The number of records to write, or of days to calculate; undefined while validating. */
  totalRecords?: number | undefined;
  rejected: number;
}

/** One record on its way into the staging table. */
export interface StagedRecord {
  /** Index among all records of the import, from 0. */
  ordinal: number;
  /** Which input it came from, from 0. */
  input: number;
  line: number;
  slug: string;
  /** Undefined for a rejected record, of which only the slug counts. */
  row: StartupRow | undefined;
  /** Of an update in part, which fields the record has. */
  given?: Given | undefined;
}

/** What a record of an update in part lacks. */
export interface Lacking {
  /** Whether no startup has its slug. */
  readonly isNew: boolean;
  /** Of required fields. */
  readonly paths: readonly string[];
}

/**
 * Temporary tables, invisible to others, that hold an import until it is applied.
 *
 * On a server they belong to the transaction of the import, which takes no lock before it is applied: nothing remains
 * of an import that was killed, even if a pooler shares the connection. In the embedded engine's only session, a
 * transaction would block everybody while the input is read; there the tables disappear with the connection.
 */
export type Staging = Awaited<ReturnType<typeof openStaging>>;

/** Of the kinds that are not text. */
const sqlTypes: Readonly<Partial<Record<StartupFieldKind, string>>> = {
  date: 'timestamptz(3)',
  texts: 'text[]',
  handles: 'text[]',
  cents: 'bigint',
  count: 'integer',
  percent: 'double precision',
  ratio: 'double precision',
  boolean: 'boolean',
};

/** What is known of each record beside its fields. */
const recordColumns: readonly (readonly [name: string, type: string])[] = [
  ['ordinal', 'integer'],
  ['input', 'integer'],
  ['line', 'bigint'],
  ['rejected', 'boolean'],
  ['given', 'bigint'],
];

/** The records of one statement: about 30 ms of the embedded engine's time, for which all other connections wait. */
const RUN_LENGTH = 1_000;

/** How long a transaction may wait for more input. */
const INPUT_PATIENCE = '1h';

/** The object of the values of declared fields, which is one column; and what of it an update in part sets. */
const ownColumns: readonly (readonly [name: string, type: string])[] = [
  [OWN, 'jsonb'],
  ['set_own', 'jsonb'],
];

/** The fields of the records of an import. */
interface StagedFields {
  /** Those that have a column of their own. */
  readonly columns: readonly ColumnField[];
  /** Those that an operator has declared. */
  readonly own: readonly OwnImportField[];
  /** Those of them that the import declares. */
  readonly added: readonly OwnField[];
  /** Where the value of each is in a record, by its path. */
  readonly indexes: ReadonlyMap<string, number>;
}

/** Creates the temporary tables of one import. */
export async function openStaging(
  client: ImportClient,
  kind: DatabaseKind,
  fields: StagedFields,
  runLength = RUN_LENGTH,
) {
  const { columns: filled, own, added, indexes } = fields;
  const hasOwn = own.length > 0;
  const columns = [
    ...recordColumns,
    ...filled.map((field) => [field.column, sqlTypes[field.kind] ?? 'text'] as const),
    ...(hasOwn ? ownColumns : []),
  ];
  const at = filled.map(({ path }) => indexes.get(path) as number);
  const ownAt = own.map((field) => [field, indexes.get(field.path) as number] as const);
  /** The values of a rejected record, of which only the slug counts. */
  const onlySlug = (slug: string): unknown[] => filled.map(({ path }) => (path === 'slug' ? slug : null));
  /** The values of some declared fields, null for those that are unknown; without any, there is no object. */
  const ownOf = (row: StartupRow, has: (index: number) => boolean): object | null => {
    const members = ownAt.flatMap(([field, index]): [string, OwnValue | null][] => {
      const value = row[index] ?? null;
      return has(index) ? [[field.own.name, value === null ? null : toOwnValue(field.own, value)]] : [];
    });
    return members.length === 0 ? null : Object.fromEntries(members);
  };
  const toArray = ({ ordinal, input, line, slug, row, given }: StagedRecord): unknown[] => {
    const set =
      given === undefined ? 0 : at.reduce((sum, index, bit) => sum + (given[index] ? 2 ** bit : 0), 0);
    const known = [ordinal, input, line, row === undefined, set];
    if (row === undefined) {
      return [...known, ...onlySlug(slug)];
    }
    return !hasOwn
      ? [...known, ...row]
      : [
          ...known,
          ...at.map((index) => row[index]),
          ownOf(row, (index) => (row[index] ?? null) !== null),
          given === undefined ? null : ownOf(row, (index) => given[index] === true),
        ];
  };
  const isServer = kind === 'server';
  if (isServer) {
    await begin(client, kind, '', INPUT_PATIENCE);
  }
  const end = isServer ? 'ON COMMIT DROP' : '';
  // Unique, because the connections of an embedded database share one session.
  const records = `import_${randomBytes(8).toString('hex')}`;
  const plan = `${records}_plan`;
  await client.query(`
    CREATE TEMP TABLE ${records} (${columns.map(([name, type]) => `"${name}" ${type}`).join(', ')}, completed boolean) ${end};
    CREATE UNIQUE INDEX ON ${records} (ordinal);
    -- Plain byte order, several times faster than a language's; only equality counts here.
    CREATE UNIQUE INDEX ON ${records} (slug COLLATE "C");
    CREATE TEMP TABLE ${plan} (
      ordinal integer PRIMARY KEY, id integer, returning_id integer, point_only boolean, until date, is_confirmed boolean, price bigint
    ) ${end};
  `);
  // Indexes in a JSON array: several times faster than named members, and one parameter for all rows.
  const insert = `
    INSERT INTO ${records}
    SELECT ${columns.map(([, type], index) => (type === 'jsonb' ? `nullif(r -> ${index}, 'null')` : `(r ->> ${index})::${type}`)).join(', ')}
    FROM jsonb_array_elements($1::jsonb) AS r
    ON CONFLICT (slug COLLATE "C") DO NOTHING`;
  const findRepeated = `
    SELECT n.ordinal, f.input, f.line::float8 AS line
    FROM unnest($1::integer[], $2::text[]) AS n (ordinal, slug)
    JOIN ${records} AS f ON f.slug COLLATE "C" = n.slug COLLATE "C" AND f.ordinal <> n.ordinal
    ORDER BY n.ordinal`;
  return {
    /** Those that have a column, in the order of the bits of `given`. */
    fields: filled,
    /** Those that an operator has declared: their values are the last column, if there are any. */
    own,
    /** Those of them that the import declares. */
    added,
    /** The columns that a record fills, in the same order. */
    columnNames: [...columnsOf(filled), ...(hasOwn ? [`"${OWN}"`] : [])],
    /**
     * The records: `ordinal`, `input`, `line`, `rejected` and the columns of `startups`; of an update in part also which of
     * these are `given`, what it has of `own` as `set_own`, and whether the record is `completed` by the others.
     */
    records,
    /**
     * What is to be done: `ordinal`, the `id` of the startup to change or null for a new one, or for a removed one that returns,
     * which is `returning_id`, and `point_only`. As of a past
     * day also `until` when, which is the day of an import of the values before it if `is_confirmed`, and the asking
     * `price` that the day had.
     */
    plan,
    /** How many records one statement adds, compares or writes. */
    runLength,
    /** Begins the transaction that applies, where it has not begun yet. */
    async begin(): Promise<void> {
      await (isServer ? client.query(setLocally(SERVER_SETTINGS)) : begin(client, kind));
    },
    /** Adds records; returns, by ordinal, the first record of the slug of each that repeats one and so is left out. */
    async add(staged: readonly StagedRecord[]): Promise<Map<number, Pick<StagedRecord, 'input' | 'line'>>> {
      const { rowCount } = await client.query(insert, [JSON.stringify(staged.map(toArray))]);
      if (rowCount === staged.length) {
        return new Map();
      }
      const { rows } = await client.query(findRepeated, [
        staged.map(({ ordinal }) => ordinal),
        staged.map(({ slug }) => slug),
      ]);
      return new Map((rows as unknown as StagedRecord[]).map((row) => [row.ordinal, row]));
    },
    /** Marks records as rejected that turned out to be invalid when they were staged. */
    async reject(ordinals: readonly number[]): Promise<void> {
      await client.query(`UPDATE ${records} SET rejected = true WHERE ordinal = ANY ($1::integer[])`, [
        ordinals,
      ]);
    },
    async close(): Promise<void> {
      await client.query(isServer ? 'ROLLBACK' : `DROP TABLE IF EXISTS pg_temp.${plan}, pg_temp.${records}`);
    },
  };
}

/** The columns of fields, for SQL. */
export const columnsOf = (fields: readonly ColumnField[]): string[] =>
  fields.map(({ column }) => `"${column}"`);

/** Columns of an alias, for SQL. */
export function qualify(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}

/** The condition, on `startups AS t`, for a startup that is missing from the input. A rejected record is not missing. */
export function isLacking(staging: Staging): string {
  return `NOT t.sample AND NOT EXISTS (SELECT FROM ${staging.records} AS s WHERE s.slug = t.slug)`;
}

/**
 * The staged records of one run that are in the plan, as `p` and `s`; `$1` is the first ordinal of the run, `$2` that
 * of the next one. Both ranges are stated so that both indexes are used.
 */
export function fromRun({ plan, records }: Staging, join = ''): string {
  return `${plan} AS p JOIN ${records} AS s ON s.ordinal = p.ordinal ${join}
    WHERE p.ordinal >= $1 AND p.ordinal < $2 AND s.ordinal >= $1 AND s.ordinal < $2`;
}
