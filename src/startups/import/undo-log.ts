import { storedStartupFields } from '../model/fields.ts';
import { OWN } from '../model/own-fields.ts';
import { pointColumns } from '../model/point-figures.ts';
import { columnsOf, fromRun, type ImportClient, isLacking, type Staging } from './staging.ts';

/** How many imports can be undone: the last that changed something. */
export const UNDOABLE = 5;

/** Keeps what an import replaces, in its transaction: before each statement that changes something, or with it. */
export type UndoLog = Awaited<ReturnType<typeof openUndoLog>>;

/** A member of a JSON object with the value that a column of `t` had, if that of `s` is another one. */
const changedMember = (column: string): string =>
  `CASE WHEN t.${column} IS DISTINCT FROM s.${column} THEN '${column}:' || coalesce(to_json(t.${column})::text, 'null') END`;

const priceMembers = `CASE WHEN t.asking_price IS DISTINCT FROM s.asking_price THEN ${priceMember('t')} END`;

function priceMember(alias: string): string {
  const member = (column: string) => `'"${column}":', coalesce(to_json(${alias}.${column})::text, 'null')`;
  return `concat(${member('previous_asking_price')}, ',', ${member('asking_price_changed_at')})`;
}

/** The revision of the data in a startup `t`: undoing an import gives it another one, but not other data. */
const REVISION = 'coalesce(t.restored_revision, t.revision)';

/** Reserves the id of an import, by which its log is found. */
export async function openUndoLog(client: ImportClient) {
  const { rows } = await client.query(
    `SELECT nextval(pg_get_serial_sequence('imports', 'id'))::integer AS id`,
  );
  const importId = rows[0]?.id as number;
  const entryOf = (id: string, kind: string, select: string): string =>
    `INSERT INTO undo_log (import_id, kind, day, entries)
     SELECT ${id}, '${kind}', revgate_day_of_change(), entries FROM (${select}) AS kept
     WHERE entries IS NOT NULL AND ${id} IS NOT NULL`;
  const entry = (kind: string, select: string): string => entryOf(String(importId), kind, select);

  return {
    importId,
    /** The changed values of the startups that a run updates, and whether they had a point of the day. */
    async keepUpdated(staging: Staging, run: number[]): Promise<void> {
      const members = staging.columnNames.filter((name) => name !== '"slug"').map(changedMember);
      await client.query(
        entry(
          'updated',
          `SELECT ('[' || string_agg(concat('{"id":', t.id, ',"revision":', ${REVISION}, ',"hasPoint":', EXISTS (
               SELECT FROM startup_points WHERE startup_id = t.id AND day = revgate_day_of_change()
             )::text, ',"was":{', concat_ws(',', ${members.join(', ')}, ${priceMembers}), '}}'), ',') || ']')::json AS entries
           FROM ${fromRun(staging, 'JOIN startups AS t ON t.id = p.id')} AND NOT p.point_only`,
        ),
        run,
      );
    },
    /** The startups that are to be removed, with all they have. */
    async keepLacking(staging: Staging): Promise<void> {
      const removed = `startups AS t WHERE ${isLacking(staging)}`;
      await client.query(
        entry(
          'absences',
          `SELECT json_agg(to_json(r)) AS entries FROM removed_startups AS r
           WHERE r.day = revgate_day_of_change() AND r.startup_id IN (SELECT t.id FROM ${removed})`,
        ),
      );
      await client.query(
        entry(
          'removed',
          `SELECT json_agg(json_build_object('id', t.id, 'revision', ${REVISION}, 'was', to_json(t))) AS entries
           FROM ${removed} GROUP BY t.id / 1000`,
        ),
      );
    },
    /** The points that a run has of the day although the startups return only now. */
    async keepReturning(staging: Staging, run: number[]): Promise<void> {
      await client.query(
        entry(
          'points',
          `SELECT json_agg(json_build_object('startup_id', o.startup_id, 'day', o.day, 'was', to_json(o))) AS entries
           FROM ${fromRun(staging, 'JOIN startup_points AS o ON o.startup_id = p.returning_id')}
             AND o.day = revgate_day_of_change()`,
        ),
        run,
      );
    },
    /** A statement that inserts startups, and keeps their ids. */
    inserting(kind: 'created' | 'returned', insert: string): string {
      return `WITH inserted AS (${insert} RETURNING id)
        ${entry(kind, 'SELECT json_agg(json_build_object($$id$$, id)) AS entries FROM inserted')}`;
    },
    /** The points, and their absence, that a run of a past day writes, removes or gives another earlier price. */
    async keepPoints(staging: Staging, run: number[], day: string): Promise<void> {
      const ofDay = `${fromRun(staging)} AND p.point_only`;
      await client.query(
        entry(
          'points',
          `SELECT json_agg(json_build_object('startup_id', k.id, 'day', k.day, 'was', to_json(o))) AS entries
           FROM (
             SELECT p.id, $3::date AS day FROM ${ofDay}
             UNION SELECT p.id, p.until FROM ${ofDay} AND p.until < 'infinity'
             UNION SELECT p.id, x.day FROM ${fromRun(
               staging,
               `CROSS JOIN LATERAL (
                  SELECT day, asking_price FROM startup_points WHERE startup_id = p.id AND day > $3::date ORDER BY day LIMIT 1
                ) AS n
                JOIN startup_points AS x ON x.startup_id = p.id AND x.day >= n.day`,
             )} AND p.point_only AND p.price IS DISTINCT FROM s.asking_price AND NOT EXISTS (
               SELECT FROM startup_points AS m WHERE m.startup_id = p.id AND m.day > n.day AND m.day <= x.day
                 AND m.asking_price IS DISTINCT FROM n.asking_price
             )
           ) AS k LEFT JOIN startup_points AS o ON o.startup_id = k.id AND o.day = k.day`,
        ),
        [...run, day],
      );
    },
    /** The absences that end with a run of a past day. */
    async keepAbsences(staging: Staging, run: number[], day: string): Promise<void> {
      await client.query(
        entry(
          'absences',
          `SELECT json_agg(to_json(r)) AS entries
           FROM ${fromRun(staging, 'JOIN removed_startups AS r ON r.startup_id = p.id')} AND r.day <= $3::date AND r.until > $3::date`,
        ),
        [...run, day],
      );
    },
    /** The earlier prices of startups of which only these change. */
    async keepPrices(ids: string): Promise<void> {
      await client.query(
        entry(
          'prices',
          `SELECT ('[' || string_agg(concat('{"id":', t.id, ',"revision":', ${REVISION}, ',"was":{', ${priceMember('t')}, '}}'), ',') || ']')::json AS entries
           FROM startups AS t WHERE id = ANY ($1::integer[])`,
        ),
        [ids],
      );
    },
    /**
     * The startups of days, given as rows of `day` and `startup_ids`, that were not recorded as unchanged before. An import
     * that changes nothing cannot be undone: what it says of values goes with the last import that can, which may have given
     * them.
     */
    unchanged(days: string, changesSomething: boolean): string {
      return entryOf(
        changesSomething ? String(importId) : '(SELECT max(import_id) FROM undo_log)',
        'unchanged',
        `SELECT json_agg(json_build_object('day', d.day, 'added',
           (d.startup_ids - coalesce(u.startup_ids, '{}'))::text)) AS entries
         FROM (${days}) AS d LEFT JOIN unchanged_startups AS u USING (day)
         WHERE d.startup_ids IS NOT NULL AND NOT coalesce(u.startup_ids, '{}') @> d.startup_ids`,
      );
    },
    /** The market of days that is to be calculated. */
    async keepMarket(days: readonly string[]): Promise<void> {
      await client.query(
        entry(
          'market',
          `SELECT json_agg(json_build_object('day', d.day, 'was', (
             SELECT coalesce(json_agg(to_json(m)), '[]') FROM market_days AS m WHERE m.day = d.day
           ))) AS entries FROM unnest($1::date[]) AS d (day)`,
        ),
        [days],
      );
    },
    /** Forgets what imports before the last ones replaced. */
    async forgetOlder(): Promise<void> {
      await client.query(
        `DELETE FROM undo_log WHERE import_id < (
           SELECT min(import_id) FROM (
             SELECT DISTINCT import_id FROM undo_log ORDER BY import_id DESC LIMIT ${UNDOABLE}
           ) AS kept
         )`,
      );
    },
  };
}

/** The columns that undoing an import gives a startup again. */
export const restoredColumns = [
  ...columnsOf(storedStartupFields).filter((name) => name !== '"slug"'),
  OWN,
  'previous_asking_price',
  'asking_price_changed_at',
];

/** The columns that a point of the day of an import has of its startup. */
export const restoredPointColumns = [...pointColumns, 'previous_asking_price', 'asking_price_changed_at'];
