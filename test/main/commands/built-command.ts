import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { closeAfterwards } from '../../support/closing.ts';
import { endWithRunner } from '../../support/end-with-runner.ts';
import { root } from '../../support/suites.ts';
import type { Ended } from './process.ts';

/** The built command, for what only a process of its own can show. Everything else is tested in process. */
export const MAIN = fileURLToPath(new URL('../../../dist/main/main.js', import.meta.url));
/** The command as users start it, with the options for V8 and malloc that bound its memory. */
export const LAUNCHER = fileURLToPath(new URL('../../../bin/revgate', import.meta.url));

export const isRoot = process.getuid?.() === 0;

/** The built command where a user can read it: root may have cloned this where nobody else can look. */
function mainFor(uid: number): string {
  if (spawnSync(process.execPath, [LAUNCHER, '--version'], { cwd: '/', uid }).status === 0) {
    return MAIN;
  }
  const directory = mkdtempSync(join(tmpdir(), 'revgate-build-'));
  closeAfterwards(() => rmSync(directory, { recursive: true }));
  chmodSync(directory, 0o755);
  const parts = ['assets', 'client', 'dist', 'docs', 'node_modules', 'package.json', 'prisma'];
  // Links, unless they are on another disk.
  for (const how of ['-al', '-a']) {
    if (spawnSync('cp', [how, ...parts, directory], { cwd: root }).status === 0) {
      break;
    }
  }
  return join(directory, 'dist/main/main.js');
}

export interface BuiltOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Runs it as another user; only root may. */
  uid?: number;
  /** Closes its standard output before it starts. */
  closesOutput?: boolean;
  /** Whether it leads a group of processes of its own. */
  detached?: boolean;
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable> & { pid: number };

/** The embedded engine's code is compiled once, quickly: optimising it as it runs takes longer than a test. */
export const NODE_OPTIONS = ['--liftoff-only'];

/** Starts a script with nothing of this environment but what Node needs. */
export function startScript(script: string, args: string[], options: BuiltOptions = {}): Child {
  return startProgram([process.execPath, ...NODE_OPTIONS, script, ...args], options);
}

function startProgram(
  command: readonly string[],
  { env = {}, cwd, uid, closesOutput = false, detached = false }: BuiltOptions,
): Child {
  const { PATH = '' } = process.env;
  const [program = '', ...rest] = closesOutput ? ['sh', '-c', 'exec "$@" >&-', 'sh', ...command] : command;
  const child = spawn(program, rest, {
    env: { PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached,
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
  });
  return endWithRunner(child) as Child;
}

/** Starts the built command. */
export function startBuilt(args: string[], options: BuiltOptions = {}): Child {
  return startScript(options.uid === undefined ? MAIN : mainFor(options.uid), args, options);
}

/** Runs the built command, without any input, to its end. */
export async function runBuilt(args: string[], options: BuiltOptions = {}): Promise<Ended> {
  const child = startBuilt(args, options);
  child.stdin.end();
  return ended(child);
}

/** What a process has written once it has ended, and its exit code; null when a signal ended it. */
export async function ended(child: Child): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...texts };
}

/** The process that serves: the child of the launcher, where Node cannot replace one process by another. */
export function servingProcess(launcher: number): number {
  const [child] = readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8').split(' ');
  return Number(child) || launcher;
}

export type BuiltServer = Awaited<ReturnType<typeof serveBuilt>>;

/**
 * Starts the built `revgate serve` on a free port and waits until it says where it listens.
 *
 * @param program what starts it instead: {@link LAUNCHER}, or that of an installed package.
 */
export async function serveBuilt(
  env: Record<string, string>,
  { program, ...place }: { program?: string } & Pick<BuiltOptions, 'cwd' | 'detached'> = {},
) {
  const options = { env: { PORT: '0', LOG_LEVEL: 'warn', ...env }, ...place };
  const child =
    program === undefined ? startBuilt(['serve'], options) : startProgram([program, 'serve'], options);
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  closeAfterwards(kill);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const found = /Listening on (\S+)\. Try:\n.+\n/.exec(stdout)?.[1];
      if (found !== undefined) {
        resolve(found);
      }
    });
    void exit.then((code) => reject(new Error(`serve ended with ${code}:\n${stdout}${stderr}`)));
  });
  return {
    child,
    url,
    port: Number(new URL(url).port),
    /** What it has written so far. */
    stdout: () => stdout,
    stderr: () => stderr,
    /** Its exit code, once it has ended; null when a signal ended it. */
    exit,
    /** Kills it if it has not ended, as is done after the test or the file that starts it. */
    kill,
  };
}
