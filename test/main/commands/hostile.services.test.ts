import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { only } from '../../support/only.ts';
import { LAUNCHER, serveBuilt } from './built-command.ts';
import { expectToSurvive, floodRequests } from './flood.ts';
import { openConnection, testDirectory } from './process.ts';

// What could end a process needs one of its own.
const settings = { DATA_DIR: testDirectory(), RATE_LIMIT_PREMIUM: '1000000000' };
const server = await serveBuilt(settings, { program: LAUNCHER });

const statusOf = async (target: string): Promise<number> => (await fetch(`${server.url}${target}`)).status;

only(existsSync('/proc/self/status'), '/proc').it(
  'survives clients that pipeline requests of every kind and read nothing, within 512 MB',
  async () => {
    const requests = Object.values(floodRequests(server));
    await expectToSurvive(server, requests, { connections: 200, holdMs: 500, megabytes: 512 });
  },
);

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
