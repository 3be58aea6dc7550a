import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { testDirectory } from '../cli/process.ts';
import { startRedis } from '../rate-limit/redis-server.ts';
import { isInstalled, isPostgresInstalled, startCluster } from '../support/cluster.ts';
import { only } from '../support/only.ts';
import { openProxy } from '../support/proxy.ts';
import { testSeed } from '../support/runs.ts';
import { DOCUMENT, EMBED_ORIGIN, type HeldKey } from './soak/asks.ts';
import { LIMITS, Load } from './soak/load.ts';
import { unexplainedLines } from './soak/logs.ts';
import { isExplained, Model, randomOf } from './soak/model.ts';
import { SoakNode } from './soak/nodes.ts';
import { NEW_KEY, Operator } from './soak/operator.ts';
import { timeRecovery } from './soak/recovery.ts';
import { fifths, Report } from './soak/report.ts';
import { schedule } from './soak/schedule.ts';

// Two nodes under load, while operators and failures do what they do, all answers checked against a model.

const MINUTES = Number(process.env.TEST_SOAK_MINUTES ?? 30);
const SEED = testSeed();
/** For what is done before and after. */
const MARGIN_MS = 180_000;
const SAMPLE_MS = 500;
/** A process grows in its first minutes whatever it is asked. */
const MINUTES_OF_GROWTH = 10;
const MOST_GROWTH = 1.3;

/** Servers, with data and keys that acts do not change, and two nodes. */
async function openSoak(report: Report) {
  const model = new Model(SEED);
  const directory = testDirectory();
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const primary = await startCluster();
  const standby = await primary.standby().catch(async (error) => {
    await primary.remove();
    throw error;
  });
  const proxy = await openProxy({ host: '127.0.0.1', port: primary.port });
  const nodes: SoakNode[] = [];
  let failures = 0;
  const operator = new Operator({
    ...{ model, directory, redis, primary, standby, proxy, nodes },
    onFailure: () => {
      failures += 1;
    },
    onRecovery: (failure, need, some) => {
      const before = failures;
      void timeRecovery(some, need, main, () => failures !== before).then((ms) => {
        if (ms !== undefined) {
          report.recovered(failure, ms);
          report.progress(`  back ${ms} ms after: ${failure}`);
        }
      });
    },
  });
  onTestFinished(async () => {
    failures += 1;
    await operator.close();
  });
  const makeKey = async (...more: string[]): Promise<HeldKey> =>
    JSON.parse(await operator.command(...NEW_KEY, ...more));
  const main = await makeKey();
  const metered = [await makeKey('--tier', 'standard'), await makeKey('--tier', 'standard')];
  const embed = await makeKey('--embed', '--origin', EMBED_ORIGIN);
  const manifest = 'manifest.json';
  writeFileSync(join(directory, manifest), JSON.stringify({ top: DOCUMENT }));
  const publish = (key: HeldKey) =>
    operator.command('documents', 'publish', manifest, '--key', key.id, '--json');
  const [{ id: documentId }] = JSON.parse(await publish(main));
  await publish(embed);
  const random = randomOf(SEED, 'before');
  await operator.act('import', random);
  for (let made = 0; made < 4; made += 1) {
    await operator.createKey();
  }
  await operator.backup();
  const env = {
    DATABASE_URL: primary.url.replace(String(primary.port), String(proxy.port)),
    REDIS_URL: redis.url,
    RATE_LIMIT_NODES: '2',
    RATE_LIMIT_STANDARD: String(LIMITS.standard),
    RATE_LIMIT_PREMIUM: String(LIMITS.premium),
    RATE_LIMIT_EMBED: String(LIMITS.premium),
    TRUST_PROXY: '1',
    AUTH_SECRET: 'secret-of-a-soak-test-that-guards-nothing',
  };
  for (const name of ['A', 'B']) {
    const node = await SoakNode.start(name, env);
    onTestFinished(() => node.close());
    nodes.push(node);
  }
  const keys = { main, metered, embed };
  const load = new Load({ model, nodes, operator, keys, documentId, report, seed: SEED });
  return { model, operator, nodes, load };
}

const isHere = isPostgresInstalled() && isInstalled('redis-server');

only(isHere, "PostgreSQL's programs and redis-server").it(
  'two nodes answer nothing but what is so, whatever happens to them and to what they need',
  async () => {
    const report = new Report();
    const { model, operator, nodes, load } = await openSoak(report);
    report.progress(`begins: TEST_SEED=${SEED} TEST_SOAK_MINUTES=${MINUTES}`);
    const sampling = setInterval(() => {
      for (const node of nodes) {
        node.sampleMemory();
        if (node.hasFailed) {
          report.violation(`node ${node.name} has ended:\n${node.log().slice(-2_000)}`);
        }
      }
    }, SAMPLE_MS);
    onTestFinished(() => clearInterval(sampling));
    const loading = load.run();
    onTestFinished(async () => {
      load.stop();
      await loading;
    });
    const end = Date.now() + MINUTES * 60_000;
    for (const { name, pauseMs, random } of schedule(SEED)) {
      await wait(pauseMs);
      if (Date.now() > end || report.violations.length > 0) {
        break;
      }
      report.begin(name);
      const startedAt = Date.now();
      const done = await operator.act(name, random).catch((error) => {
        report.violation(String(error));
        return 'failed';
      });
      report.progress(`${name}: ${done} (${Date.now() - startedAt} ms)`);
    }
    report.act = 'the end';
    // Longer than anything is forgiven.
    while (report.violations.length === 0 && isExplained(model.databaseOutages, Date.now(), Date.now())) {
      await wait(SAMPLE_MS);
    }
    await wait(SAMPLE_MS * 10);
    load.stop();
    await loading;
    clearInterval(sampling);
    if (report.violations.length === 0) {
      await load.expectRecovered();
    }
    for (const line of nodes.flatMap((node) => unexplainedLines(node, model))) {
      report.violation(line);
    }
    report.progress(`ends\n${report.summary(nodes)}`);
    expect(report.violations.length, report.failure(SEED, MINUTES)).toBe(0);
    if (MINUTES >= MINUTES_OF_GROWTH) {
      for (const [, second = 0, , , last = 0] of nodes.map(({ memory }) => fifths(memory))) {
        expect(last).toBeLessThan(second * MOST_GROWTH);
      }
    }
  },
  MINUTES * 60_000 + MARGIN_MS,
);
