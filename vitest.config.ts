import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// What takes long or needs more than Node runs apart, in scripts of its own.
const apart = ['scale', 'browser'];
const asked = apart.find((name) => process.env[`TEST_${name.toUpperCase()}`] !== undefined);

export default defineConfig({
  // One copy of graphql: dependencies load its CommonJS build, so tests must too.
  resolve: { alias: { graphql: fileURLToPath(import.meta.resolve('graphql')) } },
  test: {
    include: [asked === undefined ? 'test/**/*.test.ts' : `test/${asked}/*.test.ts`],
    exclude: asked === undefined ? apart.map((name) => `test/${name}/**`) : [],
    testTimeout: asked === 'browser' ? 120_000 : 30_000,
    hookTimeout: 60_000,
    // Most files hold a database engine in memory; two at a time is what a small machine bears.
    maxWorkers: 2,
  },
});
