import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { sampleRandom } from '../../src/startups/import/sample-random.ts';
import { isInstalled, isPostgresInstalled } from '../support/cluster.ts';
import { only } from '../support/only.ts';
import { testSeed } from '../support/runs.ts';
import { LIMITS, startLoad } from './soak/load.ts';
import { createModel, isExplained } from './soak/model.ts';
import { type SoakNode, startNode } from './soak/nodes.ts';
import { openOperator } from './soak/operator.ts';
import { createReport } from './soak/report.ts';
import { schedule } from './soak/schedule.ts';

// Two nodes under load, while operators work and failures happen, with answers checked against a model.

const MINUTES = Number(process.env.TEST_SOAK_MINUTES ?? 30);
const SEED = testSeed();
/** For what is done before and after. */
const MARGIN_MS = 180_000;
const SAMPLE_MS = 500;
/** A process grows in its first minutes, whatever it is asked. */
const MINUTES_OF_GROWTH = 10;
const MOST_GROWTH = 1.3;

const isHere = isPostgresInstalled() && isInstalled('redis-server');

only(isHere, "PostgreSQL's programs and redis-server").it(
  'two nodes answer only what is true, whatever happens to them and to what they need',
  async () => {
    const report = createReport();
    const model = createModel(SEED);
    const nodes: SoakNode[] = [];
    const operator = await openOperator(model, nodes, report);
    // Data and keys that actions do not change.
    const fixed = await operator.prepare(sampleRandom(SEED + 1, -1));
    for (const name of ['A', 'B']) {
      const settings = {
        ...operator.settings,
        RATE_LIMIT_NODES: '2',
        RATE_LIMIT_STANDARD: String(LIMITS.standard),
        RATE_LIMIT_PREMIUM: String(LIMITS.premium),
        TRUST_PROXY: '1',
        AUTH_SECRET: 'secret-of-a-soak-test-that-guards-nothing',
      };
      nodes.push(await startNode(name, settings));
    }
    report.progress(`begins: TEST_SEED=${SEED} TEST_SOAK_MINUTES=${MINUTES}`);
    const stopLoad = startLoad({ model, nodes, fixed, keys: operator.keys, report, seed: SEED });
    const end = Date.now() + MINUTES * 60_000;
    for (const { name, pauseMs, random } of schedule(SEED, operator.actions)) {
      await wait(pauseMs);
      if (Date.now() > end || report.violations.length > 0) {
        break;
      }
      report.begin(name);
      const done = await operator.act(name, random).catch((error) => {
        report.violation(String(error));
        return 'failed';
      });
      report.progress(`${name}: ${done}`);
      for (const node of nodes) {
        node.sampleMemory();
      }
    }
    // Until nothing is forgiven any more: the last requests have to be answered from what is stored now.
    while (report.violations.length === 0 && isExplained(model.databaseOutages, Date.now(), Date.now())) {
      await wait(SAMPLE_MS);
    }
    await wait(SAMPLE_MS * 10);
    await stopLoad();
    for (const line of nodes.flatMap((node) => node.unexplainedLines())) {
      report.violation(`a node has logged: ${line}`);
    }
    const memory = nodes.map((node) => node.memory());
    report.progress(`ends\n${report.summary(operator.failures, memory)}`);
    expect(report.violations.length, report.failure(SEED, MINUTES)).toBe(0);
    if (MINUTES >= MINUTES_OF_GROWTH) {
      for (const [, second = 0, , , last = 0] of memory) {
        expect(last).toBeLessThan(second * MOST_GROWTH);
      }
    }
  },
  MINUTES * 60_000 + MARGIN_MS,
);
