import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { SampleRandom } from '../../../src/startups/sample/sample-random.ts';
import { startRedis } from '../../access/limits/redis-server.ts';
import { run, testDirectory } from '../../main/commands/process.ts';
import { startCluster } from '../../support/cluster.ts';
import { openProxy } from '../../support/servers/proxy.ts';
import { type HeldKey, unknownKey } from './asks.ts';
import { call, LIMITS } from './load.ts';
import { during, type KeyStatus, type Model } from './model.ts';
import type { SoakNode } from './nodes.ts';
import type { Report } from './report.ts';

const LONGEST_RECOVERY_MS = 30_000;
/** A connection without an answer is given up after 5 s; the poll and the catalogue may do so one after the other. */
const SILENT_RECOVERY_MS = 12_000;
/** The first build of the catalogue finds its connection lost, and the next begins a second later. */
const DROPPED_RECOVERY_MS = 6_000;
/** A node tries to reach Redis every 2 seconds. */
const REDIS_RECOVERY_MS = 5_000;

/** What a command does to a key: from which status to which, and its arguments after the key's id. */
const keyChanges = {
  revoke: [200, 401],
  disable: [200, 403, '--reason', 'a soak test'],
  enable: [403, 200],
} as const;

type Actions = Readonly<Record<string, (random: SampleRandom) => Promise<string>>>;

/**
 * Starts what nodes need, and an operator, who does one action at a time and writes into the model what has become of
 * the data. Nodes reach the database through a proxy; the operator does not.
 */
export async function openOperator(model: Model, nodes: readonly SoakNode[], report: Report) {
  const redis = await startRedis();
  let primary = await startCluster();
  onTestFinished(primary.remove);
  const proxy = await openProxy({ host: '127.0.0.1', port: primary.port });
  /** Every key that was ever created by actions, whatever has become of it. */
  const keys: HeldKey[] = [];
  const directory = testDirectory();

  /** Runs a command on the database itself. */
  async function command(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(args, { env: { DATABASE_URL: primary.url }, cwd: directory });
    if (code !== 0) {
      throw new Error(`revgate ${args.join(' ')} exited with ${code}: ${stderr}${stdout}`);
    }
    return stdout;
  }

  async function importData(random: SampleRandom, isReplacing: boolean): Promise<string> {
    const dataset = model.nextImport(random, isReplacing);
    const file = `${dataset.version}.ndjson`;
    const text = dataset.records.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(join(directory, file), text);
    const options = isReplacing ? ['--replace', '--yes'] : [];
    await model.change({ dataset }, () => command('import', file, ...options));
    return `version ${dataset.version}: ${dataset.records.length} records`;
  }

  async function newKey(): Promise<HeldKey> {
    const args = ['create', '--name', 'soak', '--accept-policy', '--json', '--tier', 'premium'];
    return JSON.parse(await command('keys', ...args));
  }

  /** Adds a key that was created, for actions to change. Nobody could use it before. */
  async function addKey(key: HeldKey): Promise<string> {
    await model.change({ keys: new Map(model.current().keys).set(key.id, 200) }, async () => {});
    keys.push(key);
    return key.id;
  }

  async function changeKey(random: SampleRandom, name: keyof typeof keyChanges): Promise<string> {
    const [before, after, ...options] = keyChanges[name];
    const held = model.current().keys;
    const ids = [...held].filter(([, status]) => status === before).map(([id]) => id);
    if (ids.length === 0) {
      return 'there was none';
    }
    const id = random.pick(ids);
    const changed = new Map<string, KeyStatus>(held).set(id, after);
    await model.change({ keys: changed }, () => command('keys', name, id, ...options));
    return id;
  }

  /** An import or the end of a key. */
  const anyChange = (random: SampleRandom): Promise<string> =>
    random.chance(0.5) ? importData(random, random.chance(0.5)) : changeKey(random, 'revoke');

  async function freezeDatabase(random: SampleRandom): Promise<string> {
    const ms = random.pick([500, 6_000]) + random.below(3_000);
    return during(model.databaseOutages, SILENT_RECOVERY_MS, async () => {
      await proxy.turn('frozen');
      await wait(ms / 2);
      const meanwhile = await anyChange(random);
      await wait(ms / 2);
      await proxy.turn('open');
      // Otherwise the connections that lost bytes stay open, as behind a firewall that forgot them.
      if (random.chance(0.5)) {
        proxy.disconnect();
      }
      return `${ms} ms, meanwhile ${meanwhile}`;
    });
  }

  /** A standby takes over: with everything, or without the last changes. */
  async function failOver(random: SampleRandom, isLossy: boolean): Promise<string> {
    const old = primary;
    const next = await old.standby();
    onTestFinished(next.remove);
    await next.catchUp(old);
    const world = model.current();
    const lost: string[] = [];
    if (isLossy) {
      await next.detach();
      lost.push(await anyChange(random), await anyChange(random));
      // Some nodes have shown some of it.
      await wait(random.below(2_000));
    }
    await during(model.databaseOutages, DROPPED_RECOVERY_MS, async () => {
      await old.remove();
      await wait(random.below(3_000));
      primary = next;
      await model.change(world, () => next.promote());
      proxy.target = { host: '127.0.0.1', port: next.port };
      proxy.disconnect();
    });
    return `lost: ${lost.join('; ') || 'nothing'}`;
  }

  function loseRedis(random: SampleRandom, lose: () => unknown, restore: () => unknown): Promise<string> {
    return during(model.redisOutages, REDIS_RECOVERY_MS, async () => {
      const ms = random.below(4_000);
      await lose();
      await wait(ms);
      // Some nodes start where there is no Redis.
      const meanwhile = random.chance(0.3)
        ? `, restarting ${await random.pick(nodes).restart('SIGKILL')}`
        : '';
      await restore();
      return `${ms} ms${meanwhile}`;
    });
  }

  const commands: Actions = {
    import: (random) => importData(random, false),
    'import --replace': (random) => importData(random, true),
    'create a key': async () => addKey(await newKey()),
    'revoke a key': (random) => changeKey(random, 'revoke'),
    'disable a key': (random) => changeKey(random, 'disable'),
    'enable a key': (random) => changeKey(random, 'enable'),
  };
  /** What nodes have to recover from. */
  const failures: Actions = {
    'PostgreSQL frozen': freezeDatabase,
    'connections dropped': () =>
      during(model.databaseOutages, DROPPED_RECOVERY_MS, async () => {
        proxy.disconnect();
        return 'all';
      }),
    failover: (random) => failOver(random, false),
    'failover that loses commits': (random) => failOver(random, true),
    'Redis frozen': (random) => loseRedis(random, redis.pause, redis.resume),
    'Redis killed and started': (random) => loseRedis(random, redis.kill, redis.start),
    'node restarted': (random) => random.pick(nodes).restart('SIGTERM'),
    'node killed and started': (random) => random.pick(nodes).restart('SIGKILL'),
  };

  /**
   * Waits until every node again has the database, in which it looks for a key that it does not know, and Redis,
   * without which it allows its share of the limit.
   */
  async function timeRecovery(failure: string): Promise<void> {
    const startedAt = Date.now();
    const isBack = async (node: SoakNode): Promise<boolean> => {
      const { status, headers } = await call(node, unknownKey());
      return status === 401 && headers['x-ratelimit-limit'] === String(LIMITS.standard);
    };
    for (const node of nodes) {
      const options = { message: `node ${node.name} is back`, timeout: LONGEST_RECOVERY_MS };
      await expect.poll(() => isBack(node), options).toBe(true);
    }
    report.recovered(failure, Date.now() - startedAt);
  }

  return {
    keys,
    /** Of the nodes. */
    settings: {
      DATABASE_URL: primary.url.replace(String(primary.port), String(proxy.port)),
      REDIS_URL: redis.url,
      RATE_LIMIT_STANDARD: String(LIMITS.standard),
      RATE_LIMIT_PREMIUM: String(LIMITS.premium),
      TRUST_PROXY: '1',
      AUTH_SECRET: 'secret-of-a-soak-test-that-guards-nothing',
    },
    /** Stores what the nodes start with. */
    async prepare(random: SampleRandom): Promise<HeldKey> {
      const main = await newKey();
      await importData(random, false);
      for (let count = 0; count < 4; count += 1) {
        await addKey(await newKey());
      }
      return main;
    },
    actions: Object.keys({ ...commands, ...failures }),
    failures: Object.keys(failures),
    /** @returns what exactly was done. */
    async act(name: string, random: SampleRandom): Promise<string> {
      const done = await { ...commands, ...failures }[name]?.(random);
      // Half of the failures are followed by something else before the nodes have recovered.
      if (name in failures && random.chance(0.5)) {
        await timeRecovery(name);
      }
      return done ?? 'unknown';
    },
  };
}
