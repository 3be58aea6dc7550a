import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reservation } from '../../src/rate-limit/counter.ts';
import { sharedRedisUrl } from './redis-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Below node_modules, so that what is built there finds the packages.
const built = join(root, 'node_modules', '.cache', `revgate-${randomUUID()}`);

/** A node: says that it is ready, and when told to, makes 500 reservations at once. */
const PROGRAM = `
  const { openCounter } = await import(process.env.MODULE);
  const { counter, close } = await openCounter({
    redisUrl: process.env.TEST_REDIS_URL,
    prefix: process.env.PREFIX,
    nodes: 2,
    now: Date.now,
    onFallback: (_active, reason) => { throw new Error(reason); },
  });
  process.once('message', async () => {
    const storm = Array.from({ length: 500 }, () => counter.reserve('key:1', 1, 60));
    const answers = await Promise.all(storm);
    const last = await counter.peek('key:1', 60);
    process.send({ answers, last }, () => { close(); process.disconnect(); });
  });
  process.send('ready');
`;

describe.skipIf(sharedRedisUrl === undefined)('two processes on one Redis', () => {
  beforeAll(() => {
    mkdirSync(built, { recursive: true });
    const project = {
      extends: join(root, 'tsconfig.build.json'),
      compilerOptions: { outDir: built, rootDir: join(root, 'src') },
      files: [join(root, 'src/rate-limit/open-counter.ts')],
      include: [],
    };
    writeFileSync(join(built, 'tsconfig.json'), JSON.stringify(project));
    const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
    execFileSync(process.execPath, [join(dirname(manifest), 'bin/tsc'), '-p', built]);
  });

  afterAll(() => rmSync(built, { recursive: true, force: true }));

  it('admit exactly the limit under a storm, and agree on the window', async () => {
    const env = {
      ...process.env,
      MODULE: pathToFileURL(join(built, 'rate-limit/open-counter.js')).href,
      PREFIX: `revgate-test:${randomUUID()}:`,
    };
    const nodes = [1, 2].map(() =>
      spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
        env,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
    );
    await Promise.all(nodes.map((node) => once(node, 'message')));
    const reports = nodes.map((node) => once(node, 'message'));
    const ends = nodes.map((node) => once(node, 'exit'));
    for (const node of nodes) {
      node.send('go');
    }
    const found = (await Promise.all(reports)).map(
      ([report]) => report as { answers: Reservation[]; last: object },
    );
    const admitted = found.flatMap(({ answers }) => answers.filter((answer) => answer.admitted));
    expect(admitted.map(({ used }) => used).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, i) => i + 1),
    );
    const resets = new Set(found.flatMap(({ answers }) => answers.map(({ resetAt }) => resetAt)));
    expect(resets.size).toBe(1);
    expect(found[0]?.last).toEqual({ used: 60, limit: 60, resetAt: [...resets][0] });
    expect(found[1]?.last).toEqual(found[0]?.last);
    expect(await Promise.all(ends)).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});
