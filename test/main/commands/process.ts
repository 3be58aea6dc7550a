import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { Schedule } from '../../../src/lib/loop/schedule.ts';
import { runCommandLine } from '../../../src/main/run.ts';
import { closeAfterwards } from '../../support/closing.ts';

/** Who runs the commands under test. */
export const USER = 'tester';

/** How a command ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Where relative paths start; without it, nowhere. */
  cwd?: string;
  stdin?: string | Buffer;
  now?: () => number;
  schedule?: Schedule;
  monotonic?: () => number;
  /** How many startups a first start loads: by default none, as that takes as long as the start itself. */
  sampleCount?: number;
  /** Whether all its streams are a terminal. */
  isTerminal?: boolean;
  /** The width of that; 80 by default. */
  columns?: number;
  /** Whether its standard output is closed. */
  isDiscarded?: boolean;
  /** The code of the error that each write to its standard output fails with. */
  outputError?: string;
  /** The first text whose write fails; by default, all do. */
  failsAt?: RegExp;
}

/** A command that runs in this process. */
export type Started = ReturnType<typeof start>;

/** Starts a command in this process, with nothing of the process's own environment. */
export function start(args: string[], options: RunOptions = {}) {
  const { env = {}, cwd = '/dev/null', now = Date.now, schedule, monotonic, isTerminal = false } = options;
  const { sampleCount = 0 } = options;
  const stopping = new AbortController();
  const stdin = new PassThrough();
  const streams = { stdout: collect(options.outputError, options.failsAt), stderr: collect() };
  // As the process does.
  streams.stdout.stream.on('error', (error) => stopping.abort(error));
  let hasEnded = false;
  const end = runCommandLine(args, {
    // A server of the developer may have the usual port.
    env: { PORT: '0', ...env },
    cwd,
    stdin,
    isInteractive: isTerminal,
    now,
    schedule,
    monotonic,
    sampleCount,
    isDiscarded: options.isDiscarded ?? false,
    columns: isTerminal ? (options.columns ?? 80) : undefined,
    errorColumns: isTerminal ? (options.columns ?? 80) : undefined,
    stdout: streams.stdout.stream,
    stderr: streams.stderr.stream,
    user: USER,
    signal: stopping.signal,
  }).then((code): Ended => {
    hasEnded = true;
    return { code, stdout: streams.stdout.text(), stderr: streams.stderr.text() };
  });
  return {
    /** Its input; open until it is ended. */
    stdin,
    /** What it has written so far. */
    stdout: streams.stdout.text,
    stderr: streams.stderr.text,
    /** Resolves when what it has written to a stream matches. */
    async wrote(name: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
      const { stream, text } = streams[name];
      for (;;) {
        const found = pattern.exec(text());
        if (found !== null) {
          return found;
        }
        const ended = await Promise.race([once(stream, 'text').then(() => undefined), end]);
        if (ended !== undefined) {
          throw new Error(`${args.join(' ')} ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
        }
      }
    },
    /** Asks it to end by itself, as the first signal does. */
    stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<Ended> {
      stopping.abort(signal);
      return end;
    },
    end,
    hasEnded: () => hasEnded,
  };
}

/** A stream that keeps what is written to it; it emits 'text' with each piece. */
function collect(errorCode?: string, failsAt = /^/): { stream: Writable; text: () => string } {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      if (errorCode !== undefined && failsAt.test(String(chunk))) {
        done(Object.assign(new Error(errorCode), { code: errorCode }));
        return;
      }
      text += chunk;
      stream.emit('text');
      done();
    },
  });
  return { stream, text: () => text };
}

/** Runs a command in this process, to its end. */
export function run(args: string[], options: RunOptions = {}): Promise<Ended> {
  const { stdin, end } = start(args, options);
  stdin.end(options.stdin);
  return end;
}

/**
 * Runs `revgate serve` in this process on a free port, and waits until it says where it listens. It is stopped after the
 * test or the file that starts it.
 */
export async function serve(env: Record<string, string>, options: RunOptions = {}) {
  const started = start(['serve'], { ...options, env: { LOG_LEVEL: 'warn', ...env } });
  closeAfterwards(() => started.stop());
  const [, url = ''] = await started.wrote('stdout', /Listening on (\S+)\. Try:\n.+\nOr open .+\n/);
  return {
    url,
    port: Number(new URL(url).port),
    /** What it has written so far. */
    stdout: started.stdout,
    stderr: started.stderr,
    /** Asks it to stop, as the first signal does, unless it has ended; gives its exit code. */
    stop: async () => (await started.stop()).code,
    hasEnded: started.hasEnded,
  };
}

/** A directory that the returned function removes. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'revgate-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A directory for the test or the file that asks for it. */
export function testDirectory(): string {
  const { path, remove } = temporaryDirectory();
  closeAfterwards(remove);
  return path;
}

/** A port that something listens on until the test is over. */
export async function usedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterwards(() => void server.close());
  return (server.address() as { port: number }).port;
}

/** A connection that nothing was sent over yet. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // What ends it later is no error of a test.
  return socket.on('error', () => {});
}
