import type { ClientBase } from 'pg';
import { countryCode, type VocabularyColumn, vocabularies } from './codes.ts';
import { CatalogueColumns } from './columns.ts';
import { type CopyRow, copyRows } from './copy.ts';
import { hashBytes } from './handles.ts';
import type { Memory } from './memory.ts';

/** Codes by the hash of the bytes of their value: looking at bytes saves making a string of each. */
type CodesByHash = ReadonlyMap<number, number>;

const codesByHash = Object.fromEntries(
  Object.entries(vocabularies).map(([column, values]) => [column, hashCodes(values)]),
) as Record<VocabularyColumn, CodesByHash>;

function hashCodes(values: readonly string[]): CodesByHash {
  const codes = new Map(
    values.map((value, index) => [hashBytes(Buffer.from(value), 0, value.length), index + 1]),
  );
  if (codes.size !== values.length) {
    throw new Error('Two values of a vocabulary share a hash.');
  }
  return codes;
}

/** In the order in which {@link readRow} takes them. */
const FIELDS = `id, revision, on_sale, active, revenue_last_30_days, revenue_mrr, revenue_total, asking_price, growth_30d,
  profit_margin_last_30_days, first_listed_for_sale_at, category, payment_provider, target_audience, team_size,
  funding_status, country, x_handle`;

/** What a read found. */
export interface Reading {
  readonly columns: CatalogueColumns;
  /** Which positions changed since the earlier read, ascending; undefined when it was not built upon. */
  readonly changed: Uint32Array | undefined;
}

/** How a catalogue is read. */
export interface ReadSettings {
  /**
   * Whether everybody speaks in the client's session, as on the embedded database. What is much is then read
   * in pieces, between which others have their turn.
   */
  readonly sharedSession?: boolean;
  /** For the columns. */
  readonly memory?: Memory;
  /** Whether rows are counted, in case some are gone of which no trigger told. */
  readonly isCounted?: boolean;
  /** Rows of one piece, or that are read at once; by default some 20 ms of an embedded database's time. */
  readonly pieceRows?: number;
}

const PIECE_ROWS = 2_000;

/**
 * Reads what a catalogue is built from, as of one moment. Where columns of an earlier read are given,
 * they are brought up to date by reading only what has changed, unless rows are gone.
 *
 * @param client connected and idle; it is left so.
 * @param earlier taken over: not to be used again.
 */
export async function readCatalogue(
  client: ClientBase,
  earlier?: CatalogueColumns,
  settings: ReadSettings = {},
): Promise<Reading> {
  if (!settings.sharedSession || (earlier !== undefined && (await isLittle(client, earlier, settings)))) {
    return readInOne(client, earlier, settings);
  }
  // What changes while the pieces are read has a higher revision, and is read as a change of them.
  const { columns } = await readInOne(client, await readPieces(client, earlier, settings), settings);
  return { columns, changed: undefined };
}

/** The revision of the dataset, the one at which rows were last removed, and more of the moment. */
interface State {
  readonly revision: number;
  /** Null where somebody has deleted it: nothing is known then. */
  readonly removals: number | null;
  /** In ms since 1970. */
  readonly importedAt: number | null;
}

async function readState(client: ClientBase): Promise<State> {
  const { rows } = await client.query<State>(
    `SELECT (SELECT value::float8 FROM revisions WHERE name = 'dataset') AS revision,
      (SELECT value::float8 FROM revisions WHERE name = 'removals') AS removals,
      (SELECT extract(epoch FROM finished_at)::float8 * 1000 FROM imports ORDER BY id DESC LIMIT 1) AS "importedAt"`,
  );
  return rows[0] as State;
}

/** Whether the changes since columns were read are all that there is to read. */
function isUpdate({ revision, removals }: State, earlier: CatalogueColumns): boolean {
  return earlier.revision <= revision && removals !== null && removals <= earlier.revision;
}

async function readInOne(
  client: ClientBase,
  earlier: CatalogueColumns | undefined,
  settings: ReadSettings,
): Promise<Reading> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const state = await readState(client);
    const changed =
      earlier !== undefined && isUpdate(state, earlier) ? await readChanges(client, earlier) : undefined;
    const isWhole = settings.isCounted !== true || earlier?.length === (await countRows(client));
    const columns =
      earlier !== undefined && changed !== undefined && isWhole
        ? earlier
        : await readAll(client, earlier, settings);
    columns.revision = state.revision;
    columns.importedAt = state.importedAt;
    return { columns, changed: columns === earlier ? changed : undefined };
  } finally {
    // On a broken connection this fails too, and the first failure is the one to tell.
    await client.query('ROLLBACK').catch(() => {});
  }
}

/** Whether little has changed since columns were read. */
async function isLittle(
  client: ClientBase,
  earlier: CatalogueColumns,
  { pieceRows = PIECE_ROWS }: ReadSettings,
): Promise<boolean> {
  if (!isUpdate(await readState(client), earlier)) {
    return false;
  }
  const { rows } = await client.query(
    `SELECT FROM startups WHERE revision > ${earlier.revision} ORDER BY revision OFFSET ${pieceRows} LIMIT 1`,
  );
  return rows.length === 0;
}

/** Reads all rows, each piece as of another moment, none of them before the revision that the columns have. */
async function readPieces(
  client: ClientBase,
  earlier: CatalogueColumns | undefined,
  settings: ReadSettings,
): Promise<CatalogueColumns> {
  const { pieceRows = PIECE_ROWS } = settings;
  const { revision } = await readState(client);
  const columns = await makeRoom(client, earlier, settings);
  columns.revision = revision;
  for (let before = -1; before < columns.length; ) {
    before = columns.length;
    const last = columns.ids[before - 1];
    await copyInto(
      columns,
      client,
      `${last === undefined ? '' : `WHERE id > ${last}`} ORDER BY id LIMIT ${pieceRows}`,
    );
  }
  return columns;
}

/** Merges in what changed since. Writers commit in the order of their revisions, so that is what is higher. */
async function readChanges(client: ClientBase, earlier: CatalogueColumns): Promise<Uint32Array | undefined> {
  const changes = new CatalogueColumns();
  await copyInto(changes, client, `WHERE revision > ${earlier.revision} ORDER BY id`);
  return earlier.merge(changes);
}

async function readAll(
  client: ClientBase,
  earlier: CatalogueColumns | undefined,
  settings: ReadSettings,
): Promise<CatalogueColumns> {
  const columns = await makeRoom(client, earlier, settings);
  await copyInto(columns, client, 'ORDER BY id');
  return columns;
}

/** Columns for all rows and some more. As many as before, if that will do: memory of a size is used again. */
async function makeRoom(
  client: ClientBase,
  earlier: CatalogueColumns | undefined,
  { memory }: ReadSettings,
): Promise<CatalogueColumns> {
  const count = await countRows(client);
  const before = earlier?.capacity ?? 0;
  return new CatalogueColumns(
    before >= count && before <= 2 * count ? before : count + (count >> 4) + 16,
    memory,
  );
}

async function countRows(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM startups');
  return rows[0]?.count ?? 0;
}

async function copyInto(columns: CatalogueColumns, client: ClientBase, which: string): Promise<void> {
  await copyRows(client, `SELECT ${FIELDS} FROM startups ${which}`, (row) => readRow(row, columns));
}

function readRow(row: CopyRow, columns: CatalogueColumns): void {
  const at = columns.add();
  const { numbers, codes } = columns;
  columns.ids[at] = row.integer();
  columns.revisions[at] = row.bigint();
  codes.onSale[at] = row.boolean();
  columns.active[at] = row.boolean();
  numbers.revenue[at] = row.bigint();
  numbers.mrr[at] = row.bigint();
  numbers.total[at] = row.bigint();
  numbers.price[at] = row.bigint();
  numbers.growth[at] = row.double();
  const margin = row.double();
  numbers.listedAt[at] = row.timestamp();
  columns.derive(at, margin);
  codes.category[at] = readCode(row, codesByHash.category);
  codes.paymentProvider[at] = readCode(row, codesByHash.paymentProvider);
  codes.targetAudience[at] = readCode(row, codesByHash.targetAudience);
  codes.teamSize[at] = readCode(row, codesByHash.teamSize);
  codes.fundingStatus[at] = readCode(row, codesByHash.fundingStatus);
  row.text();
  codes.country[at] =
    row.end === row.start
      ? 0
      : countryCode(row.bytes[row.start] as number, row.bytes[row.start + 1] as number);
  row.text();
  columns.setHandle(at, row.bytes, row.start, row.end);
}

/** Constraints of the table keep out what is in no vocabulary; it would count as null. */
function readCode(row: CopyRow, codes: CodesByHash): number {
  row.text();
  return row.start === row.end ? 0 : (codes.get(hashBytes(row.bytes, row.start, row.end)) ?? 0);
}
