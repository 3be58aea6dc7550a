// Starting what is measured, and what measures, each on a core of its own where the system can.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const BENCH = new URL('../', import.meta.url);
/** Where the project is. */
export const PROJECT = fileURLToPath(new URL('../', BENCH));
export const RESULTS = fileURLToPath(new URL('results/', BENCH));
mkdirSync(RESULTS, { recursive: true });

const SERVER_CORE = 0;
export const CLIENT_CORE = 1;
/** Whether servers and client run on one core each. */
export const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;

const running = new Set();
process.on('exit', () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => process.exit(130));
}

// The launcher starts the Node of PATH: the one that runs this.
process.env.PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

/** Spawns a command on a core. */
export function spawnOn(command, { core, ...options }) {
  const [file, ...args] =
    isPinned && core !== undefined ? ['taskset', '-c', String(core), ...command] : command;
  const child = spawn(file, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a command of a checkout of the project. */
export function startCommand(project, args, env, stdio) {
  return spawnOn(['node', 'bin/revgate', ...args], { cwd: project, env: { ...process.env, ...env }, stdio });
}

/** What a process prints until it ends well. */
export async function readToEnd(child, name) {
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) {
    throw new Error(`${name} ended with ${code ?? signal}: ${printed}`);
  }
  return printed;
}

/** Starts the server of a checkout of the project on a database, with the options that its launcher gives Node. */
export function startGateway(name, project, { url }, env) {
  const launcher = readFileSync(join(project, 'bin/revgate'), 'utf8');
  const options = /NODE_OPTIONS = \[([^\]]*)\]/.exec(launcher)[1].match(/--[^']+/g);
  return startServer(name, ['node', ...options, 'bin/revgate', 'serve'], project, {
    DATABASE_URL: url,
    MALLOC_MMAP_THRESHOLD_: '262144',
    HOST: '127.0.0.1',
    // Keys are checked and requests counted as ever; only the limit is out of reach.
    RATE_LIMIT_PREMIUM: '1000000000',
    REDIS_URL: '',
    ...env,
  });
}

/** Starts the peer on a database. */
export const startPeer = ({ url }) =>
  startServer('rest-sql', ['node', 'peers/rest-sql.mjs'], fileURLToPath(BENCH), { DATABASE_URL: url });

/** Starts a server and waits until it says that it is ready. */
async function startServer(name, command, cwd, own) {
  const port = await findFreePort();
  const log = `${RESULTS}${name}.log`;
  const file = openSync(log, 'w');
  const startedAt = performance.now();
  const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), ...own };
  const stdio = ['ignore', file, file, 'ipc'];
  const child = spawnOn(command, { core: SERVER_CORE, cwd, env, stdio });
  const exited = once(child, 'exit');
  const isReady = () => fetch(`http://127.0.0.1:${port}/ready`).then(({ ok }) => ok);
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || performance.now() - startedAt > 120_000) {
      throw new Error(`${name} did not start, see ${log}`);
    }
    await delay(5);
  }
  return {
    name,
    port,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
    /** What the module that Node's options load has measured since the last call: called-functions.mjs. */
    async askAbout() {
      child.send('ask');
      return (await once(child, 'message'))[0];
    },
  };
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

export const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What Linux knows of a process: its CPU time, counted in ticks of 10 ms, and its memory in MB. */
export function usageOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: (Number(stat[11]) + Number(stat[12])) * 10, rss: Number(memory) / 1024 };
}
