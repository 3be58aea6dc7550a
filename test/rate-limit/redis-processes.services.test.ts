import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Reservation } from '../../src/rate-limit/counter.ts';
import { onRedis } from '../support/only.ts';
import { PATIENT_MS } from './redis-server.ts';

/** A node, of the built program: says that it is ready, and when told to, makes 500 reservations at once. */
const PROGRAM = `
  const { openCounter } = await import(process.env.MODULE);
  const { counter, close } = await openCounter({
    redisUrl: process.env.TEST_REDIS_URL,
    prefix: process.env.PREFIX,
    now: Date.now,
    timeoutMs: ${PATIENT_MS},
    onFallback: (_active, reason) => { throw new Error(reason); },
  });
  process.once('message', async () => {
    const storm = Array.from({ length: 500 }, () => counter.reserve('key:1', 1, 60));
    const answers = await Promise.all(storm);
    const last = await counter.reserve('key:1', 61, 60);
    process.send({ answers, last }, () => { close(); process.disconnect(); });
  });
  process.send('ready');
`;

onRedis.describe('two processes on one Redis', () => {
  it('admit exactly the limit under a storm, and agree on the window', async () => {
    const env = {
      ...process.env,
      MODULE: new URL('../../dist/rate-limit/open-counter.js', import.meta.url).href,
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
    expect(found[0]?.last).toEqual({ admitted: false, used: 60, limit: 60, resetAt: [...resets][0] });
    expect(found[1]?.last).toEqual(found[0]?.last);
    expect(await Promise.all(ends)).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});
