import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { closeAfterwards } from '../../support/closing.ts';
import { endWithRunner } from '../../support/end-with-runner.ts';
import { findFreePort } from '../../support/free-port.ts';
import type { Certificate } from '../../support/servers/certificate.ts';

/** The Redis that the tests may share; those that need one run only where it is set. */
export const sharedRedisUrl = process.env.TEST_REDIS_URL;

/** How long nodes wait for Redis, in ms, in tests of anything but this wait: on no machine is it over. */
export const PATIENT_MS = 600_000;

/** A Redis of a test's own, which can be broken in every way. */
export interface RedisServer {
  readonly url: string;
  start(): Promise<void>;
  /** Ends it at once; what it held is lost. */
  kill(): Promise<void>;
  /** Lets it hang: it continues accepting, and answers nothing. */
  pause(): void;
  resume(): void;
}

/**
 * Starts one on a free port, without persistence. Nothing of it is left on disk. It is killed after the test or the file
 * that starts it.
 */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const port = await findFreePort();
  return startServer(`redis://127.0.0.1:${port}`, ['--port', String(port), ...settings]);
}

/** Starts one that speaks TLS only. */
export async function startTlsRedis({ certFile, keyFile }: Certificate): Promise<RedisServer> {
  const port = await findFreePort();
  const ports = ['--port', '0', '--tls-port', String(port)];
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-auth-clients', 'no'];
  return startServer(`rediss://127.0.0.1:${port}`, [...ports, ...files], readFileSync(certFile));
}

/** @param ca whose certificates are trusted, where it speaks TLS. */
async function startServer(url: string, settings: string[], ca?: Buffer): Promise<RedisServer> {
  let child: ChildProcess | undefined;
  const server: RedisServer = {
    url,
    async start() {
      const fixed = ['--bind', '127.0.0.1', '--dir', tmpdir()];
      child = spawn('redis-server', [...fixed, '--save', '', '--appendonly', 'no', ...settings], {
        stdio: 'ignore',
      });
      endWithRunner(child);
      await answering(url, ca);
    },
    async kill() {
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
  };
  closeAfterwards(server.kill);
  await server.start();
  return server;
}

async function answering(url: string, ca: Buffer | undefined): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 20, ...(ca === undefined ? {} : { tls: { ca } }) });
  redis.on('error', () => {});
  // One that asks for a password answers too.
  await redis.ping().catch(() => {});
  redis.disconnect();
}
