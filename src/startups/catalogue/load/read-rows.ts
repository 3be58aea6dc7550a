import type { ClientBase } from 'pg';
import { type DatabaseIdentity, isSameHistory, readIdentity } from '../../../db/revisions.ts';
import { begin, SNAPSHOT } from '../../../db/transaction.ts';
import { OWN_FIELDS_SQL, type OwnField } from '../../model/own-fields.ts';
import { readRemovals } from '../changes/removed-startups.ts';
import { selectedColumns } from '../store/columns.ts';
import { continuesColumns, hasSameColumns } from '../store/own-columns.ts';
import { RowBetweenOthers, type RowsState, RowWriter, type StoredRows } from '../store/row-writer.ts';
import { copyRows } from './copy-rows.ts';

/** How rows are read. */
export interface ReadSettings {
  /**
   * Whether others share the client's session, as on the embedded database. Large reads are then split into
   * pieces, and other statements run in between.
   */
  readonly sharedSession?: boolean;
  /** Whether the earlier read was over another connection, and so perhaps of another server. */
  readonly isReconnected?: boolean;
}

/** Rows of one piece, or that are read at once: some 20 ms of an embedded database's time. */
const PIECE_ROWS = 2_000;

/** What was read. */
export interface Reading {
  readonly rows: StoredRows;
  /** How many rows have changed since the earlier read; undefined if all rows were read. */
  readonly changes: number | undefined;
}

/**
 * Reads all startups, as of one moment. If an earlier read is given, only the changes and removals since then are read,
 * unless some removals are not recorded.
 *
 * @param client connected and idle; idle again afterwards.
 */
export async function readRows(
  client: ClientBase,
  earlier: StoredRows | undefined,
  settings: ReadSettings = {},
): Promise<Reading> {
  const isSplit = settings.sharedSession && !(earlier && (await isLittle(client, earlier, settings)));
  // Rows that change while the pieces are read have a higher revision, and are read as changes.
  const pieces = isSplit ? await readPieces(client, earlier) : undefined;
  return readInOne(client, earlier, settings, pieces);
}

/** The state of the database, and the revision at which rows were last removed. */
interface DatabaseState extends Omit<RowsState, 'removals'> {
  /** Null if the row was deleted: nothing is known then. */
  readonly lastRemoval: number | null;
}

async function readState(client: ClientBase): Promise<DatabaseState> {
  const { rows } = await client.query<Omit<DatabaseState, keyof DatabaseIdentity>>(
    `SELECT dataset AS revision, removals AS "lastRemoval", coalesce(unrecorded, dataset) AS "unrecordedRemovals",
      (SELECT extract(epoch FROM finished_at)::float8 * 1000 FROM imports WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1) AS "importedAt",
      ${OWN_FIELDS_SQL} AS own
    FROM (SELECT (SELECT value::float8 FROM revisions WHERE name = 'dataset') AS dataset,
      (SELECT value::float8 FROM revisions WHERE name = 'removals') AS removals,
      (SELECT value::float8 FROM revisions WHERE name = 'unrecorded_removals') AS unrecorded) AS r`,
  );
  return { ...(rows[0] as Omit<DatabaseState, keyof DatabaseIdentity>), ...(await readIdentity(client)) };
}

/** Whether reading the rows that have changed since a revision, and the removals since then, is sufficient. */
function isUpdate({ revision, lastRemoval, unrecordedRemovals }: DatabaseState, since: number): boolean {
  return since <= revision && lastRemoval !== null && (lastRemoval <= since || unrecordedRemovals <= since);
}

/** Whether a state continues an earlier read, so that the rows read then are still valid, as are their columns. */
function isContinued(
  state: DatabaseState,
  earlier: StoredRows | DatabaseState,
  isReconnected = false,
): boolean {
  return (
    isSameHistory(state, earlier, isReconnected) &&
    earlier.revision <= state.revision &&
    continuesColumns(earlier.own, state.own)
  );
}

/** Rows that are being written, and the state of the database before: later changes are still to be read. */
interface Begun {
  readonly writer: RowWriter;
  readonly before: StoredRows | DatabaseState;
}

/** @param pieces rows from which to continue, unless a restore has replaced them since. */
async function readInOne(
  client: ClientBase,
  earlier: StoredRows | undefined,
  settings: ReadSettings,
  pieces: Begun | undefined,
): Promise<Reading> {
  await begin(client, settings.sharedSession === true ? 'embedded' : 'server', SNAPSHOT);
  try {
    const database = await readState(client);
    const isKnown = earlier !== undefined && isContinued(database, earlier, settings.isReconnected);
    const known = isKnown ? earlier : undefined;
    const { lastRemoval: _lastRemoval, ...others } = database;
    const state = { ...others, removals: await readRemovals(client, known, database) };
    const { own } = database;
    // Pieces have the columns of the fields that were declared when they were begun.
    const isWhole = pieces !== undefined && hasSameColumns(pieces.before.own, own);
    const begun = isWhole ? pieces : known && { writer: new RowWriter({ base: known, own }), before: known };
    if (begun !== undefined) {
      const changes = await readChanges(client, begun, { ...database, ...state });
      if (changes !== undefined) {
        return { rows: begun.writer.finish(state), changes: isWhole ? undefined : changes };
      }
    }
    const writer = await startRebuild(client, earlier, own);
    await copyInto(writer, client, own, 'ORDER BY id');
    return { rows: writer.finish(state), changes: undefined };
  } finally {
    // On a broken connection this fails too, and the first failure is the one to report.
    await client.query('ROLLBACK').catch(() => {});
  }
}

/**
 * Writes the changed rows, and removes those whose removal was recorded. Writers commit in the order of their revisions, so
 * these have a higher revision.
 *
 * @returns how many rows changed; undefined if there are more changes than these.
 */
async function readChanges(
  client: ClientBase,
  { writer, before }: Begun,
  state: DatabaseState & RowsState,
): Promise<number | undefined> {
  if (!isContinued(state, before) || !isUpdate(state, before.revision)) {
    return undefined;
  }
  const changed = new Set<number>();
  await copyChanges(writer, client, state.own, `WHERE revision > ${before.revision}`, changed);
  const removals = state.removals.filter(({ revision }) => revision > before.revision);
  // A startup that has another slug, or is there again, has changed since.
  writer.remove(new Set(removals.map(({ startupId }) => startupId).filter((id) => !changed.has(id))));
  // Of several startups that had one slug, only the last removal is recorded.
  const mayBeIncomplete = (state.lastRemoval as number) > before.revision;
  const isComplete = !mayBeIncomplete || writer.length === (await countRows(client));
  return isComplete ? changed.size + removals.length : undefined;
}

async function copyChanges(
  writer: RowWriter,
  client: ClientBase,
  own: readonly OwnField[],
  which: string,
  changed: Set<number>,
): Promise<void> {
  try {
    await copyInto(writer, client, own, `${which} ORDER BY id`, changed);
  } catch (error) {
    if (!(error instanceof RowBetweenOthers)) {
      throw error;
    }
    // Startups that return have the ids that they had.
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM startups ${which} AND id < ${writer.lastId} ORDER BY id`,
    );
    writer.makeRoom(rows.map(({ id }) => id));
    await copyInto(writer, client, own, `${which} ORDER BY id`, changed);
  }
}

/** Whether few rows have changed since an earlier read. */
async function isLittle(
  client: ClientBase,
  earlier: StoredRows,
  { isReconnected }: ReadSettings,
): Promise<boolean> {
  const { revision } = earlier;
  const state = await readState(client);
  if (!isUpdate(state, revision) || !isContinued(state, earlier, isReconnected)) {
    return false;
  }
  const { rows } = await client.query(
    `SELECT FROM startups WHERE revision > ${revision} ORDER BY revision OFFSET ${PIECE_ROWS} LIMIT 1`,
  );
  return rows.length === 0;
}

/** Reads all rows, each piece as of a different moment, none of them before the revision that is returned. */
async function readPieces(client: ClientBase, earlier: StoredRows | undefined): Promise<Begun> {
  const before = await readState(client);
  const { own } = before;
  const writer = await startRebuild(client, earlier, own);
  for (let length = -1; length < writer.length; ) {
    length = writer.length;
    const after = writer.lastId === undefined ? '' : `WHERE id > ${writer.lastId}`;
    const which = `${after} ORDER BY id LIMIT ${PIECE_ROWS}`;
    await copyInto(writer, client, own, which);
  }
  return { writer, before };
}

/** Begins to write all rows, with spare capacity. */
async function startRebuild(
  client: ClientBase,
  earlier: StoredRows | undefined,
  own: readonly OwnField[],
): Promise<RowWriter> {
  const count = await countRows(client);
  return new RowWriter({ known: earlier, capacity: count + (count >> 4) + 16, own });
}

async function countRows(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM startups');
  return rows[0]?.count ?? 0;
}

async function copyInto(
  writer: RowWriter,
  client: ClientBase,
  own: readonly OwnField[],
  which: string,
  ids?: Set<number>,
): Promise<void> {
  await copyRows(client, `SELECT ${selectedColumns(own)} FROM startups ${which}`, (row) => {
    const id = writer.write(row);
    ids?.add(id);
  });
}
