import type { Database } from '../../src/db/open.ts';

/** A database whose answers to look-ups of keys can be held back. */
export interface HeldLookUps {
  readonly database: Database;
  /** Holds back all answers from now on. */
  hold(): {
    /** Resolves when the first one is held back: the database has answered, and nobody knows it. */
    readonly reached: Promise<void>;
    release(): void;
  };
}

export function holdLookUps(database: Database): HeldLookUps {
  let held: { reach(): void; end: Promise<void> } | undefined;
  const pool = Object.create(database.pool) as Database['pool'];
  const query = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<unknown>;
  pool.query = (async (...args: unknown[]) => {
    const answer = await query(...args);
    if (held !== undefined && String(args[0]).includes('FROM "api_keys"')) {
      held.reach();
      await held.end;
    }
    return answer;
  }) as typeof pool.query;
  return {
    database: { ...database, pool },
    hold() {
      let [reach, end] = [(): void => {}, (): void => {}];
      const reached = new Promise<void>((resolve) => {
        reach = resolve;
      });
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      held = { reach, end: ended };
      return {
        reached,
        release() {
          held = undefined;
          end();
        },
      };
    },
  };
}
