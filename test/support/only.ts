import { describe, it, type TestFunction } from 'vitest';
import { suites } from './suites.ts';

interface Registry {
  it(name: string, test: TestFunction, timeout?: number): void;
  describe(name: string, tests: () => void): void;
}

/**
 * Registers tests that need something that is not everywhere. Where it is missing they are skipped, and the end of
 * the run says what they need.
 */
export function only(isThere: boolean, need: string): Registry {
  const named = (name: string): string => (isThere ? name : `${name} [needs ${need}]`);
  return {
    it: (name, test, timeout) => it.runIf(isThere)(named(name), test, timeout),
    describe: (name, tests) => describe.runIf(isThere)(named(name), tests),
  };
}

const services = suites.services.command;

/** Tests that need PostgreSQL itself. */
export const onPostgres = only(process.env.TEST_DATABASE_URL !== undefined, `PostgreSQL: ${services}`);

/** Tests that need Redis, in files that otherwise do without. */
export const onRedis = only(process.env.TEST_REDIS_URL !== undefined, `Redis: ${services}`);
