// Starting what is measured, and what measures, each on a core of its own where the system can.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
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

/** Runs a command of a checkout of the project to its end; what it printed. */
export async function runCommand(args, env, project = PROJECT) {
  const child = spawnOn(['node', 'dist/cli/main.js', ...args], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return readToEnd(child, `revgate ${args[0]}`);
}

/** What a process prints until it ends well. */
export function readToEnd(child, name) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
    });
    child.once('close', (code, signal) =>
      code === 0 ? resolve(text) : reject(new Error(`${name} ended with ${code ?? signal}: ${text}`)),
    );
  });
}

/** Starts a server and waits until it says that it is ready. */
export async function startServer(name, { command, cwd, env }) {
  const port = await findFreePort();
  const log = `${RESULTS}${name}.log`;
  const file = openSync(log, 'w');
  const startedAt = performance.now();
  const child = spawnOn(command, {
    core: SERVER_CORE,
    cwd,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', file, file, 'ipc'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
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
    askAbout: () =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send('ask');
      }),
  };
}

function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What Linux knows of a process: its CPU time, counted in ticks of 10 ms, and its memory in MB. */
export function usageOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: (Number(stat[11]) + Number(stat[12])) * 10, rss: Number(memory) / 1024 };
}
