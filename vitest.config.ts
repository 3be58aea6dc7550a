import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { createEndReporter } from './test/support/end-reporter.ts';
import { suite } from './test/support/suites.ts';

const setup = './test/support';
/** Long runs with random values. */
const exhaustive = 'test/exhaustive/**/*.test.ts';
/** Third-party clients, and pages in a browser. Both have packages of their own. */
const clients = 'test/clients/*.test.ts';
const pages = 'test/clients/browser/*.test.ts';
/** What needs Redis or another program, starts many processes, or waits for limits. */
const ofServices = 'test/**/*.services.test.ts';
/** What checks random values. */
const ofProperties = 'test/**/*.properties.test.ts';
/** Folders whose tests run on PostgreSQL too: what sends SQL of its own, or needs sessions beside its own. */
const onDatabase = 'test/{access/{accounts,audit,keys,mails,usage},db,startups/import}/**/*.test.ts';
/** Files of these folders that open no database, or none but the embedded one. */
const notOnDatabase = [
  'test/access/keys/{documents/manifest,embed-origins,lookup-queue,policy,token.properties,verify}.test.ts',
  'test/access/usage/recorder.test.ts',
  'test/db/{backup/read-file,data-directory,embedded,revision-poll,secret-file}.test.ts',
  'test/startups/import/{mapping,notation.properties,notations,read.properties,sample,validate.properties,words}.test.ts',
];
/** What does so of folders that otherwise are about pages, texts and what is in memory. */
const onRows = [
  'test/api/gateway/{fleet,trusted-documents}.test.ts',
  'test/api/graphql/history.properties.test.ts',
  'test/api/{import-http,mails}/*.test.ts',
  'test/conformance/{changes,history}.test.ts',
  'test/main/commands/{administration,backup,data,doctor,fields,import*,migrate}.test.ts',
  'test/startups/{catalogue/{changes.properties,read,worker},model/retention.properties,own/*}.test.ts',
  'test/web/dashboard/{failures,first-operator,kept-upload,operator,overview,sign-in,unsent-mails,upload,keys/usage}.test.ts',
];
/** Tests of everything that works on the database, which are run once more through a pooler of connections. */
const throughPooler = [
  'test/{access/{accounts,keys},db/backup}/**/*.test.ts',
  'test/access/usage/{failures,store}.test.ts',
  'test/conformance/{changes,history}.test.ts',
  'test/startups/import/{as-of,import,lists-meanwhile,stopping}.test.ts',
  'test/main/commands/{backup,doctor}.test.ts',
  'test/web/dashboard/operator.test.ts',
  'test/db/{migrate,revisions}.test.ts',
];

const projects = {
  // What runs without a service: on the embedded database where a test needs one.
  default: [
    {
      name: 'default',
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: [exhaustive, 'test/clients/**', ofServices],
    },
  ],
  services: [
    {
      name: 'services',
      include: [onDatabase, ...onRows, ofServices],
      exclude: notOnDatabase,
      globalSetup: `${setup}/servers/redis.ts`,
    },
    {
      name: 'pgbouncer',
      include: throughPooler,
      exclude: notOnDatabase,
      globalSetup: `${setup}/servers/pgbouncer.ts`,
    },
    { name: 'clients', include: [clients] },
    { name: 'browser', include: [pages], globalSetup: `${setup}/browser.ts` },
  ],
  exhaustive: [
    { name: 'exhaustive', include: [exhaustive], testTimeout: 300_000 },
    // The properties once more, with values that no run had before.
    { name: 'properties', include: [ofProperties] },
  ],
}[suite];

/** The order of the files and of their tests, another in each run. */
const order = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
// Each run of the exhaustive suite looks elsewhere; every other has the same values each time.
process.env.TEST_SEED ??= suite === 'exhaustive' ? String(order) : '1';
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
      resolve: {
        alias: [
          { find: 'graphql', replacement: fileURLToPath(import.meta.resolve('graphql')) },
          // The views of src, not of dist.
          {
            find: /^#jsx\/.*/,
            replacement: fileURLToPath(new URL('src/web/shared/jsx.ts', import.meta.url)),
          },
        ],
      },
      test: {
        // What is waited for is progress, not time: often looked at, and patient where the machine is busy.
        testTimeout: 120_000,
        hookTimeout: 120_000,
        expect: { poll: { interval: 10, timeout: 60_000 } },
        setupFiles: [`${setup}/environment.ts`],
        // Test files share modules: loading the gateway once for each of them would take longer than most tests.
        isolate: false,
        ...test,
      },
    })),
    globalSetup: [
      './scripts/template.mjs',
      ...(process.env.TEST_DATABASE_URL === undefined ? [] : [`${setup}/servers/postgres.ts`]),
    ],
    // Vitest prints the seed.
    sequence: { shuffle: true, seed: order },
    // Most files hold a database engine in memory; two at a time is what a small machine bears.
    maxWorkers: 2,
    reporters: [
      'default',
      createEndReporter(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] as ['json', object]]),
    ],
  },
});
