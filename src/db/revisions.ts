import { repeat, type Schedule } from '../lib/loop/schedule.ts';

export interface DatabaseIdentity {
  /** The server and the history of the database: revisions and ids are comparable only if it is the same. */
  readonly identity: string;
  /** When the server started; null if this, or a part of the identity, cannot be read. A crash may lose commits. */
  readonly serverStart: string | null;
}

/** What this needs of a connection; pg's client has it. */
interface Session {
  query(sql: string): Promise<{ rows: DatabaseIdentity[] }>;
}

export async function readIdentity(session: Session): Promise<DatabaseIdentity> {
  const { rows } = await session.query(
    'SELECT identity, server_start AS "serverStart" FROM revgate_identity()',
  );
  return rows[0] as DatabaseIdentity;
}

/**
 * Whether a database is the one that was read before, in the same history of it.
 *
 * @param isReconnected whether the earlier read was over another connection, and so perhaps of another server.
 */
export function isSameHistory(
  { identity, serverStart }: DatabaseIdentity,
  earlier: DatabaseIdentity,
  isReconnected: boolean,
): boolean {
  const isSameServer = serverStart === earlier.serverStart && !(isReconnected && serverStart === null);
  return isSameServer && identity === earlier.identity;
}

interface Revisions {
  readonly dataset: bigint;
  readonly keys: bigint;
}

/** The polling interval of a node, in ms: changes are to be noticed within a second. */
const POLL_MS = 400;
/** The longest time without a query of a database that nobody uses, in ms, below the least MAX_STALENESS: it may have stopped answering. */
const UNUSED_MS = 4_000;

export interface PollConnection {
  query(sql: string): Promise<{ rows: (DatabaseIdentity & { dataset: string; keys: string })[] }>;
  /** Closes it; a query in progress is rejected. */
  end(): Promise<void>;
}

export interface PolledDatabase {
  connect(): Promise<PollConnection>;
  /** The time without an answer, in ms, after which a connection is closed. */
  readonly silenceMs: number;
  /** How often others have used it, where that is known. While this stays the same, nothing has changed. */
  uses?(): number;
}

/** The callbacks of a poll, and how it waits between two queries. */
interface RevisionPollOptions {
  /**
   * Called before revisions that do not follow those that were read before: after a restart of the server, a reconnection to
   * another server or one that cannot be identified, in another history of the database, and after a revision has
   * decreased. Cached data may then belong to another history.
   */
  reset(): void;
  revisions(revisions: Revisions): void;
  failure(error: unknown): void;
  recovery(): void;
  /** Default: the timers of this process. */
  readonly schedule?: Schedule | undefined;
}

const REVISIONS = `SELECT (SELECT value FROM revisions WHERE name = 'dataset') AS dataset,
    (SELECT value FROM revisions WHERE name = 'keys') AS keys, identity, server_start AS "serverStart"
  FROM revgate_identity()`;

type Reading = Revisions & DatabaseIdentity;

/** Reads over a connection that is closed when it does not answer. */
async function readOver(connection: PollConnection, silenceMs: number): Promise<Reading> {
  const timer = setTimeout(() => void connection.end().catch(() => {}), silenceMs);
  try {
    const [read] = (await connection.query(REVISIONS)).rows;
    if (read === undefined) {
      throw new Error('The database does not say which one it is');
    }
    return { ...read, dataset: BigInt(read.dataset), keys: BigInt(read.keys) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Polls the revisions until stopped, with one small query per node. An error is
 * reported once, and again after the database has answered.
 *
 * @param monotonic ms of a monotonic clock.
 */
export function pollRevisions(database: PolledDatabase, monotonic: () => number, on: RevisionPollOptions) {
  let connection: PollConnection | undefined;
  const disconnect = async (): Promise<void> => {
    const closed = connection;
    connection = undefined;
    await closed?.end().catch(() => {});
  };
  let answeredAt = monotonic();
  let last: Reading | undefined;
  let uses: number | undefined;
  let readAt = -UNUSED_MS;
  const read = async (): Promise<Reading> => {
    const before = database.uses?.();
    const isUnused = before !== undefined && before === uses && monotonic() - readAt < UNUSED_MS;
    if (last !== undefined && isUnused && !isFailing) {
      return last;
    }
    uses = before;
    readAt = monotonic();
    connection ??= await database.connect();
    const reading = await readOver(connection, database.silenceMs);
    answeredAt = monotonic();
    return reading;
  };
  let isFailing = false;
  const poll = async (): Promise<number> => {
    try {
      const wasConnected = connection !== undefined;
      const now = await read();
      const { dataset, keys } = now;
      const isContinuous =
        last === undefined ||
        (isSameHistory(now, last, !wasConnected) && dataset >= last.dataset && keys >= last.keys);
      last = now;
      if (!isContinuous) {
        on.reset();
      }
      on.revisions({ dataset, keys });
      if (isFailing) {
        on.recovery();
      }
      isFailing = false;
    } catch (error) {
      await disconnect();
      if (!isFailing) {
        on.failure(error);
      }
      isFailing = true;
    }
    return POLL_MS;
  };
  const polling = repeat(poll, 0, on.schedule);
  return {
    /** When the database last answered, in ms of the poll's clock. */
    get answeredAt(): number {
      return answeredAt;
    },
    async stop(): Promise<void> {
      await polling.stop();
      await disconnect();
    },
  };
}
