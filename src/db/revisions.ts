import { type Schedule, schedule as scheduleByTimer } from '../schedule.ts';
import { identityOf, SERVER_IDENTITY } from './identity.ts';

/** The revisions of the data that running nodes cache in memory. */
interface Revisions {
  readonly dataset: bigint;
  readonly keys: bigint;
  /**
   * Whether these follow those that were read before. False after a reconnection to another server or another history
   * of the database, and after a revision has decreased: cached data may then belong to another history.
   */
  readonly isContinuous: boolean;
}

/** The polling interval of a node, in ms: changes are to be noticed within a second. */
const POLL_MS = 400;

/** The separate connection of the poll; pg's client is one. */
export interface PollConnection {
  query(sql: string): Promise<{ rows: { name: string; value: string | null }[] }>;
  /** Closes it; a query in progress is rejected. */
  end(): Promise<void>;
}

/** Where to poll. */
interface PolledDatabase {
  connect(): Promise<PollConnection>;
  /** The time without an answer, in ms, after which a connection is closed. */
  readonly silenceMs: number;
}

/** A running poll. */
interface RevisionPoll {
  /** When the database last answered, in ms of the poll's clock. */
  readonly answeredAt: number;
  stop(): Promise<void>;
}

/** The callbacks of a poll, and how it waits between two queries. */
interface RevisionPollOptions {
  revisions(revisions: Revisions): void;
  failure(error: unknown): void;
  recovery(): void;
  /** Default: the timers of this process. */
  readonly schedule?: Schedule | undefined;
}

const REVISIONS = "SELECT name, value::text FROM revisions WHERE name IN ('dataset', 'keys', 'epoch')";

const WITH_SERVER = `${REVISIONS} UNION ALL ${SERVER_IDENTITY}`;

const INSUFFICIENT_PRIVILEGE = '42501';

interface Reading {
  readonly dataset: bigint;
  readonly keys: bigint;
  /** The identity of the server and the database history. */
  readonly identity: string;
}

/** Reads over a connection that is closed when it does not answer. */
class Reader {
  readonly #database: PolledDatabase;
  #connection: PollConnection | undefined;
  #sql = WITH_SERVER;

  constructor(database: PolledDatabase) {
    this.#database = database;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  async read(): Promise<Reading> {
    this.#connection ??= await this.#database.connect();
    const connection = this.#connection;
    const timer = setTimeout(() => void connection.end().catch(() => {}), this.#database.silenceMs);
    try {
      const { rows } = await this.#query(connection);
      const values = new Map(rows.map(({ name, value }) => [name, value ?? '']));
      return {
        dataset: BigInt(values.get('dataset') ?? 0),
        keys: BigInt(values.get('keys') ?? 0),
        identity: identityOf(values),
      };
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #query(connection: PollConnection) {
    try {
      return await connection.query(this.#sql);
    } catch (error) {
      if (this.#sql === REVISIONS || (error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) {
        throw error;
      }
      // Some hosts do not expose the identity of their servers.
      this.#sql = REVISIONS;
      return connection.query(this.#sql);
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.end().catch(() => {});
  }
}

/**
 * Polls the revisions until stopped, with one small query per node. An error is
 * reported once, and again after the database has answered.
 *
 * @param monotonic ms of a monotonic clock.
 */
export function pollRevisions(
  database: PolledDatabase,
  monotonic: () => number,
  on: RevisionPollOptions,
): RevisionPoll {
  const { schedule = scheduleByTimer } = on;
  const reader = new Reader(database);
  let answeredAt = monotonic();
  let last: Reading | undefined;
  let isFailing = false;
  let isStopped = false;
  const poll = async (): Promise<void> => {
    try {
      const wasConnected = reader.isConnected;
      const now = await reader.read();
      const { dataset, keys, identity } = now;
      const isContinuous =
        last === undefined ||
        (wasConnected && identity === last.identity && dataset >= last.dataset && keys >= last.keys);
      last = now;
      on.revisions({ dataset, keys, isContinuous });
      answeredAt = monotonic();
      if (isFailing) {
        on.recovery();
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        on.failure(error);
      }
      isFailing = true;
    }
    if (!isStopped) {
      cancel = schedule(start, POLL_MS);
    }
  };
  let running = Promise.resolve();
  const start = (): Promise<void> => {
    running = poll();
    return running;
  };
  let cancel = schedule(start, 0);
  return {
    get answeredAt() {
      return answeredAt;
    },
    async stop() {
      isStopped = true;
      cancel();
      await running;
      await reader.close();
    },
  };
}
