import { type Schedule, schedule as scheduleByTimer } from '../schedule.ts';
import { identityOf, SERVER_IDENTITY } from './identity.ts';

/** The revisions of what running nodes hold in memory. */
interface Revisions {
  readonly dataset: bigint;
  readonly keys: bigint;
  /**
   * Whether these follow those that were read before. Not after a reconnection, where another server or another life of
   * the data answers, and where a revision has decreased: what is remembered may then be of another history.
   */
  readonly isContinuous: boolean;
}

/** How often a node looks, in ms: changes are to be noticed within a second. */
const POLL_MS = 400;

/** A connection of the poll's own; pg's client is one. */
export interface PollConnection {
  query(sql: string): Promise<{ rows: { name: string; value: string | null }[] }>;
  /** Closes it; a query under way is rejected. */
  end(): Promise<void>;
}

/** Where to poll. */
interface PolledDatabase {
  connect(): Promise<PollConnection>;
  /** After so long without an answer, in ms, a connection is closed. */
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
  /** Which server, and which life of the data. */
  readonly identity: string;
}

/** Reads over a connection that is closed when it is silent. */
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
      // Some hosts keep their servers' identity to themselves.
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
 * Polls the revisions until stopped. One small query per node, whatever it holds; a failed one is
 * reported once, and again when the database answers.
 *
 * @param monotonic ms of a clock that nobody sets.
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
