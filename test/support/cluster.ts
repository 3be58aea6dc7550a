import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { closeAfterwards } from './closing.ts';
import { endWithRunner } from './end-with-runner.ts';
import { findFreePort } from './free-port.ts';
import { findProgram } from './program.ts';

/** A PostgreSQL server of a test's own, which can be stopped, copied and promoted. */
export interface Cluster {
  /** Its database `postgres`, for its superuser. */
  readonly url: string;
  readonly port: number;
  /** Starts it again after {@link stop}. Resolves when it accepts connections. */
  start(): Promise<void>;
  /** `fast` ends all sessions and stops in order; `immediate` stops as in a crash. Does nothing if it is stopped. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Makes a copy that follows this one and can be read. */
  standby(): Promise<Cluster>;
  /** Resolves when this standby holds everything that its primary has written so far. */
  catchUp(primary: Cluster): Promise<void>;
  /** Disconnects this standby from its primary: it receives nothing more, and still can be read. */
  detach(): Promise<void>;
  /** Makes this standby a primary. */
  promote(): Promise<void>;
  /** Stops it at once, and removes its files, as is done after the test or the file that starts it. */
  remove(): Promise<void>;
}

/**
 * Makes a cluster on a free port of 127.0.0.1 and starts it. After the test or the file that starts it, it and its copies
 * are removed.
 */
export function startCluster(): Promise<Cluster> {
  return openCluster((directory, data) =>
    run('initdb', directory, ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--no-sync']),
  );
}

const USER = 'postgres';
/** Of one wait; a busy machine takes seconds. */
const PATIENCE_MS = 60_000;

/** Where Debian installs the programs, which are not on the PATH there. */
const DEBIAN = '/usr/lib/postgresql';

/** @param fill makes the files of the cluster; the first of its parameters is a directory that both may use. */
async function openCluster(fill: (directory: string, data: string) => Promise<void>): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'revgate-cluster-'));
  const data = join(directory, 'data');
  const cluster = createCluster(directory, data, await findFreePort());
  closeAfterwards(cluster.remove);
  const { uid, gid } = findOwner();
  if (uid !== undefined && gid !== undefined) {
    chownSync(directory, uid, gid);
  }
  await fill(directory, data);
  await cluster.start();
  return cluster;
}

function createCluster(directory: string, data: string, port: number): Cluster {
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  let log = '';
  const isRunning = (): boolean =>
    server !== undefined && server.exitCode === null && server.signalCode === null;

  async function accepting(): Promise<void> {
    await until(async () => {
      if (!isRunning()) {
        throw new Error(`PostgreSQL does not start:\n${log}`);
      }
      // It refuses connections until it has recovered.
      return read(url, 'true').catch(() => false);
    });
  }

  const cluster: Cluster = {
    url,
    port,
    async start() {
      log = '';
      // Nothing must survive a power cut, and little has to fit in memory.
      const settings = [
        'listen_addresses=127.0.0.1',
        'fsync=off',
        'shared_buffers=16MB',
        'max_connections=50',
      ];
      server = spawn(
        program('postgres'),
        ['-D', data, '-k', directory, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
        { ...environment(directory), stdio: ['ignore', 'ignore', 'pipe'] },
      );
      endWithRunner(server);
      server.on('error', (error) => {
        log += error.message;
      });
      server.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      await accepting();
    },
    async stop(mode) {
      if (server !== undefined && isRunning()) {
        const ended = once(server, 'exit');
        server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
        await ended;
      }
    },
    standby: () =>
      openCluster((place, copy) =>
        run('pg_basebackup', place, ['-d', url, '-D', copy, '-R', '--checkpoint=fast', '--no-sync']),
      ),
    async catchUp(primary) {
      const written = await read(primary.url, 'pg_current_wal_flush_lsn()');
      await until(() => read(url, `pg_last_wal_replay_lsn() >= '${written}'`));
    },
    async detach() {
      await query(url, "ALTER SYSTEM SET primary_conninfo = ''");
      await query(url, 'SELECT pg_reload_conf()');
      await until(() => read(url, 'NOT EXISTS (SELECT FROM pg_stat_wal_receiver)'));
    },
    async promote() {
      await read(url, `pg_promote(true, ${PATIENCE_MS / 1_000})`);
    },
    async remove() {
      await cluster.stop('immediate');
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return cluster;
}

/** PostgreSQL refuses to run as root, which then runs it as the user that its packages make. */
function findOwner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(execFileSync('id', [option, USER], { encoding: 'utf8' })),
  );
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

/** Whether clusters can be made here. */
export function isPostgresInstalled(): boolean {
  const path = program('initdb');
  return existsSync(path) || findProgram(path) !== undefined;
}

/** A program of the newest version that is installed. */
export function program(name: string): string {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  const paths = versions.map((version) => join(DEBIAN, String(version), 'bin', name));
  return paths.find((path) => existsSync(path)) ?? name;
}

/** How programs of PostgreSQL run: with no settings of this user, where their own may be. */
function environment(directory: string) {
  const { PATH = '' } = process.env;
  return { cwd: directory, env: { PATH, LC_ALL: 'C' }, ...findOwner() };
}

async function run(name: string, directory: string, args: string[]): Promise<void> {
  await promisify(execFile)(program(name), args, environment(directory));
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // One that the server ends is told by the query.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The value of an SQL expression. */
async function read(url: string, expression: string): Promise<unknown> {
  const [row] = await query(url, `SELECT ${expression} AS value`);
  return row?.value;
}

async function until(isSo: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) {
      throw new Error(`PostgreSQL did not get there within ${PATIENCE_MS} ms.`);
    }
    await wait(20);
  }
}
