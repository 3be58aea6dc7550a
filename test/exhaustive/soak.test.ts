import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { sampleRandom } from '../../src/startups/sample/sample-random.ts';
import { isPostgresInstalled } from '../support/cluster.ts';
import { only } from '../support/only.ts';
import { findProgram } from '../support/program.ts';
import { testSeed } from '../support/runs.ts';
import { startLoad } from './soak/load.ts';
import { createModel, isExplained } from './soak/model.ts';
import { type SoakNode, startNode } from './soak/nodes.ts';
import { openOperator } from './soak/operator.ts';
import { createReport } from './soak/report.ts';

// Two nodes under load, while operators work and failures happen, with answers checked against a model.

const MINUTES = Number(process.env.TEST_SOAK_MINUTES ?? 30);
const SEED = testSeed();
/** For what is done before and after. */
const MARGIN_MS = 180_000;
const SAMPLE_MS = 500;
/** A process grows in its first minutes, whatever it is asked. */
const MINUTES_OF_GROWTH = 10;
const MOST_GROWTH = 1.3;
/** Between two actions: some begin before the last one has reached every node. */
const LONGEST_PAUSE_MS = 3_000;
/** Violations that are printed in full. */
const SHOWN = 5;

const isHere = isPostgresInstalled() && findProgram('redis-server') !== undefined;

only(isHere, "PostgreSQL's programs and redis-server").it(
  'two nodes answer only what is true, whatever happens to them and to what they need',
  async () => {
    const report = createReport();
    const model = createModel(SEED);
    const nodes: SoakNode[] = [];
    const operator = await openOperator(model, nodes, report);
    // A key that actions do not change.
    const main = await operator.prepare(sampleRandom(SEED + 1, -1));
    for (const name of ['A', 'B']) {
      nodes.push(await startNode(name, operator.settings));
    }
    report.progress(`begins: TEST_SEED=${SEED} TEST_SOAK_MINUTES=${MINUTES}`);
    const stopLoad = startLoad(model, nodes, main, operator.keys, report);
    const end = Date.now() + MINUTES * 60_000;
    let round: string[] = [];
    for (let index = 0; Date.now() < end && report.violations.length === 0; index += 1) {
      // The same for the same seed, whatever earlier actions chose. Each occurs once in every round, in a random order.
      const random = sampleRandom(SEED, index);
      round = round.length > 0 ? round : [...operator.actions];
      const [name = ''] = round.splice(random.below(round.length), 1);
      await wait(random.below(LONGEST_PAUSE_MS));
      report.actions.push(name);
      const done = await operator.act(name, random).catch((error) => report.violation(String(error)));
      report.progress(`${name}: ${done ?? 'failed'}`);
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
    const how = `TEST_SUITE=exhaustive TEST_SEED=${SEED} TEST_SOAK_MINUTES=${MINUTES} repeats the schedule.`;
    expect(report.violations.slice(0, SHOWN), `${report.violations.length} violations. ${how}`).toEqual([]);
    if (MINUTES >= MINUTES_OF_GROWTH) {
      for (const [, second = 0, , , last = 0] of memory) {
        expect(last).toBeLessThan(second * MOST_GROWTH);
      }
    }
  },
  MINUTES * 60_000 + MARGIN_MS,
);
