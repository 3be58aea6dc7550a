import type { ClientBase } from 'pg';
import { type DatabaseIdentity, isSameHistory, readIdentity } from '../../../db/revisions.ts';
import { begin, type DatabaseKind, SNAPSHOT } from '../../../db/transaction.ts';
import { readRemovals } from '../changes/removed-startups.ts';
import { selectedColumns } from '../store/columns.ts';
import { RowBetweenOthers, type RowsState, RowWriter, type StoredRows } from '../store/row-writer.ts';
import { copyRows } from './copy-rows.ts';

/** What was read. */
export interface Reading {
  readonly rows: StoredRows;
  /** How many rows have changed since the earlier read; undefined if all rows were read. */
  readonly changes: number | undefined;
}

/** The state of the database, and the revision at which rows were last removed. */
interface DatabaseState extends Omit<RowsState, 'removals'> {
  /** Null if the row was deleted: nothing is known then. */
  readonly lastRemoval: number | null;
}

async function readState(client: ClientBase): Promise<DatabaseState> {
  const { rows } = await client.query<Omit<DatabaseState, keyof DatabaseIdentity>>(
    `SELECT dataset AS revision, removals AS "lastRemoval", coalesce(unrecorded, dataset) AS "unrecordedRemovals",
      (SELECT extract(epoch FROM finished_at)::float8 * 1000 FROM imports ORDER BY id DESC LIMIT 1) AS "importedAt"
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

/** Whether a state continues an earlier read, so that the rows read then are still valid. */
function isContinued(state: DatabaseState, earlier: StoredRows, isReconnected: boolean): boolean {
  return isSameHistory(state, earlier, isReconnected) && earlier.revision <= state.revision;
}

/**
 * Reads all startups, as of one moment. If an earlier read is given, only the changes and removals since then are read,
 * unless some removals are not recorded.
 *
 * @param client connected and idle; idle again afterwards.
 * @param isReconnected whether the earlier read was over another connection, and so perhaps of another server.
 */
export async function readRows(
  client: ClientBase,
  kind: DatabaseKind,
  earlier: StoredRows | undefined,
  isReconnected = false,
): Promise<Reading> {
  await begin(client, kind, SNAPSHOT);
  try {
    const database = await readState(client);
    const isKnown = earlier !== undefined && isContinued(database, earlier, isReconnected);
    const known = isKnown ? earlier : undefined;
    const { lastRemoval: _lastRemoval, ...others } = database;
    const state = { ...others, removals: await readRemovals(client, known, database) };
    const updated = known && (await readChanges(client, known, { ...database, ...state }));
    if (updated !== undefined) {
      return { rows: updated.writer.finish(state), changes: updated.changes };
    }
    const count = await countRows(client);
    // With spare capacity.
    const writer = RowWriter.rebuild(count + (count >> 4) + 16, earlier);
    await copyInto(writer, client, 'ORDER BY id');
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
 * @returns undefined if there are more changes than these, or if a row belongs between others.
 */
async function readChanges(client: ClientBase, before: StoredRows, state: DatabaseState & RowsState) {
  if (!isUpdate(state, before.revision)) {
    return undefined;
  }
  const writer = RowWriter.update(before);
  const changed = new Set<number>();
  const which = `WHERE revision > ${before.revision} ORDER BY id`;
  try {
    await copyInto(writer, client, which, changed);
  } catch (error) {
    if (error instanceof RowBetweenOthers) {
      return undefined;
    }
    throw error;
  }
  const removals = state.removals.filter(({ revision }) => revision > before.revision);
  // A startup that has another slug, or is there again, has changed since.
  writer.remove(new Set(removals.map(({ startupId }) => startupId).filter((id) => !changed.has(id))));
  // Of several startups that had one slug, only the last removal is recorded.
  const mayBeIncomplete = (state.lastRemoval as number) > before.revision;
  const isComplete = !mayBeIncomplete || writer.length === (await countRows(client));
  return isComplete ? { writer, changes: changed.size + removals.length } : undefined;
}

async function countRows(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM startups');
  return rows[0]?.count ?? 0;
}

async function copyInto(
  writer: RowWriter,
  client: ClientBase,
  which: string,
  ids?: Set<number>,
): Promise<void> {
  await copyRows(client, `SELECT ${selectedColumns} FROM startups ${which}`, (row) => {
    const id = writer.write(row);
    ids?.add(id);
  });
}
