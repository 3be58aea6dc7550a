import { OperatorError } from '../errors.ts';

/** What this needs of a connection; pg's client has it. */
interface Session {
  query(text: string): Promise<unknown>;
}

// Longer than the second after which PostgreSQL cancels an autovacuum that stands in the way, and short,
// because nothing can be stopped while waiting.
const LOCK_TIMEOUT_MS = 2000;
const LOCK_ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Begins a transaction in which nobody else writes these tables; reading goes on.
 *
 * @param check called between attempts; throws to stop.
 * @throws OperatorError when another transaction keeps them for a minute.
 */
export async function beginAlone(
  session: Session,
  tables: readonly string[],
  check: () => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    check();
    await session.query('BEGIN');
    try {
      await session.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await session.query(`LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
      // The rows' own locks are no longer in question.
      await session.query('SET LOCAL lock_timeout = 0');
      return;
    } catch (error) {
      await session.query('ROLLBACK').catch(() => {});
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) {
        throw error;
      }
      if (attempt === LOCK_ATTEMPTS) {
        const seconds = (LOCK_ATTEMPTS * LOCK_TIMEOUT_MS) / 1000;
        throw new OperatorError(
          `Another transaction has kept the startups from being changed for ${seconds} seconds: end it, and try again. Nothing was written.`,
        );
      }
    }
  }
}
