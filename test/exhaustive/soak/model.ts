import { sampleStartups } from '../../../src/startups/import/sample.ts';
import { type SampleRandom, sampleRandom } from '../../../src/startups/import/sample-random.ts';
import type { ImportRecord } from '../../support/records.ts';

/** A startup as it is stored. */
export interface Stored {
  readonly record: ImportRecord;
  /** Counts stored records: one that is removed and imported again has another number, and another id. */
  readonly birth: number;
}

/** All startups after one import. Each has the number of the import as its customers. */
export interface Dataset {
  readonly version: number;
  /** In the order of their ids. */
  readonly stored: readonly Stored[];
  readonly records: ImportRecord[];
  readonly bySlug: ReadonlyMap<string, Stored>;
}

export interface StoredKey {
  /** The first of its line of rotated keys, which are disabled together. */
  readonly family: string;
  readonly isRevoked: boolean;
  readonly isDisabled: boolean;
  /** Another has taken over from it. */
  readonly isRotated: boolean;
}

/** What the database holds. */
export interface World {
  readonly dataset: Dataset;
  readonly keys: ReadonlyMap<string, StoredKey>;
}

/** What the API answers to a key. */
export function statusOfKey(key: StoredKey | undefined): 200 | 401 | 403 {
  if (key === undefined || key.isRevoked) {
    return 401;
  }
  return key.isDisabled ? 403 : 200;
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
export interface Moment {
  readonly index: number;
  readonly world: World;
  readonly from: number;
  /** When the database held another one. */
  replacedAt: number;
}

/** Within so many ms of a change, nodes may show either state. A second is promised to a machine that is not busy. */
const PROPAGATION_MS = 3_000;
/** A connection without an answer is given up after 5 seconds; the poll and the catalogue may do so one after the other. */
export const SILENT_RECOVERY_MS = 12_000;
/** The first build of the catalogue finds its connection lost, and the next begins a second later. */
export const DROPPED_RECOVERY_MS = 6_000;

const STARTUPS = 160;

/** Keeps what the database has held, and reports what nodes may show. */
export class Model {
  readonly databaseOutages: Outage[] = [];
  readonly redisOutages: Outage[] = [];
  /** Every startup that may come up, whether it was imported yet or not. */
  readonly slugs: readonly string[];
  readonly #pool: readonly ImportRecord[];
  readonly #moments: Moment[];
  #versions = 0;
  #births = 0;

  constructor(seed: number) {
    this.#pool = [...sampleStartups({ count: STARTUPS * 2, seed })].map((record) => ({
      ...record,
      ...{ active: true, activeSubscriptions: 0 },
    }));
    this.slugs = this.#pool.map(({ slug }) => slug);
    const world = { dataset: createDataset(0, []), keys: new Map() };
    this.#moments = [{ index: 0, world, from: 0, replacedAt: Number.POSITIVE_INFINITY }];
  }

  /** What the database holds. */
  get current(): Moment {
    const last = this.#moments.at(-1);
    if (last === undefined) {
      throw new Error('There is always a moment');
    }
    return last;
  }

  /** Records of a next version: all startups that are there, unless some are to be removed, and some others. */
  nextImport(random: SampleRandom, isReplacing: boolean): { records: ImportRecord[]; dataset: Dataset } {
    this.#versions += 1;
    const version = this.#versions;
    const { dataset } = this.current.world;
    const [kept, added] = [isReplacing ? 0.7 : 1, 0.25];
    const records = this.#pool
      .filter(({ slug }) => random.chance(dataset.bySlug.has(slug) ? kept : added))
      .map((record) => {
        const before = dataset.bySlug.get(record.slug)?.record ?? record;
        const { revenue } = random.chance(0.3) ? random.pick(this.#pool) : before;
        return { ...record, revenue, customers: version };
      });
    const given = new Map(records.map((record) => [record.slug, record]));
    const staying = dataset.stored.flatMap(({ record: { slug }, birth }) => {
      const record = given.get(slug);
      return record === undefined ? [] : [{ record, birth }];
    });
    const arriving = records
      .filter(({ slug }) => !dataset.bySlug.has(slug))
      .map((record) => {
        this.#births += 1;
        return { record, birth: this.#births };
      });
    return { records, dataset: createDataset(version, [...staying, ...arriving]) };
  }

  /** Begins a change: nodes may show the new world from now on, and the old one for a while after {@link settle}. */
  begin(change: Partial<World>): void {
    const { index, world } = this.current;
    this.#moments.push({
      ...{ index: index + 1, world: { ...world, ...change } },
      ...{ from: Date.now(), replacedAt: Number.POSITIVE_INFINITY },
    });
  }

  /** Ends a change. */
  settle(): void {
    const at = Date.now();
    for (const moment of this.#moments.slice(0, -1)) {
      moment.replacedAt = Math.min(moment.replacedAt, at);
    }
  }

  /** What a request that lasted from one time to another may have been answered from, the newest first. */
  *moments(sentAt: number, receivedAt: number): Generator<Moment> {
    for (let index = this.#moments.length - 1; index >= 0; index -= 1) {
      const moment = this.#moments[index];
      if (moment === undefined || this.#lastSeen(moment.replacedAt) < sentAt) {
        return;
      }
      if (moment.from <= receivedAt) {
        yield moment;
      }
    }
  }

  /**
   * Whether a node that answered at a time needs the database no more, later in an outage: it knew of all changes by
   * then, and has not learned of another since.
   */
  isSettled(answeredAt: number, at: number): boolean {
    const outage = this.databaseOutages.find(({ from, to }) => from <= at && at <= to);
    if (outage === undefined || answeredAt >= outage.from) {
      return false;
    }
    const replaced = this.#moments.filter(
      ({ from, replacedAt }) => from < outage.from && replacedAt < outage.from,
    );
    const last = replaced.at(-1)?.replacedAt ?? 0;
    const others = this.databaseOutages.filter((one) => one !== outage);
    return answeredAt > this.#lastSeen(last) && !isExplained(others, answeredAt, outage.from);
  }

  /** Until when nodes may show what was replaced at a time: longer where they cannot learn of it. */
  #lastSeen(replacedAt: number): number {
    return this.databaseOutages.reduce(
      (last, { from, to, recoveryMs }) => (from <= last ? Math.max(last, to + recoveryMs) : last),
      replacedAt + PROPAGATION_MS,
    );
  }
}

/** Whether anything of a time lies in an outage or soon after it. */
export function isExplained(outages: readonly Outage[], from: number, to: number): boolean {
  return outages.some((outage) => outage.from <= to && from <= outage.to + outage.recoveryMs);
}

function createDataset(version: number, stored: readonly Stored[]): Dataset {
  const records = stored.map(({ record }) => record);
  return { version, stored, records, bySlug: new Map(stored.map((one) => [one.record.slug, one])) };
}

/** A source of numbers for one of several things that happen at a time. */
export function randomOf(seed: number, name: string): SampleRandom {
  const number = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 31, 7);
  return sampleRandom(seed, number);
}
