import { begin, type DatabaseKind, lockForWriting } from '../../db/transaction.ts';
import { amount, OperatorError } from '../../lib/errors.ts';
import { type Authorization, requireRight } from './apply.ts';
import { recordChoices } from './declared.ts';
import { NAMED, type NamedStartup, nameStartups } from './plan.ts';
import type { ImportClient } from './staging.ts';
import { restoredColumns, restoredPointColumns, UNDOABLE } from './undo-log.ts';

/** The import cannot be undone, or not now: nothing was changed. */
export class UndoConflictError extends OperatorError {}

export interface UndoOptions {
  /** One session of the database, with no transaction open. The caller closes it. */
  readonly client: ImportClient;
  readonly kind: DatabaseKind;
  /** The id of the import that is meant; undefined for the last one that can be undone. */
  readonly importId: number | undefined;
  /** Says what it would do, and changes nothing. */
  readonly dryRun: boolean;
  /** The id of an account, or a user of the operating system. */
  readonly user: string;
  /** The token that was used. */
  readonly token?: string | undefined;
  readonly authorize?: Authorization | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What undoing an import does to startups of a kind: how many, and the first of them. */
interface Undone {
  readonly count: number;
  readonly first: readonly NamedStartup[];
}

/** What undoing an import did, or would do. */
export interface UndoReport {
  readonly dryRun: boolean;
  /** The id of the import. */
  readonly import: number;
  readonly finishedAt: Date;
  readonly sources: readonly string[];
  /** Startups that the import created, which are gone afterwards. */
  readonly removed: Undone;
  /** Startups that it removed, which are there again. */
  readonly returned: Undone;
  /** Startups that it changed, which have their earlier values again. */
  readonly restored: Undone;
  /** Emails about saved searches and startups that were sent since, and to whom the first of them were. */
  readonly emails: { readonly count: number; readonly first: readonly string[] };
}

interface UndoableImport {
  readonly id: number;
  readonly finishedAt: Date;
  readonly sources: readonly string[];
  readonly revision: string;
}

/** The entries of the log of the import `$1`, each as `e.value`, with the day of the import. */
const entries = (...kinds: readonly string[]): string =>
  `undo_log AS l CROSS JOIN LATERAL json_array_elements(l.entries) AS e (value)
   WHERE l.import_id = $1 AND l.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
const ID = "(e.value ->> 'id')::integer";

/**
 * Undoes the last import that changed something, in one transaction: all data is as before, except for revisions and times of
 * changes, and for the sample, which does not come back. Its Idempotency-Key is forgotten. Readers of changes are told of ordinary changes.
 *
 * @throws UndoConflictError if another import is the last one, or startups were changed since; OperatorError; the signal's
 *   reason. Nothing was changed then.
 */
export async function undoImport(options: UndoOptions): Promise<UndoReport> {
  const { client, kind, signal } = options;
  await begin(client, kind);
  try {
    await lockForWriting(client, ['startups', 'own_fields'], () => signal?.throwIfAborted());
    await requireRight(client, options.authorize, '');
    const undoable = await findUndoable(client, options.importId);
    await checkUnchanged(client, undoable);
    const report = await describe(client, undoable, options.dryRun);
    if (options.dryRun) {
      await client.query('ROLLBACK');
      return report;
    }
    signal?.throwIfAborted();
    await restore(client, undoable.id);
    await record(options, report);
    await requireRight(client, options.authorize, 'FOR SHARE');
    signal?.throwIfAborted();
    await client.query('COMMIT');
    return report;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    signal?.throwIfAborted();
    throw error;
  }
}

/** @throws UndoConflictError if there is none, or if another one is meant. */
async function findUndoable(client: ImportClient, importId: number | undefined): Promise<UndoableImport> {
  const { rows } = await client.query(
    `SELECT id, finished_at AS "finishedAt", sources, revision::text FROM imports
     WHERE undone_at IS NULL AND id = (SELECT max(import_id) FROM undo_log)`,
  );
  const [last] = rows as unknown as UndoableImport[];
  if (importId !== undefined && importId !== last?.id) {
    const undone = 'SELECT FROM imports WHERE id = $1 AND undone_at IS NOT NULL';
    if ((await client.query(undone, [importId])).rowCount !== 0) {
      throw new UndoConflictError(`Import ${importId} was undone already. Nothing was changed.`);
    }
  }
  if (last === undefined) {
    throw new UndoConflictError(
      `No import can be undone: only the last ${UNDOABLE} that changed something, since the last restore. Nothing was changed.`,
    );
  }
  if (importId !== undefined && importId !== last.id) {
    throw new UndoConflictError(
      `Import ${importId} cannot be undone: the last one that changed something and can be undone is ${last.id}. Nothing was changed.`,
    );
  }
  return last;
}

/** @throws UndoConflictError with the startups that SQL or a later import has changed since. */
async function checkUnchanged(client: ImportClient, { id, revision }: UndoableImport): Promise<void> {
  const { rows } = await client.query(
    `WITH touched AS MATERIALIZED (
       SELECT ${ID} AS id, l.kind FROM ${entries('updated', 'created', 'returned', 'prices', 'removed')}
       UNION SELECT (e.value ->> 'startup_id')::integer, l.kind FROM ${entries('points')}
     ), changed AS (
       SELECT t.slug, t.name FROM startups AS t JOIN touched ON touched.id = t.id
       WHERE kind <> 'removed' AND coalesce(t.restored_revision, t.revision) > $2::bigint
       UNION
       SELECT coalesce(r.slug, 'startup ' || touched.id), coalesce(r.name, 'removed') FROM touched LEFT JOIN LATERAL (
         SELECT slug, name FROM removed_startups WHERE startup_id = touched.id ORDER BY day DESC LIMIT 1
       ) AS r ON true
       WHERE kind IN ('updated', 'created', 'returned', 'prices')
         AND NOT EXISTS (SELECT FROM startups WHERE id = touched.id)
       UNION
       SELECT t.slug, t.name FROM startups AS t JOIN (
         SELECT ${ID} AS id, e.value #>> '{was,slug}' AS slug FROM ${entries('removed')}
       ) AS gone ON t.slug = gone.slug
     )
     SELECT slug, name, count(*) OVER ()::integer AS count FROM changed ORDER BY slug LIMIT ${NAMED}`,
    [id, revision],
  );
  const changed = rows as unknown as (NamedStartup & { readonly count: number })[];
  const [first] = changed;
  if (first !== undefined) {
    throw new UndoConflictError(
      `Import ${id} cannot be undone: ${amount(first.count, 'startup')} changed since: ` +
        `${nameStartups(changed, first.count)}. Nothing was changed.`,
    );
  }
}

async function describe(
  client: ImportClient,
  { id, finishedAt, sources }: UndoableImport,
  dryRun: boolean,
): Promise<UndoReport> {
  const read = async (text: string): Promise<Undone> => {
    const { rows } = await client.query(
      `SELECT slug, name, count(*) OVER ()::integer AS count FROM (${text}) AS found ORDER BY id LIMIT ${NAMED}`,
      [id],
    );
    const found = rows as unknown as (NamedStartup & { readonly count: number })[];
    return { count: found[0]?.count ?? 0, first: found.map(({ slug, name }) => ({ slug, name })) };
  };
  const present = (...kinds: readonly string[]): string =>
    `SELECT id, slug, name FROM startups WHERE id IN (SELECT ${ID} FROM ${entries(...kinds)})`;
  const { rows } = await client.query(
    `SELECT coalesce(a.email, m.account_id) AS email, count(*) OVER ()::integer AS count
     FROM sent_mails AS m LEFT JOIN accounts AS a ON a.id = m.account_id
     WHERE m.kind = 'saved' AND m.outcome = 'sent' AND m.recorded_at > $1 ORDER BY m.recorded_at LIMIT ${NAMED}`,
    [finishedAt],
  );
  return {
    dryRun,
    import: id,
    finishedAt,
    sources,
    removed: await read(present('created', 'returned')),
    returned: await read(
      `SELECT ${ID} AS id, e.value #>> '{was,slug}' AS slug, e.value #>> '{was,name}' AS name FROM ${entries('removed')}`,
    ),
    restored: await read(present('updated', 'prices')),
    emails: {
      count: Number(rows[0]?.count ?? 0),
      first: rows.map(({ email }) => String(email)),
    },
  };
}

/** Puts everything back that the log has. */
async function restore(client: ImportClient, id: number): Promise<void> {
  const run = (text: string): Promise<unknown> => client.query(text, [id]);
  await client.query("SET LOCAL revgate.undo = 'on'");
  await run(`DELETE FROM startups WHERE id IN (SELECT ${ID} FROM ${entries('created', 'returned')})`);
  await run(`DELETE FROM startup_points WHERE startup_id IN (SELECT ${ID} FROM ${entries('created')})`);
  await run(
    `DELETE FROM startup_points AS p USING (SELECT ${ID} AS id, l.day FROM ${entries('returned')}) AS r
     WHERE p.startup_id = r.id AND p.day = r.day`,
  );
  await run(
    `UPDATE removed_startups AS r SET until = NULL FROM (
       SELECT b.id, max(a.day) AS day FROM (SELECT ${ID} AS id, l.day FROM ${entries('returned')}) AS b
       JOIN removed_startups AS a ON a.startup_id = b.id AND a.until = b.day GROUP BY b.id
     ) AS last WHERE r.startup_id = last.id AND r.day = last.day`,
  );
  await run(
    `INSERT INTO startups SELECT (jsonb_populate_record(NULL::startups, (e.value -> 'was')::jsonb
       || jsonb_build_object('restored_revision', e.value -> 'revision'))).* FROM ${entries('removed')}`,
  );
  await run(
    `DELETE FROM removed_startups AS r USING (SELECT ${ID} AS id, l.day FROM ${entries('removed')}) AS b
     WHERE r.startup_id = b.id AND r.day = b.day AND r.until IS NULL`,
  );
  const { rows } = await client.query(
    `SELECT id FROM undo_log WHERE import_id = $1 AND kind IN ('updated', 'prices') ORDER BY id`,
    [id],
  );
  // In the parts in which they were kept.
  for (const part of rows) {
    await client.query(
      `UPDATE startups AS t SET restored_revision = b.revision, ${restoredColumns.map((name) => `${name} = b.${name}`).join(', ')}
       FROM (
         SELECT (e.value ->> 'revision')::bigint AS revision, s.id, ${restoredColumns.map((name) => `r.${name}`).join(', ')}
         FROM undo_log AS l CROSS JOIN LATERAL json_array_elements(l.entries) AS e (value)
         JOIN startups AS s ON s.id = ${ID}
         CROSS JOIN LATERAL jsonb_populate_record(s, (e.value -> 'was')::jsonb) AS r
         WHERE l.id = $1
       ) AS b WHERE t.id = b.id`,
      [part.id],
    );
  }
  await restoreOwn(client, id);
  // A point of the day had what its startup had.
  await run(
    `UPDATE startup_points AS p SET ${restoredPointColumns.map((name) => `${name} = t.${name}`).join(', ')}
     FROM (SELECT ${ID} AS id, l.day FROM ${entries('updated')} AND (e.value ->> 'hasPoint')::boolean) AS b
     JOIN startups AS t ON t.id = b.id WHERE p.startup_id = b.id AND p.day = b.day`,
  );
  await run(
    `DELETE FROM startup_points AS p
     USING (SELECT ${ID} AS id, l.day FROM ${entries('updated')} AND NOT (e.value ->> 'hasPoint')::boolean) AS b
     WHERE p.startup_id = b.id AND p.day = b.day`,
  );
  await run(
    `DELETE FROM startup_points AS p
     USING (SELECT (e.value ->> 'startup_id')::integer AS id, (e.value ->> 'day')::date AS day FROM ${entries('points')}) AS b
     WHERE p.startup_id = b.id AND p.day = b.day`,
  );
  await run(
    `INSERT INTO startup_points SELECT (jsonb_populate_record(NULL::startup_points, (e.value -> 'was')::jsonb)).*
     FROM ${entries('points')} AND json_typeof(e.value -> 'was') = 'object'`,
  );
  await run(
    `INSERT INTO removed_startups AS r SELECT (jsonb_populate_record(NULL::removed_startups, e.value::jsonb)).*
     FROM ${entries('absences')}
     ON CONFLICT (startup_id, day) DO UPDATE SET slug = excluded.slug, until = excluded.until,
       created_at = excluded.created_at, name = excluded.name, website = excluded.website`,
  );
  await run(
    `UPDATE unchanged_startups AS u SET startup_ids = u.startup_ids - b.added FROM (
       SELECT (e.value ->> 'day')::date AS day, range_agg(r) AS added
       FROM undo_log AS l CROSS JOIN LATERAL json_array_elements(l.entries) AS e (value)
       CROSS JOIN LATERAL unnest((e.value ->> 'added')::int4multirange) AS r
       WHERE l.import_id = $1 AND l.kind = 'unchanged' GROUP BY 1
     ) AS b WHERE u.day = b.day`,
  );
  await client.query('DELETE FROM unchanged_startups WHERE isempty(startup_ids)');
  await run(
    `DELETE FROM market_days WHERE day IN (SELECT (e.value ->> 'day')::date FROM ${entries('market')})`,
  );
  await run(
    `INSERT INTO market_days SELECT (jsonb_populate_recordset(NULL::market_days, (e.value -> 'was')::jsonb)).*
     FROM ${entries('market')}`,
  );
}

/** Of fields that were removed since, startups have no values again; the choices are those of all startups. */
async function restoreOwn(client: ImportClient, id: number): Promise<void> {
  const declared =
    'SELECT name FROM own_fields WHERE declared_at <= (SELECT finished_at FROM imports WHERE id = $1)';
  await client.query(
    `UPDATE startups AS t SET own = (
       SELECT jsonb_object_agg(key, value) FROM jsonb_each(t.own) WHERE key IN (${declared})
     )
     WHERE id IN (SELECT ${ID} FROM ${entries('updated', 'removed')})
       AND EXISTS (SELECT FROM jsonb_object_keys(t.own) AS key WHERE key NOT IN (${declared}))`,
    [id],
  );
  await recordChoices(client, false);
}

async function record({ client, user, token }: UndoOptions, report: UndoReport): Promise<void> {
  const { import: id, removed, returned, restored, emails } = report;
  const details = {
    removed: removed.count,
    returned: returned.count,
    restored: restored.count,
    emails: emails.count,
    ...(token !== undefined && { token }),
  };
  await client.query('UPDATE imports SET undone_at = clock_timestamp(), undone_by = $2 WHERE id = $1', [
    id,
    user,
  ]);
  await client.query(
    `INSERT INTO audit_log (at, actor, action, subject, details)
     VALUES (clock_timestamp(), $1, 'startups.undo', $2, $3)`,
    [user, String(id), JSON.stringify(details)],
  );
  await client.query('DELETE FROM idempotent_imports WHERE import_id = $1', [id]);
  await client.query('DELETE FROM undo_log WHERE import_id = $1', [id]);
  // Nodes must notice it even if no startup has changed.
  await client.query("UPDATE revisions SET value = value + 1 WHERE name = 'dataset'");
}
