import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import type { SampleRandom } from '../../../src/startups/sample/sample-random.ts';
import type { ImportRecord } from '../../support/records.ts';

/** All startups after one import. Each has the number of the import as its customers. */
export interface Dataset {
  readonly version: number;
  /** In the order of their ids. */
  readonly records: ImportRecord[];
}

/** What the API answers to a key: it works, was revoked, or is disabled. */
export type KeyStatus = 200 | 401 | 403;

/** What the database holds. */
export interface World {
  readonly dataset: Dataset;
  readonly keys: ReadonlyMap<string, KeyStatus>;
}

/** A time when something did not work, in ms since 1970. */
export interface Outage {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
  /** For so many ms after its end, its effects are allowed. */
  readonly recoveryMs: number;
}

/** A world and when nodes may show it. */
interface Moment {
  readonly index: number;
  readonly world: World;
  readonly from: number;
  /** When the database held another one. */
  replacedAt: number;
}

/** Within so many ms of a change, nodes may show either state. A second is promised to a machine that is not busy. */
const PROPAGATION_MS = 3_000;
/** Startups that each import adds. None comes again after it was removed, when it would have another id. */
const ADDED = 30;

export type Model = ReturnType<typeof createModel>;

/** Keeps what the database has held, and tells what nodes may show. */
export function createModel(seed: number) {
  const databaseOutages: Outage[] = [];
  const redisOutages: Outage[] = [];
  const first = { dataset: { version: 0, records: [] }, keys: new Map() };
  const moments: Moment[] = [{ index: 0, world: first, from: 0, replacedAt: Infinity }];
  let version = 0;
  const current = (): World => (moments.at(-1) as Moment).world;

  /** Until when nodes may show what was replaced at a time: longer where they cannot learn of it. */
  const lastShown = (replacedAt: number): number =>
    databaseOutages.reduce(
      (last, { from, to, recoveryMs }) => (from <= last ? Math.max(last, to + recoveryMs) : last),
      replacedAt + PROPAGATION_MS,
    );

  return {
    seed,
    databaseOutages,
    redisOutages,
    /** What the database holds. */
    current,
    /** The next version: all startups that are there, unless some are to be removed, and new ones. */
    nextImport(random: SampleRandom, isReplacing: boolean): Dataset {
      version += 1;
      const kept = current().dataset.records.filter(() => !isReplacing || random.chance(0.6));
      const added = [...sampleStartups({ count: ADDED, seed: seed + version })].map((record) => ({
        ...record,
        slug: `${record.slug}-${version}`,
        active: true,
        activeSubscriptions: 0,
      }));
      const records = [...kept, ...added].map((record) => {
        const { revenue } = random.chance(0.3) ? random.pick(added) : record;
        return { ...record, revenue, customers: version };
      });
      return { version, records };
    },
    /** Makes a change: nodes may show the new world from now on, and the old one for a while after the change. */
    async change<T>(change: Partial<World>, act: () => Promise<T>): Promise<T> {
      const world = { ...current(), ...change };
      moments.push({ index: moments.length, world, from: Date.now(), replacedAt: Infinity });
      const result = await act();
      for (const moment of moments.slice(0, -1)) {
        moment.replacedAt = Math.min(moment.replacedAt, Date.now());
      }
      return result;
    },
    /** What a request that lasted from one time to another may have been answered from, the newest first. */
    moments: (sentAt: number, receivedAt: number): Moment[] =>
      moments
        .filter(({ from, replacedAt }) => from <= receivedAt && lastShown(replacedAt) >= sentAt)
        .reverse(),
  };
}

/** Notes an outage for as long as an act lasts; or of a node that still answers, only after a delay. */
export async function during<T>(outages: Outage[], recoveryMs: number, act: () => Promise<T>, delayMs = 0) {
  const outage = { from: Date.now() + delayMs, to: Infinity, recoveryMs };
  outages.push(outage);
  const result = await act();
  outage.to = Date.now();
  return result;
}

/** Whether anything of a time lies in an outage or soon after it. */
export function isExplained(outages: readonly Outage[], from: number, to: number): boolean {
  return outages.some((outage) => outage.from <= to && from <= outage.to + outage.recoveryMs);
}
