import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SampleRandom } from '../../../src/startups/import/sample-random.ts';
import { run, testDirectory } from '../../cli/process.ts';
import { startRedis } from '../../rate-limit/redis-server.ts';
import { startCluster } from '../../support/cluster.ts';
import { openProxy } from '../../support/proxy.ts';
import { type Fixed, type HeldKey, unknownKey } from './asks.ts';
import { call, LIMITS } from './load.ts';
import { beginOutage, type KeyStatus, type Model, type Outage, type World } from './model.ts';
import type { SoakNode } from './nodes.ts';
import type { Report } from './report.ts';
import type { Action } from './schedule.ts';

const LONGEST_RECOVERY_MS = 30_000;
const RECOVERY_PAUSE_MS = 25;
/** A connection without an answer is given up after 5 s; the poll and the catalogue may do so one after the other. */
const SILENT_RECOVERY_MS = 12_000;
/** The first build of the catalogue finds its connection lost, and the next begins a second later. */
const DROPPED_RECOVERY_MS = 6_000;
/** A node tries to reach Redis every 2 seconds. */
const REDIS_RECOVERY_MS = 5_000;

/** Published for the main key. */
const DOCUMENT = 'query Top { startups(limit: 5) { nodes { slug customers } meta { total } } }';

/** What a command does to a key: from which status to which, and its arguments after the key's id. */
const keyChanges = {
  revoke: [200, 401],
  rotate: [200, 401, '--overlap', '0', '--json'],
  disable: [200, 403, '--reason', 'a soak test'],
  enable: [403, 200],
} as const;

type Servers = Awaited<ReturnType<typeof startServers>>;

/** What nodes need. They reach the database through the proxy; operators do not. */
export async function startServers() {
  const redis = await startRedis();
  const primary = await startCluster();
  const standby = await primary.standby().catch(async (error) => {
    await primary.remove();
    throw error;
  });
  const proxy = await openProxy({ host: '127.0.0.1', port: primary.port });
  return { redis, primary, standby, proxy };
}

/** An operator: does one action at a time and writes into the model what has become of the data. */
export class Operator {
  /** Every key that was ever created by actions, whatever has become of it. */
  readonly keys: HeldKey[] = [];
  readonly #model: Model;
  readonly #servers: Servers;
  readonly #nodes: readonly SoakNode[];
  readonly #report: Report;
  /** For files. */
  readonly #directory = testDirectory();
  readonly #backups: { file: string; world: World }[] = [];
  #files = 0;

  constructor(model: Model, servers: Servers, nodes: readonly SoakNode[], report: Report) {
    this.#model = model;
    this.#servers = servers;
    this.#nodes = nodes;
    this.#report = report;
  }

  /** Stores what the nodes start with. */
  async prepare(random: SampleRandom): Promise<Fixed> {
    const main = await this.#newKey('premium');
    const metered = [await this.#newKey('standard'), await this.#newKey('standard')];
    writeFileSync(join(this.#directory, 'manifest.json'), JSON.stringify({ top: DOCUMENT }));
    const args = ['publish', 'manifest.json', '--key', main.id, '--json'];
    const [{ id: documentId }] = JSON.parse(await this.#command('documents', ...args));
    for (const name of ['import', ...Array(4).fill('create a key'), 'backup'] as Action[]) {
      await this.act(name, random);
    }
    return { main, metered, documentId };
  }

  /** @returns what exactly was done. */
  async act(name: Action, random: SampleRandom): Promise<string> {
    const model = this.#model;
    const { proxy, redis } = this.#servers;
    // Half of the failures are followed by something else before the nodes have recovered.
    const recovered = async () => (random.chance(0.5) ? this.#timeRecovery(name) : undefined);
    const end = (outage: Outage): Promise<void> => {
      outage.to = Date.now();
      return recovered();
    };
    const restart = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<string> => {
      const node = random.pick(this.#nodes);
      await node.restart(signal);
      return node.name;
    };
    const loseRedis = async (lose: () => unknown, restore: () => unknown): Promise<string> => {
      const outage = beginOutage(model.redisOutages, REDIS_RECOVERY_MS);
      const ms = random.below(4_000);
      await lose();
      await wait(ms);
      // Some nodes start where there is no Redis.
      const meanwhile = random.chance(0.3) ? `, restarting ${await restart('SIGKILL')}` : '';
      await restore();
      await end(outage);
      return `${ms} ms${meanwhile}`;
    };
    switch (name) {
      case 'import':
      case 'import --replace':
        return this.#import(random, name !== 'import');
      case 'backup': {
        const file = this.#nextFile('backup.gz');
        await this.#command('backup', file);
        this.#backups.push({ file, world: model.world });
        return file;
      }
      case 'restore': {
        const { file, world } = random.pick(this.#backups);
        await this.#change(world, 'restore', file, '--yes');
        return file;
      }
      case 'create a key':
        return this.#add(await this.#newKey('premium'));
      case 'revoke a key':
      case 'rotate a key':
      case 'disable a key':
      case 'enable a key':
        return this.#changeKey(random, name.split(' ', 1)[0] as keyof typeof keyChanges);
      case 'set a clock': {
        // Wrong by an hour, or right again.
        const node = random.pick(this.#nodes);
        node.setClock(node.clockOffset === 0 ? random.pick([-3_600_000, 3_600_000]) : 0);
        return `${node.name} by ${node.clockOffset} ms`;
      }
      case 'PostgreSQL frozen':
        return this.#freezeDatabase(random, end);
      case 'connections dropped': {
        const outage = beginOutage(model.databaseOutages, DROPPED_RECOVERY_MS);
        proxy.disconnect();
        await end(outage);
        return 'all';
      }
      case 'failover':
      case 'failover that loses commits':
        return this.#failOver(random, name !== 'failover', end);
      case 'Redis frozen':
        return loseRedis(redis.pause, redis.resume);
      case 'Redis killed and started':
        return loseRedis(redis.kill, redis.start);
      case 'node restarted':
      case 'node killed and started': {
        const node = await restart(name === 'node restarted' ? 'SIGTERM' : 'SIGKILL');
        await recovered();
        return node;
      }
    }
  }

  async #import(random: SampleRandom, isReplacing: boolean): Promise<string> {
    const dataset = this.#model.nextImport(random, isReplacing);
    const file = this.#nextFile('ndjson');
    const text = dataset.records.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(join(this.#directory, file), text);
    await this.#change({ dataset }, 'import', file, ...(isReplacing ? ['--replace', '--yes'] : []));
    return `version ${dataset.version}: ${dataset.records.length} records`;
  }

  async #newKey(tier: string): Promise<HeldKey> {
    const args = ['create', '--name', 'soak', '--accept-policy', '--json', '--tier', tier];
    return JSON.parse(await this.#command('keys', ...args));
  }

  /** Adds a key that was created, for actions to change. Nobody could use it before. */
  #add(key: HeldKey): string {
    const model = this.#model;
    model.begin({ keys: new Map(model.world.keys).set(key.id, 200) });
    model.settle();
    this.keys.push(key);
    return key.id;
  }

  async #changeKey(random: SampleRandom, command: keyof typeof keyChanges): Promise<string> {
    const [before, after, ...options] = keyChanges[command];
    const { keys } = this.#model.world;
    const ids = [...keys].filter(([, status]) => status === before).map(([id]) => id);
    if (ids.length === 0) {
      return 'there was none';
    }
    const id = random.pick(ids);
    const changed = new Map<string, KeyStatus>(keys).set(id, after);
    const output = await this.#change({ keys: changed }, 'keys', command, id, ...options);
    return command === 'rotate' ? `${id} to ${this.#add(JSON.parse(output))}` : id;
  }

  async #freezeDatabase(random: SampleRandom, end: (outage: Outage) => Promise<void>): Promise<string> {
    const model = this.#model;
    const { proxy } = this.#servers;
    const ms = random.pick([500, 6_000]) + random.below(3_000);
    const outage = beginOutage(model.databaseOutages, SILENT_RECOVERY_MS);
    proxy.isSilent = true;
    await wait(ms / 2);
    const meanwhile = await this.#anyChange(random);
    await wait(ms / 2);
    proxy.isSilent = false;
    // Otherwise the connections that lost bytes stay open, as behind a firewall that forgot them.
    if (random.chance(0.5)) {
      proxy.disconnect();
    }
    await end(outage);
    return `${ms} ms, meanwhile ${meanwhile}`;
  }

  /** The standby takes over: with everything, or without the last changes. */
  async #failOver(
    random: SampleRandom,
    isLossy: boolean,
    end: (outage: Outage) => Promise<void>,
  ): Promise<string> {
    const model = this.#model;
    const { proxy, primary: old, standby: next } = this.#servers;
    await next.catchUp(old);
    const { world } = model;
    const lost: string[] = [];
    if (isLossy) {
      await next.detach();
      lost.push(await this.#anyChange(random), await this.#anyChange(random));
      // Some nodes have shown some of it.
      await wait(random.below(2_000));
    }
    const outage = beginOutage(model.databaseOutages, DROPPED_RECOVERY_MS);
    await old.stop('immediate');
    await wait(random.below(3_000));
    model.begin(world);
    await next.promote();
    this.#servers.primary = next;
    model.settle();
    proxy.target = { host: '127.0.0.1', port: next.port };
    proxy.disconnect();
    await end(outage);
    await old.remove();
    this.#servers.standby = await next.standby();
    return `lost: ${lost.join('; ') || 'nothing'}`;
  }

  /**
   * Waits until every node again has the database, in which it looks for a key that it does not know, and Redis,
   * without which it allows its share of the limit.
   */
  async #timeRecovery(failure: Action): Promise<void> {
    const startedAt = Date.now();
    const isBack = async (node: SoakNode): Promise<boolean> => {
      const { status, headers } = await call(node, unknownKey());
      return status === 401 && headers['x-ratelimit-limit'] === String(LIMITS.standard);
    };
    for (const node of this.#nodes) {
      while (!(await isBack(node))) {
        if (Date.now() - startedAt > LONGEST_RECOVERY_MS) {
          throw new Error(`node ${node.name} has not recovered`);
        }
        await wait(RECOVERY_PAUSE_MS);
      }
    }
    this.#report.recovered(failure, Date.now() - startedAt);
  }

  /** An import or the end of a key. */
  #anyChange(random: SampleRandom): Promise<string> {
    return random.chance(0.5) ? this.#import(random, random.chance(0.5)) : this.#changeKey(random, 'revoke');
  }

  /** Runs a command that changes what the database holds. */
  async #change(change: Partial<World>, ...args: string[]): Promise<string> {
    const model = this.#model;
    model.begin(change);
    const output = await this.#command(...args);
    model.settle();
    return output;
  }

  /** Runs a command on the database itself. */
  async #command(...args: string[]): Promise<string> {
    const env = { DATABASE_URL: this.#servers.primary.url };
    const { code, stdout, stderr } = await run(args, { env, cwd: this.#directory });
    if (code !== 0) {
      throw new Error(`revgate ${args.join(' ')} exited with ${code}: ${stderr}${stdout}`);
    }
    return stdout;
  }

  #nextFile(extension: string): string {
    this.#files += 1;
    return `${this.#files}.${extension}`;
  }

  /** Ends the servers. */
  async close(): Promise<void> {
    const { redis, primary, standby } = this.#servers;
    await Promise.all([redis.kill(), primary.remove(), standby.remove()]);
  }
}
