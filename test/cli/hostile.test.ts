import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { only } from '../support/only.ts';
import { type BuiltServer, serveBuilt } from './built-command.ts';
import { openConnection, temporaryDirectory } from './process.ts';

// What could end a process needs one of its own.
let server: BuiltServer;
const { path, remove } = temporaryDirectory();
beforeAll(async () => {
  server = await serveBuilt({ DATA_DIR: path, NODE_OPTIONS: '--max-old-space-size=384' });
});
afterAll(async () => {
  await server.kill();
  remove();
});

const statusOf = async (target: string): Promise<number> => (await fetch(`${server.url}${target}`)).status;

it('survives clients without a key that pipeline and read nothing', async () => {
  const request = 'GET /graphql HTTP/1.1\r\nHost: x\r\n\r\n';
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openConnection(server.port)));
  for (const socket of sockets) {
    socket.pause();
    socket.write(request.repeat(1_500));
  }
  expect(await statusOf('/health')).toBe(200);
  expect(await statusOf('/api/v1/startups')).toBe(429);
  for (const socket of sockets) {
    socket.destroy();
  }
  expect(await statusOf('/health')).toBe(200);
  expect(server.child.exitCode).toBeNull();
});

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

only(canLimit, 'prlimit').it(
  'survives connections that take all its files, and serves every page then',
  async () => {
    // A few more than it has open.
    const nofile = readdirSync(`/proc/${server.child.pid}/fd`).length + 20;
    spawnSync('prlimit', ['--pid', String(server.child.pid), `--nofile=${nofile}:${nofile}`]);
    // Before the files run out; afterwards none can be opened for what these ask.
    const kept = await openConnection(server.port);
    const sockets = await Promise.all(Array.from({ length: 60 }, () => openConnection(server.port)));
    const answers: string[] = [];
    kept.setEncoding('utf8').on('data', (text: string) => answers.push(text));
    const targets = [
      '/dashboard/sign-in',
      '/docs',
      '/policy',
      '/openapi.json',
      '/graphql',
      '/api/v1/startups',
    ];
    kept.write(
      targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`).join(''),
    );
    await expect
      .poll(() =>
        answers
          .join('')
          .match(/HTTP\/1\.1 \d+/g)
          ?.map((line) => Number(line.slice(-3))),
      )
      // Without a key; an address may try that only so often, and the other test does.
      .toEqual([200, 200, 200, 200, 200, expect.toSatisfy((status) => status === 401 || status === 429)]);
    for (const socket of [...sockets, kept]) {
      socket.destroy();
    }
    await expect.poll(() => statusOf('/health')).toBe(200);
    expect(server.stderr()).not.toContain('unhandled');
    expect(server.child.exitCode).toBeNull();
  },
);
