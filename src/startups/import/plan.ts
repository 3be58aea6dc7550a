import { amount, OperatorError, quote } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import { pointColumns } from '../model/point-figures.ts';
import { DEFAULT_HISTORY_DAYS } from '../model/retention.ts';
import { type MostRemoved, type ReturnAnswer, USUAL_MOST_REMOVED } from './options.ts';
import { type ImportClient, isLacking, qualify, type Staging } from './staging.ts';

/** The past day as of which data is imported. */
interface AsOf {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  /** For how many days points of the history are kept. */
  readonly historyDays: number;
}

/** A startup as messages name it. */
export interface NamedStartup {
  readonly slug: string;
  readonly name: string;
}

/** How many startups of a kind messages name. */
export const NAMED = 10;

/** Slugs of removed startups about which a person must decide; all are counted. */
const MOST_ASKED = 100;

/**
 * Checks that data may be imported as of a day. Past days are imported from the oldest to the newest, because a
 * startup's state on a day follows from the days before.
 *
 * @throws OperatorError when it may not.
 */
export async function checkDay(client: ImportClient, { day, historyDays }: AsOf): Promise<void> {
  const { rows } = await client.query(
    `SELECT days.*, imported.* FROM (
       SELECT today::text, (today - $1::integer)::text AS oldest FROM revgate_utc_day(clock_timestamp()) AS today
     ) AS days, (SELECT max(as_of)::text AS last FROM imports WHERE undone_at IS NULL) AS imported`,
    [historyDays],
  );
  const { today, oldest, last } = rows[0] as { today: string; oldest: string; last: string | null };
  // Such texts are in the order of their days.
  if (day > today || day < oldest) {
    throw new OperatorError(
      `--as-of: got "${day}", allowed: a day from ${oldest}, the oldest that HISTORY_DAYS keeps, to ${today}, today in UTC. Nothing was written.`,
    );
  }
  if (last !== null && day < last) {
    throw new OperatorError(
      `--as-of: got "${day}", but ${last} has been imported already: import past days from the oldest to the newest. Nothing was written.`,
    );
  }
}

/** How records are applied. */
export interface PlanOptions {
  /** Also removes the records that are missing from the input: at most `most`, by default half of all; with `yes`, any number. */
  replace?: { readonly yes: boolean; readonly most?: MostRemoved | undefined } | undefined;
  /** Applies the data as if imported on a past day. Not together with `replace` or `sample`. */
  asOf?: AsOf | undefined;
  /** For how many days after its removal a startup continues when it returns. */
  historyDays?: number | undefined;
  /** By slug, whether a startup that has another name and website than the removed one is that one again. */
  returns?: Readonly<Record<string, ReturnAnswer>> | undefined;
  /** Of an update in part, gives the records of a run the values that they do not have. */
  complete?: ((from: number) => Promise<void>) | undefined;
  /** Stops the import at any moment, leaving the data unchanged. */
  signal?: AbortSignal | undefined;
}

/** What applying the staged records would do. */
export type ChangePlan = Awaited<ReturnType<typeof planChanges>>;

/** How many rows a plan writes or removes. */
export function countChanges(plan: ChangePlan): number {
  const { created, updated, pointsOnly, removed, removedSample } = plan;
  return created + updated + pointsOnly + removed + removedSample;
}

/**
 * Calculates, without changing any startup, what applying the staged records would do, and stores it in the
 * plan table of the staging.
 *
 * @param read how many records were read, rejected ones included, and how many of them were rejected.
 */
export async function planChanges(
  client: ImportClient,
  staging: Staging,
  read: { readonly records: number; readonly rejected: number },
  options: PlanOptions,
) {
  const { replace, signal } = options;
  // Read first, so that any later change shows as another revision.
  const revision = await readRevision(client);
  await client.query(`TRUNCATE ${staging.plan}`);
  const runs: ({ readonly from: number } & Awaited<ReturnType<typeof planRun>>)[] = [];
  for (let from = 0; from < read.records; from += staging.runLength) {
    signal?.throwIfAborted();
    await options.complete?.(from);
    runs.push({ from, ...(await planRun(client, staging, from, options)) });
  }
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE NOT sample)::integer AS existing,
       count(*) FILTER (WHERE sample)::integer AS "removedSample"
     FROM startups`,
  );
  const { existing, removedSample } = rows[0] as { existing: number; removedSample: number };
  const sum = (count: 'created' | 'updated' | 'returned' | 'pointsOnly' | 'found'): number =>
    runs.reduce((total, run) => total + run[count], 0);
  const [created, updated, returned] = [sum('created'), sum('updated'), sum('returned')];
  const removed = replace !== undefined ? existing - sum('found') : 0;
  if (returned > 0) {
    await checkReturns(client, staging, options);
  }
  return {
    created,
    /** Those that return included. */
    updated,
    /** Removed startups that are there again, with their history. */
    returned,
    firstReturned: returned === 0 ? [] : await findReturned(client, staging),
    unchanged: read.records - read.rejected - created - updated,
    /** Records of startups with newer data, or removed since: only points are written. */
    pointsOnly: sum('pointsOnly'),
    /** Records that the input lacks, to be removed; 0 unless it replaces. */
    removed,
    firstRemoved: removed === 0 ? [] : await findLacking(client, staging),
    removedSample,
    clearedOwn: sumCleared(staging, runs),
    /** How many records there are now, without the sample. */
    existing,
    /** All runs (batches) of staged records by the ordinal of their first one, in order. */
    runs,
    /** The dataset's revision that this plan is based on. */
    revision,
  };
}

/** What the statements of one run would do. */
async function planRun(
  client: ImportClient,
  { records, plan, runLength, columnNames, own }: Staging,
  from: number,
  { asOf, historyDays = DEFAULT_HISTORY_DAYS, returns = {}, complete }: PlanOptions,
) {
  // An update in part says itself what it clears.
  const mayClear = own.length > 0 && complete === undefined;
  const others = Object.keys(returns).filter((slug) => returns[slug] === 'new');
  const run = [from, from + runLength, asOf?.day ?? null, historyDays, others];
  // LATERAL with a LIMIT is always a look-up by index, whatever the planner believes of a temporary table.
  const { rows } = await client.query(
    `WITH pairs AS MATERIALIZED (
       SELECT s.ordinal, s.rejected, t.id AS stored_id, b.startup_id AS returning_id, h.*,
         CASE WHEN h.point_only THEN h.point_differs
           ELSE (${qualify('s', columnNames)}) IS DISTINCT FROM (${qualify('t', columnNames)}) END AS differs${mayClear ? ', s.own, t.own AS stored_own' : ''}
       FROM ${records} AS s
       LEFT JOIN LATERAL (SELECT * FROM startups WHERE slug = s.slug AND NOT sample LIMIT 1) AS t ON true
       CROSS JOIN LATERAL (${asOf === undefined ? ofToday : ofPastDay}) AS h
       LEFT JOIN LATERAL (
         SELECT startup_id FROM removed_startups
         WHERE h.id IS NULL AND ($3::date IS NULL OR day <= $3::date) AND slug = s.slug AND until IS NULL AND created_at IS NOT NULL
           AND day > revgate_utc_day(clock_timestamp()) - $4::integer AND slug <> ALL ($5::text[])
         ORDER BY day DESC, startup_id DESC LIMIT 1
       ) AS b ON true
       WHERE s.ordinal >= $1 AND s.ordinal < $2
     ), planned AS (
       INSERT INTO ${plan}
       SELECT ordinal, id, returning_id, point_only, until, is_confirmed, price
       FROM pairs WHERE NOT rejected AND (id IS NULL OR differs)
       RETURNING id, returning_id, point_only
     )
     SELECT (SELECT count(*) - count(coalesce(id, returning_id)) FROM planned)::integer AS created,
       (SELECT count(coalesce(id, returning_id)) FILTER (WHERE NOT point_only) FROM planned)::integer AS updated,
       (SELECT count(returning_id) FROM planned)::integer AS returned,
       (SELECT count(*) FILTER (WHERE point_only) FROM planned)::integer AS "pointsOnly",
       (SELECT count(stored_id) FROM pairs)::integer AS found,
       (SELECT range_agg(int4range(id, id + 1)) FROM pairs
        WHERE ${asOf === undefined} AND NOT rejected AND NOT differs)::text AS "unchangedIds"${mayClear ? `, ${CLEARED_OWN}` : ''}`,
    run,
  );
  return rows[0] as {
    readonly created: number;
    readonly updated: number;
    readonly returned: number;
    readonly pointsOnly: number;
    /** Stored startups, without the sample, with a slug of the run, also of a rejected record. */
    readonly found: number;
    /** The ids of unchanged startups as a text of PostgreSQL's int4multirange; null for none, and as of a past day. */
    readonly unchangedIds: string | null;
    /** In how many startups it clears a declared field, by its name; absent or null for none. */
    readonly clearedOwn?: Readonly<Record<string, number>> | null;
  };
}

const CLEARED_OWN = `(SELECT json_object_agg(name, count) FROM (
    SELECT name, count(*) FROM pairs CROSS JOIN LATERAL jsonb_object_keys(stored_own) AS name
    WHERE NOT rejected AND differs AND NOT point_only AND NOT coalesce(own, '{}') ? name GROUP BY name
  ) AS cleared) AS "clearedOwn"`;

/** How many values of each declared field an import clears, because records do not have it, in the order of the fields. */
function sumCleared(
  { own }: Staging,
  runs: readonly Awaited<ReturnType<typeof planRun>>[],
): readonly (readonly [path: string, count: number])[] {
  return own.flatMap(({ path, own: { name } }) => {
    const count = runs.reduce(
      (sum, { clearedOwn: cleared }) =>
        cleared && Object.hasOwn(cleared, name) ? sum + (cleared[name] as number) : sum,
      0,
    );
    return count > 0 ? [[path, count] as const] : [];
  });
}

/** What the plan has of a record `s` of today and its startup `t`. */
const ofToday = `
  SELECT t.id, false AS point_only, NULL::boolean AS point_differs, NULL::date AS until, false AS is_confirmed,
    NULL::bigint AS price`;

/**
 * What the plan has of a record `s` of the day `$3`. Its startup is the one that had the slug, or was the next to get
 * it: removed since, or else `t`. The record applies until the next point, removal or import of the startup. Without any,
 * it becomes the current data.
 */
const ofPastDay = `
  SELECT o.id, o.recorded IS NOT NULL OR c.day IS NOT NULL AS point_only,
    (${qualify('s', pointColumns)}) IS DISTINCT FROM (${qualify('p', pointColumns)}) AS point_differs,
    coalesce(c.day, o.recorded, 'infinity') AS until, c.day IS NOT NULL AS is_confirmed,
    p.asking_price AS price
  FROM (SELECT) AS one
  LEFT JOIN LATERAL (
    SELECT startup_id, day FROM removed_startups WHERE slug = s.slug AND day > $3::date
    ORDER BY startup_id, day LIMIT 1
  ) AS r ON true
  CROSS JOIN LATERAL (SELECT coalesce(r.startup_id, t.id) AS id) AS i
  CROSS JOIN LATERAL (
    SELECT i.id, least(r.day, (
      SELECT day FROM startup_points WHERE startup_id = i.id AND day > $3::date ORDER BY day LIMIT 1
    )) AS recorded
  ) AS o
  LEFT JOIN LATERAL (
    SELECT day FROM unchanged_startups
    WHERE day > $3::date AND (o.recorded IS NULL OR day < o.recorded) AND startup_ids @> o.id ORDER BY day LIMIT 1
  ) AS c ON true
  LEFT JOIN LATERAL revgate_point_on(o.id, $3::date) AS p ON true`;

/** Whether a startup is the removed one with its slug again. */
export interface ReturnQuestion {
  readonly slug: string;
  readonly text: string;
}

/** It must be answered first whether startups are removed ones again. */
export class ReturnsError extends OperatorError {
  readonly count: number;
  /** The first of them. */
  readonly questions: readonly ReturnQuestion[];

  constructor(count: number, questions: readonly ReturnQuestion[]) {
    super(
      `${amount(count, 'question')} about startups that return: nothing was written.`,
      ...questions.map(
        ({ slug, text }) =>
          `${slug}: ${text} Add --returns ${slug}=same, with which it continues, or --returns ${slug}=new.`,
      ),
    );
    this.count = count;
    this.questions = questions;
  }
}

/**
 * @throws ReturnsError with the removed startups that return with another name and another website, unless it was
 *   answered whether they are the same.
 */
async function checkReturns(
  client: ImportClient,
  { plan, records }: Staging,
  { returns = {} }: PlanOptions,
): Promise<void> {
  const { rows } = await client.query(
    `SELECT s.slug, r.day::text, r.name AS "nameBefore", r.website AS "websiteBefore", s.name, s.website,
       count(*) OVER ()::integer AS count
     FROM ${plan} AS p JOIN ${records} AS s ON s.ordinal = p.ordinal
     JOIN removed_startups AS r ON r.startup_id = p.returning_id AND r.until IS NULL
     WHERE lower(r.name) <> lower(s.name) AND ${hostAndPath('r.website')} IS DISTINCT FROM ${hostAndPath('s.website')}
       AND s.slug <> ALL ($1::text[])
     ORDER BY s.ordinal LIMIT ${MOST_ASKED}`,
    [Object.keys(returns)],
  );
  const asked = rows as unknown as (NamedStartup & {
    readonly day: string;
    readonly nameBefore: string;
    readonly websiteBefore: string | null;
    readonly website: string | null;
    readonly count: number;
  })[];
  if (asked.length > 0) {
    const described = (name: string, website: string | null): string =>
      `${quote(name)} (${website === null ? 'no website' : oneLine(website)})`;
    const questions = asked.map(({ slug, day, name, website, nameBefore, websiteBefore }) => ({
      slug,
      text: `got ${described(name, website)}, but until ${day} it was ${described(nameBefore, websiteBefore)}: is it the same startup again?`,
    }));
    throw new ReturnsError(asked[0]?.count ?? 0, questions);
  }
}

/** A website without what does not tell two apart. */
const hostAndPath = (column: string): string =>
  `lower(regexp_replace(${column}, '^https?://(www.)?|/+$', '', 'gi'))`;

/** The first startups that return. */
async function findReturned(client: ImportClient, { plan, records }: Staging): Promise<NamedStartup[]> {
  const { rows } = await client.query(
    `SELECT s.slug, s.name FROM ${plan} AS p JOIN ${records} AS s ON s.ordinal = p.ordinal
     WHERE p.returning_id IS NOT NULL ORDER BY p.ordinal LIMIT ${NAMED}`,
  );
  return rows as unknown as NamedStartup[];
}

/** The first startups that are missing from the input. */
async function findLacking(client: ImportClient, staging: Staging): Promise<NamedStartup[]> {
  const { rows } = await client.query(
    `SELECT slug, name FROM startups AS t WHERE ${isLacking(staging)} ORDER BY id LIMIT ${NAMED}`,
  );
  return rows as unknown as NamedStartup[];
}

/** An import would remove more startups than it may. */
export class RemovalError extends OperatorError {
  readonly which: string;
  readonly limit: string | undefined;
  /** What it says, in the words of a page. */
  readonly onPage: string;

  /**
   * @param which it would remove, such as `3 of 4 startups`.
   * @param limit that was set for it, such as `5%`; undefined: half of all.
   */
  constructor(which: string, limit?: string) {
    const what = `This would remove ${which}, more than ${limit ?? 'half'}: nothing was written.`;
    super(`${what} ${limit === undefined ? 'Add --yes' : 'Raise --max-removed'} to allow it.`);
    this.which = which;
    this.limit = limit;
    this.onPage = `${what} A rule below allows it.`;
  }
}

/** @throws RemovalError if a plan removes more startups than the import may. */
export function checkRemoval(
  { removed, existing, firstRemoved }: Pick<ChangePlan, 'removed' | 'existing' | 'firstRemoved'>,
  { replace }: PlanOptions,
): void {
  if (replace === undefined || replace.yes) {
    return;
  }
  const { number, isPercent } = replace.most ?? USUAL_MOST_REMOVED;
  if (removed > (isPercent ? (existing * number) / 100 : number)) {
    const which = `${removed.toLocaleString('en')} of ${amount(existing, 'startup')}`;
    const names = `(${nameStartups(firstRemoved, removed)})`;
    const limit = isPercent ? `${number}%` : number.toLocaleString('en');
    throw new RemovalError(`${which} ${names}`, replace.most && limit);
  }
}

/** Some startups by their names and slugs, and how many others there are. */
export function nameStartups(first: readonly NamedStartup[], all: number): string {
  const others = all - first.length;
  return [
    ...first.map(({ slug, name }) => `${oneLine(name)}, ${slug}`),
    ...(others > 0 ? [`and ${amount(others, 'other')}`] : []),
  ].join('; ');
}

/** The dataset's revision, as text. */
export async function readRevision(client: ImportClient): Promise<string> {
  const { rows } = await client.query(`SELECT value::text FROM revisions WHERE name = 'dataset'`);
  return String(rows[0]?.value);
}
