import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a command ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string | Buffer;
  /** Runs it as another user; for tests of root only. */
  uid?: number;
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable> & { pid: number };

/** Starts the built command with nothing of this environment but what Node needs. */
export function start(args: string[], { env = {}, cwd, uid }: RunOptions = {}): Child {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
  }) as Child;
}

/** Runs the built command to its end. */
export async function run(args: string[], options: RunOptions = {}): Promise<Ended> {
  const child = start(args, options);
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin);
  return ended(child);
}

/** Collects what a command writes until it ends. */
export async function ended(child: Child): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...texts };
}

/** A command that serves. */
export interface Served {
  readonly child: Child;
  readonly url: string;
  readonly port: number;
  /** What it wrote to standard output until now. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Its exit code, once it has ended; null when a signal ended it. */
  readonly exit: Promise<number | null>;
}

/** Starts `revgate serve` on a free port and waits until it says where it listens. */
export async function serve(env: Record<string, string>, options: RunOptions = {}): Promise<Served> {
  const child = start(['serve'], { ...options, env: { PORT: '0', LOG_LEVEL: 'warn', ...env } });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const url = /Listening on (\S+)\. Try:\n.+\n/.exec(stdout)?.[1];
      if (url !== undefined) {
        resolve(url);
      }
    });
    void exit.then((code) => reject(new Error(`serve ended with ${code}:\n${stdout}${stderr}`)));
  });
  const url = await listening;
  return { child, url, port: Number(new URL(url).port), stdout: () => stdout, stderr: () => stderr, exit };
}

/** Ends a server that may have ended already. */
export async function stop(served: Served | undefined): Promise<void> {
  if (served?.child.exitCode === null) {
    served.child.kill('SIGKILL');
  }
  await served?.exit;
}

/** A directory that is removed after the test, or by the returned function. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'revgate-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A directory for one test. */
export function testDirectory(): string {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  return path;
}

/** A port that something listens on until the test is over. */
export async function usedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as { port: number }).port;
}

/** Sends the head and a part of the body of a request; `finish` sends the rest and gives the answer. */
export async function slowRequest(
  port: number,
  key: string,
): Promise<{ socket: Socket; finish: () => Promise<string> }> {
  const body = JSON.stringify({ query: '{ startups { meta { total } } }' });
  const socket = await openConnection(port);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // Until the server has the head, the request is not in flight.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return {
    socket,
    async finish() {
      const closed = once(socket, 'close');
      socket.write(body.slice(5));
      await closed;
      return answer;
    },
  };
}

/** A connection that nothing was sent over yet. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // What ends it later is no fault of a test.
  return socket.on('error', () => {});
}

/** How a connection to a port fares: 'open', or the error's code. */
export async function tryConnect(port: number): Promise<string> {
  try {
    (await openConnection(port)).destroy();
    return 'open';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
