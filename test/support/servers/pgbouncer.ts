import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { accepts, findFreePort } from '../free-port.ts';

/** Starts PgBouncer in front of the server, as it is installed but for its mode: a connection is ours for a transaction. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = new URL(process.env.TEST_DATABASE_URL as string);
  const directory = mkdtempSync(join(tmpdir(), 'revgate-pgbouncer-'));
  const config = join(directory, 'pgbouncer.ini');
  const port = await findFreePort();
  const upstream = {
    host: server.hostname,
    port: server.port || '5432',
    user: decodeURIComponent(server.username) || 'postgres',
    password: decodeURIComponent(server.password),
  };
  writeFileSync(
    config,
    `[databases]
* = ${Object.entries(upstream)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
`,
  );
  // It refuses to be root, and is nobody instead, who must be able to read this.
  chmodSync(directory, 0o755);
  const isRoot = process.getuid?.() === 0;
  const pooler = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), config], {
    stdio: 'ignore',
    // Debian installs it where only root looks.
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const ended = once(pooler, 'exit');
  const missing = once(pooler, 'error').then(([error]) => {
    throw new Error(
      `Cannot start PgBouncer (${error.code}): install it, as "apt-get install pgbouncer" does.`,
    );
  });
  await Promise.race([
    accepts(port),
    missing,
    ended.then(() => Promise.reject(new Error('PgBouncer ended.'))),
  ]);
  project.provide('pooler', `127.0.0.1:${port}`);
  return async () => {
    pooler.kill();
    await ended;
    rmSync(directory, { recursive: true });
  };
}
