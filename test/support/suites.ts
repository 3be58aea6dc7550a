import { fileURLToPath } from 'node:url';

/** Where the repository is. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** The suites of tests, and how each is run. A test file belongs to at least one of them. */
export const suites = {
  default: { command: 'npm test', needs: 'nothing but Node' },
  services: {
    command: 'npm run test:services',
    needs: 'PostgreSQL, PgBouncer, Redis, Chromium and the packages of test/clients',
  },
  exhaustive: { command: 'npm run test:exhaustive', needs: 'half an hour' },
} as const;

export type Suite = keyof typeof suites;

/** The suite that TEST_SUITE names. */
export const suite: Suite = readSuite(process.env.TEST_SUITE ?? 'default');

function readSuite(name: string): Suite {
  if (!(name in suites)) {
    throw new Error(`TEST_SUITE: got ${name}, allowed ${Object.keys(suites).join(', ')}`);
  }
  return name as Suite;
}
