import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { createSkippedReporter } from './test/support/skipped-reporter.ts';
import { suite, testsThatImport } from './test/support/suites.ts';

const setup = './test/support';
const exhaustive = 'test/exhaustive/**/*.test.ts';
const clients = 'test/clients/**/*.test.ts';
/** Pages in a browser. */
const pages = 'test/clients/browser/*.test.ts';
/** Tests of the package as it is installed from a registry, and of programs around the server. */
const deployment = 'test/deploy/{package,nginx,systemd}.test.ts';
/** Tests of everything that works on the database, which are run once more through a pooler of connections. */
const throughPooler = [
  'test/{accounts,backup,conformance,documents,keys,usage}/**/*.test.ts',
  'test/startups/import/*.test.ts',
  'test/cli/{administration,backup,doctor}.test.ts',
  'test/dashboard/operator.test.ts',
  'test/db/{migrate,revisions}.test.ts',
];
/** Tests of programs for users, which start many processes or wait for limits. */
const programs = ['test/examples/mirror.test.ts', 'test/docs/samples.test.ts'];
const onRedis = testsThatImport('rate-limit/redis-server.ts');
const onDatabase = testsThatImport('support/database.ts');
const ofProperties = testsThatImport('fast-check');

const projects = {
  // What runs without a service: on the embedded database where a test needs one.
  default: [
    {
      name: 'default',
      include: ['test/**/*.test.ts'],
      exclude: [exhaustive, clients, deployment, ...programs, ...onRedis],
    },
  ],
  services: [
    {
      name: 'services',
      include: [...onDatabase, ...onRedis, deployment],
      exclude: [exhaustive, clients],
      globalSetup: `${setup}/redis.ts`,
    },
    { name: 'pgbouncer', include: throughPooler, globalSetup: `${setup}/pgbouncer.ts` },
    { name: 'clients', include: [clients], exclude: [pages, 'test/clients/node_modules/**'] },
    { name: 'browser', include: [pages], testTimeout: 120_000, globalSetup: `${setup}/browser.ts` },
  ],
  exhaustive: [
    { name: 'exhaustive', include: [exhaustive], testTimeout: 300_000 },
    // The properties once more, with values that no run had before.
    { name: 'properties', include: ofProperties, exclude: [...onRedis, deployment] },
  ],
}[suite];

// Each run of the exhaustive suite looks elsewhere; every other is the same each time.
process.env.TEST_SEED ??= suite === 'exhaustive' ? String(Math.floor(Math.random() * 2 ** 31)) : '1';
if (suite === 'exhaustive') {
  process.env.TEST_RUNS ??= '20';
}
if (suite === 'services') {
  process.env.TEST_DATABASE_URL ??= 'postgres://postgres@127.0.0.1:5432/postgres';
  process.env.TEST_REDIS_URL ??= 'redis://127.0.0.1:6379';
} else if (suite === 'default') {
  delete process.env.TEST_DATABASE_URL;
  delete process.env.TEST_REDIS_URL;
}

const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    projects: projects.map((test) => ({
      // One copy of graphql: dependencies load its CommonJS build, so tests must too.
      resolve: { alias: { graphql: fileURLToPath(import.meta.resolve('graphql')) } },
      test: {
        testTimeout: 30_000,
        hookTimeout: 60_000,
        // What is waited for is progress, not time: often looked at, and patient where the machine is busy.
        expect: { poll: { interval: 10, timeout: 20_000 } },
        setupFiles: [`${setup}/environment.ts`],
        // Test files share modules: loading the gateway once for each of them would take longer than most tests.
        isolate: false,
        ...test,
      },
    })),
    globalSetup: [
      './scripts/template.mjs',
      ...(process.env.TEST_DATABASE_URL === undefined ? [] : [`${setup}/postgres.ts`]),
    ],
    pool: 'threads',
    // Most files hold a database engine in memory; two at a time is what a small machine bears.
    maxWorkers: 2,
    reporters: [
      'default',
      createSkippedReporter(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] as ['json', object]]),
    ],
  },
});
