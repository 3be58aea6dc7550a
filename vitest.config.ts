import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One copy of graphql: dependencies load its CommonJS build, so tests must too.
  resolve: { alias: { graphql: fileURLToPath(import.meta.resolve('graphql')) } },
  test: {
    include: process.env.TEST_SCALE === undefined ? ['test/**/*.test.ts'] : ['test/scale/*.test.ts'],
    exclude: process.env.TEST_SCALE === undefined ? ['test/scale/**'] : [],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most files hold a database engine in memory; two at a time is what a small machine bears.
    maxWorkers: 2,
  },
});
