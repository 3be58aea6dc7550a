import type { Database } from '../../../src/db/open.ts';
import { createGate, type Gate } from '../../support/gate.ts';

/** A database whose look-ups of keys are recorded, and can be held back. */
export interface HeldLookUps {
  readonly database: Database;
  /** The hashes (lower-case hex) that were looked up, in their order. */
  readonly hashes: readonly string[];
  /** Holds back all answers from now on. */
  hold(): {
    /** Resolves when the first one is held back: the database has answered, and nobody knows it. */
    readonly reached: Promise<void>;
    release(): void;
  };
}

export function holdLookUps(database: Database): HeldLookUps {
  const hashes: string[] = [];
  let held: { reached: Gate; released: Gate } | undefined;
  const pool = Object.create(database.pool) as Database['pool'];
  const query = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<unknown>;
  pool.query = (async (...args: unknown[]) => {
    const isLookUp = String(args[0]).includes('FROM "api_keys"');
    if (isLookUp) {
      const [wanted] = args[1] as [Buffer[]];
      hashes.push(...wanted.map((hash) => hash.toString('hex')));
    }
    const answer = await query(...args);
    if (held !== undefined && isLookUp) {
      held.reached.open();
      await held.released.opened;
    }
    return answer;
  }) as typeof pool.query;
  return {
    database: { ...database, pool },
    hashes,
    hold() {
      const [reached, released] = [createGate(), createGate()];
      held = { reached, released };
      return {
        reached: reached.opened,
        release() {
          held = undefined;
          released.open();
        },
      };
    },
  };
}
