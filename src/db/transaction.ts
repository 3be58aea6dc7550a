import { OperatorError } from '../lib/errors.ts';

/** What this needs of a connection; pg's client has it. */
interface Session {
  query(text: string): Promise<unknown>;
}

// Longer than the second after which PostgreSQL cancels an autovacuum that blocks it, and short, because
// all later writers wait for this lock.
const LOCK_TIMEOUT_MS = 2000;
const LOCK_ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = '55P03';

/** A PostgreSQL server, or the engine within the process. */
export type DatabaseKind = 'server' | 'embedded';

/** Everything is read as of one moment. */
export const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * Begins a transaction. A server ends it when its connection is lost or idle for too long: it must not keep its
 * locks for hours.
 *
 * @param idle the longest pause between two statements on a server, such as 60s.
 */
export async function begin(session: Session, kind: DatabaseKind, mode = '', idle?: string): Promise<void> {
  await session.query(`BEGIN ${mode}`);
  if (kind === 'server') {
    await session.query(
      setLocally({ ...SERVER_SETTINGS, ...(idle && { idle_in_transaction_session_timeout: idle }) }),
    );
  }
}

export const SERVER_SETTINGS = {
  idle_in_transaction_session_timeout: '60s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
} as const;

/** A statement that changes settings for a transaction. Never for a connection: a pooler shares connections. */
export function setLocally(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `SELECT ${calls.join(', ')}`;
}

/**
 * Blocks all other writers of these tables until the end of the transaction; reading continues.
 *
 * @param check called between attempts; throws to stop.
 * @throws OperatorError when another transaction locks them for a minute.
 */
export async function lockForWriting(session: Session, tables: readonly string[], check: () => void) {
  for (let attempt = 1; ; attempt += 1) {
    check();
    await session.query('SAVEPOINT before_lock');
    try {
      await session.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await session.query(`LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
      // The time-out is for the table locks only, not for row locks.
      await session.query('SET LOCAL lock_timeout = 0');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) {
        throw error;
      }
      if (attempt === LOCK_ATTEMPTS) {
        const seconds = (LOCK_ATTEMPTS * LOCK_TIMEOUT_MS) / 1000;
        throw new OperatorError(
          `Another transaction has kept the startups from being changed for ${seconds} seconds: end it, and try again. Nothing was written.`,
        );
      }
      await session.query('ROLLBACK TO before_lock');
    }
  }
}
