import { OperatorError } from '../../lib/errors.ts';
import type { ImportField } from '../model/fields.ts';
import { OWN } from '../model/own-fields.ts';
import { pointColumns } from '../model/point-figures.ts';
import type { ImportClient, Lacking, Staging } from './staging.ts';

// Updates in part: a staged record has some values, and gets all others from what is stored, so that what plans, applies
// and undoes an import sees complete records only.

/** The past day of an import, if it has one. */
type Day = { readonly day: string } | undefined;

const isOfPoint = (column: string): boolean => pointColumns.includes(column);

/** Whether a record `s` has a value of its own. */
const isGiven = (index: number): string => `(s.given >> ${index}) & 1 = 1`;

/** The startup `t` that a record of today is of. */
const STORED =
  'LEFT JOIN LATERAL (SELECT * FROM startups WHERE slug = s.slug AND NOT sample LIMIT 1) AS t ON true';

/**
 * Where the other values of a run of records `s` come from: the startup `t`, and as of a day `$3` its point `o`. `known` is the
 * id of the startup. A record of a past day is of the startup that had the slug, or was the next to get it.
 */
const bases = (asOf: Day): string =>
  asOf === undefined
    ? `${STORED} CROSS JOIN LATERAL (SELECT t.id AS known) AS k`
    : `${STORED}
       LEFT JOIN LATERAL (
         SELECT startup_id FROM removed_startups WHERE slug = s.slug AND day > $3::date ORDER BY startup_id, day LIMIT 1
       ) AS r ON true
       CROSS JOIN LATERAL (SELECT coalesce(r.startup_id, t.id) AS known) AS k
       LEFT JOIN LATERAL revgate_point_on(k.known, $3::date) AS o ON true`;

/** Whether a record without a value of a field cannot be stored. */
const isRequired = ({ path, nullable, default: fallback }: ImportField): boolean =>
  !nullable && !Array.isArray(fallback) && path !== 'slug';

/** The value of a column that a record does not have. */
const otherValue = (column: string, asOf: Day): string =>
  `${asOf !== undefined && isOfPoint(column) ? 'o' : 't'}."${column}"`;

/** The object of declared fields with what a record sets of it: null clears, and an object without members is none. */
const OWN_VALUE = `CASE WHEN s.set_own IS NULL THEN t.own
  ELSE nullif(jsonb_strip_nulls(coalesce(t.own, '{}') || s.set_own), '{}') END`;

const runOf = (from: number, to: number, asOf: Day): unknown[] => [
  from,
  to,
  ...(asOf === undefined ? [] : [asOf.day]),
];

/**
 * Finds what the records of a run lack, after what is stored and, of a new startup, the defaults.
 *
 * @param to the ordinal after the last one.
 * @returns by ordinal; nothing for complete records.
 */
export async function findLacking(
  client: ImportClient,
  { records, fields }: Staging,
  from: number,
  to: number,
  asOf: Day,
): Promise<Map<number, Lacking>> {
  // Of a startup that is removed since, a past day has only its point.
  const lacks = fields.flatMap((field, index) => {
    const { path, column } = field;
    const known = asOf !== undefined && isOfPoint(column) ? `${otherValue(column, asOf)} IS NULL` : 'false';
    return isRequired(field)
      ? `CASE WHEN NOT (${isGiven(index)}) AND CASE WHEN known IS NULL THEN s."${column}" IS NULL ELSE ${known} END THEN '${path}' END`
      : [];
  });
  const { rows } = await client.query(
    `SELECT * FROM (
       SELECT s.ordinal, known IS NULL AS "isNew", array_remove(ARRAY[${lacks.join(', ')}], NULL) AS paths
       FROM ${records} AS s ${bases(asOf)}
       WHERE s.ordinal >= $1 AND s.ordinal < $2 AND NOT s.rejected
     ) AS found WHERE cardinality(paths) > 0`,
    runOf(from, to, asOf),
  );
  return new Map(
    (rows as unknown as (Lacking & { readonly ordinal: number })[]).map((row) => [row.ordinal, row]),
  );
}

/**
 * Gives the records of a run the values that they do not have. It can be repeated when startups were changed meanwhile.
 *
 * @throws OperatorError if the startup of a completed record is gone, or a record lacks a value since it was read.
 */
export async function completeRecords(
  client: ImportClient,
  staging: Staging,
  from: number,
  asOf: Day,
): Promise<void> {
  const { records, runLength, fields, own } = staging;
  const run = runOf(from, from + runLength, asOf);
  const { rows } = await client.query(
    `SELECT EXISTS (
       SELECT FROM ${records} AS s ${bases(asOf)}
       WHERE s.ordinal >= $1 AND s.ordinal < $2 AND s.completed AND known IS NULL
     ) AS "isGone"`,
    run,
  );
  if (
    rows[0]?.isGone === true ||
    (await findLacking(client, staging, from, from + runLength, asOf)).size > 0
  ) {
    throw new OperatorError(
      'The startups changed during the import, which would now lack values: nothing was written. Run it again.',
    );
  }
  const others = [
    ...fields.flatMap(({ path, column }, index) =>
      path === 'slug'
        ? []
        : [
            {
              column,
              value: `CASE WHEN ${isGiven(index)} THEN s."${column}" ELSE ${otherValue(column, asOf)} END`,
            },
          ],
    ),
    ...(own.length > 0 ? [{ column: OWN, value: OWN_VALUE }] : []),
  ];
  await client.query(
    `UPDATE ${records} AS c SET completed = true, ${others.map(({ column }) => `"${column}" = b."${column}"`).join(', ')}
     FROM (
       SELECT s.ordinal, ${others.map(({ column, value }) => `${value} AS "${column}"`).join(', ')}
       FROM ${records} AS s ${bases(asOf)}
       WHERE s.ordinal >= $1 AND s.ordinal < $2 AND NOT s.rejected AND known IS NOT NULL
     ) AS b
     WHERE c.ordinal = b.ordinal AND c.ordinal >= $1 AND c.ordinal < $2`,
    run,
  );
}
