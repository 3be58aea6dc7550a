import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SampleRandom } from '../../../src/startups/import/sample-random.ts';
import { run } from '../../cli/process.ts';
import type { RedisServer } from '../../rate-limit/redis-server.ts';
import type { Cluster } from '../../support/cluster.ts';
import type { Proxy as TcpProxy } from '../../support/proxy.ts';
import type { HeldKey } from './asks.ts';
import {
  DROPPED_RECOVERY_MS,
  type Model,
  type Outage,
  SILENT_RECOVERY_MS,
  type StoredKey,
  statusOfKey,
  type World,
} from './model.ts';
import type { SoakNode } from './nodes.ts';
import type { Need } from './recovery.ts';
import type { ActName } from './schedule.ts';

/** What an operator has at hand. */
export interface Surroundings {
  readonly model: Model;
  /** The nodes reach the database through it; operators do not. */
  readonly proxy: TcpProxy;
  readonly redis: RedisServer;
  readonly nodes: readonly SoakNode[];
  /** For files. */
  readonly directory: string;
  readonly primary: Cluster;
  readonly standby: Cluster;
  /** Told when a failure begins. */
  readonly onFailure: () => void;
  /** Told when it is over. */
  readonly onRecovery: (failure: ActName, need: Need, nodes: readonly SoakNode[]) => void;
}

/** A node has found Redis again so many ms after it is there: it tries every 2 seconds. */
const REDIS_RECOVERY_MS = 5_000;

const failures: ReadonlySet<ActName> = new Set<ActName>([
  ...(['freeze the database', 'drop the connections', 'fail over', 'fail over with loss'] as const),
  ...(['freeze Redis', 'kill Redis', 'restart a node', 'kill a node'] as const),
]);

const NO_KEY = 'there was none';

/** An operator: does one act at a time and writes into the model what has become of the data. */
export class Operator {
  /** Every key that was ever made for acts, whatever has become of it. */
  readonly keys: HeldKey[] = [];
  readonly #at: Surroundings;
  #primary: Cluster;
  #standby: Cluster;
  readonly #backups: { file: string; world: World }[] = [];
  #files = 0;

  constructor(surroundings: Surroundings) {
    this.#at = surroundings;
    this.#primary = surroundings.primary;
    this.#standby = surroundings.standby;
  }

  /** Runs a command of ours on the database itself. */
  async command(...args: string[]): Promise<string> {
    const env = { DATABASE_URL: this.#primary.url };
    const { code, stdout, stderr } = await run(args, { env, cwd: this.#at.directory });
    if (code !== 0) {
      throw new Error(`revgate ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    }
    return stdout;
  }

  /** @returns what exactly was done. */
  act(name: ActName, random: SampleRandom): Promise<string> {
    if (failures.has(name)) {
      this.#at.onFailure();
    }
    const acts: Record<ActName, () => Promise<string>> = {
      import: () => this.#import(random, false),
      'import --replace': () => this.#import(random, true),
      backup: () => this.backup(),
      restore: () => this.#restore(random),
      'create a key': () => this.createKey(),
      'revoke a key': () => this.#revokeKey(random),
      'rotate a key': () => this.#rotateKey(random),
      'disable a key': () => this.#disableKey(random, true),
      'enable a key': () => this.#disableKey(random, false),
      'freeze the database': () => this.#freezeDatabase(random),
      'drop the connections': () => this.#dropConnections(),
      'fail over': () => this.#failOver(random, false),
      'fail over with loss': () => this.#failOver(random, true),
      'freeze Redis': () => this.#freezeRedis(random),
      'kill Redis': () => this.#killRedis(random),
      'set a clock': () => this.#setClock(random),
      'restart a node': () => this.#restartNode(random, 'SIGTERM'),
      'kill a node': () => this.#restartNode(random, 'SIGKILL'),
    };
    return acts[name]();
  }

  async #import(random: SampleRandom, isReplacing: boolean): Promise<string> {
    const { model, directory } = this.#at;
    const { records, dataset } = model.nextImport(random, isReplacing);
    const file = this.#nextFile('ndjson');
    writeFileSync(join(directory, file), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await this.#change({ dataset }, 'import', file, ...(isReplacing ? ['--replace', '--yes'] : []));
    return `version ${dataset.version}: ${records.length} given, ${dataset.records.length} there`;
  }

  /** A backup of what is there, to be restored later. */
  async backup(): Promise<string> {
    const file = this.#nextFile('backup.gz');
    await this.command('backup', file);
    const { world } = this.#at.model.current;
    this.#backups.push({ file, world });
    return `${file} of version ${world.dataset.version}`;
  }

  async #restore(random: SampleRandom): Promise<string> {
    const { file, world } = random.pick(this.#backups);
    await this.#change(world, 'restore', file, '--yes');
    return `${file} of version ${world.dataset.version}`;
  }

  /** A key for acts. */
  async createKey(): Promise<string> {
    const made: HeldKey = JSON.parse(await this.command(...NEW_KEY));
    this.#addKey(made, made.id);
    return made.id;
  }

  async #revokeKey(random: SampleRandom): Promise<string> {
    const id = this.#pickKey(random, ({ isRevoked }) => !isRevoked);
    return id === undefined ? NO_KEY : this.#changeKey(['revoke', id], { isRevoked: true }, [id]);
  }

  /** Disables a key and those it was rotated from and to, or enables them. */
  async #disableKey(random: SampleRandom, isDisabled: boolean): Promise<string> {
    const id = this.#pickKey(random, (key) => statusOfKey(key) === (isDisabled ? 200 : 403));
    const { keys } = this.#at.model.current.world;
    if (id === undefined) {
      return NO_KEY;
    }
    const line = [...keys].filter(([, { family }]) => family === keys.get(id)?.family).map(([one]) => one);
    const args = isDisabled ? ['disable', id, '--reason', 'a soak test'] : ['enable', id];
    return this.#changeKey(args, { isDisabled }, line);
  }

  async #rotateKey(random: SampleRandom): Promise<string> {
    const overlap = random.pick(['0', '24h']);
    const id = this.#pickKey(random, (key) => statusOfKey(key) === 200 && !key.isRotated);
    if (id === undefined) {
      return NO_KEY;
    }
    const { family = id } = this.#at.model.current.world.keys.get(id) ?? {};
    const args = ['rotate', id, '--overlap', overlap, '--json'];
    const made: HeldKey = JSON.parse(
      await this.#changeKey(args, { isRotated: true, isRevoked: overlap === '0' }, [id]),
    );
    this.#addKey(made, family);
    return `${id} to ${made.id}, overlap ${overlap}`;
  }

  async #changeKey(args: string[], change: Partial<StoredKey>, ids: string[]): Promise<string> {
    const keys = new Map(this.#at.model.current.world.keys);
    for (const id of ids) {
      const key = keys.get(id);
      if (key !== undefined) {
        keys.set(id, { ...key, ...change });
      }
    }
    return (await this.#change({ keys }, 'keys', ...args)).trim();
  }

  /** A key that was made. Nobody could ask with it before. */
  #addKey(made: HeldKey, family: string): void {
    const { model } = this.#at;
    const key = { family, isRevoked: false, isDisabled: false, isRotated: false };
    model.begin({ keys: new Map(model.current.world.keys).set(made.id, key) });
    model.settle();
    this.keys.push(made);
  }

  async #freezeDatabase(random: SampleRandom): Promise<string> {
    const { proxy } = this.#at;
    const isShort = random.chance(0.5);
    const ms = isShort ? 500 + random.below(2_500) : 3_000 + random.below(6_000);
    const outage = this.#beginDatabaseOutage(SILENT_RECOVERY_MS);
    proxy.isSilent = true;
    await wait(ms / 2);
    const meanwhile = await this.#anyChange(random);
    await wait(ms / 2);
    proxy.isSilent = false;
    // Otherwise the connections that lost bytes stay open, as behind a firewall that forgot them.
    const areDropped = random.chance(0.5);
    if (areDropped) {
      proxy.disconnect();
    }
    outage.to = Date.now();
    this.#at.onRecovery('freeze the database', 'database', this.#at.nodes);
    return `for ${ms} ms, meanwhile ${meanwhile}${areDropped ? ', then its connections ended' : ''}`;
  }

  async #dropConnections(): Promise<string> {
    const outage = this.#beginDatabaseOutage(DROPPED_RECOVERY_MS);
    this.#at.proxy.disconnect();
    outage.to = Date.now();
    this.#at.onRecovery('drop the connections', 'database', this.#at.nodes);
    return 'all of them';
  }

  /** The standby takes over: with everything, or without the last changes. */
  async #failOver(random: SampleRandom, isLossy: boolean): Promise<string> {
    const { model, proxy } = this.#at;
    const [old, next] = [this.#primary, this.#standby];
    await next.catchUp(old);
    const { world } = model.current;
    const lost: string[] = [];
    if (isLossy) {
      await next.detach();
      lost.push(await this.#anyChange(random), await this.#anyChange(random));
      // Else no node would have shown any of it.
      await wait(random.below(2_000));
    }
    const outage = this.#beginDatabaseOutage(DROPPED_RECOVERY_MS);
    await old.stop('immediate');
    await wait(random.below(3_000));
    model.begin(world);
    await next.promote();
    this.#primary = next;
    model.settle();
    proxy.target = { host: '127.0.0.1', port: next.port };
    proxy.disconnect();
    outage.to = Date.now();
    this.#at.onRecovery(isLossy ? 'fail over with loss' : 'fail over', 'database', this.#at.nodes);
    await old.remove();
    this.#standby = await next.standby();
    return isLossy ? `lost: ${lost.join('; ')}` : 'nothing lost';
  }

  async #freezeRedis(random: SampleRandom): Promise<string> {
    const { redis, model } = this.#at;
    const ms = 200 + random.below(4_000);
    const outage = beginOutage(model.redisOutages, REDIS_RECOVERY_MS);
    redis.pause();
    await wait(ms);
    const meanwhile = await this.#perhapsRestart(random);
    redis.resume();
    outage.to = Date.now();
    this.#at.onRecovery('freeze Redis', 'redis', this.#at.nodes);
    return `for ${ms} ms${meanwhile}`;
  }

  async #killRedis(random: SampleRandom): Promise<string> {
    const { redis, model } = this.#at;
    const ms = random.below(4_000);
    const outage = beginOutage(model.redisOutages, REDIS_RECOVERY_MS);
    await redis.kill();
    await wait(ms);
    const meanwhile = await this.#perhapsRestart(random);
    await redis.start();
    outage.to = Date.now();
    this.#at.onRecovery('kill Redis', 'redis', this.#at.nodes);
    return `started again after ${ms} ms${meanwhile}`;
  }

  /** Now and then a node starts where there is no Redis. */
  async #perhapsRestart(random: SampleRandom): Promise<string> {
    const signal = random.pick(['SIGTERM', 'SIGKILL'] as const);
    return random.chance(0.3) ? `, meanwhile ${signal} to ${await this.#restartNode(random, signal)}` : '';
  }

  /** By an hour, or right again. */
  async #setClock(random: SampleRandom): Promise<string> {
    const node = random.pick(this.#at.nodes);
    const hours = node.clockOffset === 0 ? random.pick([-1, 1]) : 0;
    node.setClock(hours * 3_600_000);
    return `node ${node.name} by ${hours} h`;
  }

  async #restartNode(random: SampleRandom, signal: 'SIGTERM' | 'SIGKILL'): Promise<string> {
    const node = random.pick(this.#at.nodes);
    await node.restart(signal);
    this.#at.onRecovery(signal === 'SIGTERM' ? 'restart a node' : 'kill a node', 'node', [node]);
    return `node ${node.name}`;
  }

  /** An import or the end of a key. */
  #anyChange(random: SampleRandom): Promise<string> {
    return random.chance(0.5) ? this.#import(random, random.chance(0.5)) : this.#revokeKey(random);
  }

  /** Runs a command that changes what the database holds. */
  async #change(change: Partial<World>, ...args: string[]): Promise<string> {
    const { model } = this.#at;
    model.begin(change);
    const output = await this.command(...args);
    model.settle();
    return output;
  }

  /** A key for acts that is in a state. */
  #pickKey(random: SampleRandom, isSuch: (key: StoredKey) => boolean): string | undefined {
    const { keys } = this.#at.model.current.world;
    const some = this.keys.filter(({ id }) => {
      const key = keys.get(id);
      return key !== undefined && isSuch(key);
    });
    return some.length === 0 ? undefined : random.pick(some).id;
  }

  #beginDatabaseOutage(recoveryMs: number): Outage {
    return beginOutage(this.#at.model.databaseOutages, recoveryMs);
  }

  #nextFile(extension: string): string {
    this.#files += 1;
    return `${this.#files}.${extension}`;
  }

  /** Removes both servers. */
  async close(): Promise<void> {
    await Promise.all([this.#primary.remove(), this.#standby.remove()]);
  }
}

export const NEW_KEY = [
  ...['keys', 'create', '--name', 'soak', '--tier', 'premium', '--accept-policy', '--json'],
];

function beginOutage(outages: Outage[], recoveryMs: number): Outage {
  const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY, recoveryMs };
  outages.push(outage);
  return outage;
}
