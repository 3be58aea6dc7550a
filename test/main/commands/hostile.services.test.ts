import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { only } from '../../support/only.ts';
import { LAUNCHER, serveBuilt, servingProcess } from './built-command.ts';
import { openConnection, testDirectory } from './process.ts';

// What could end a process needs one of its own.
const settings = { DATA_DIR: testDirectory(), RATE_LIMIT_PREMIUM: '1000000000' };
const server = await serveBuilt(settings, { program: LAUNCHER });

const statusOf = async (target: string): Promise<number> => (await fetch(`${server.url}${target}`)).status;

/** Requests for a file of GraphiQL, the reference, REST without and with a key, and GraphQL. */
function everyRequest(): string[] {
  const files = readdirSync(new URL('../../../dist/web/site/graphiql/', import.meta.url));
  const script = files.find((name) => /^graphiql\..+\.js\.br$/.test(name))?.slice(0, -'.br'.length);
  const key = /^ {2}(\S{20,})$/m.exec(server.stdout())?.[1] ?? '';
  const authorization = `Authorization: Bearer ${key}\r\n`;
  const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const body = '{"query":"{ startups(limit: 10) { page { slug name description website } } }"}';
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return [
    get(`/graphiql/${script}`),
    get('/docs'),
    get('/api/v1/startups'),
    get('/api/v1/startups', authorization),
    `POST /graphql HTTP/1.1\r\nHost: x\r\n${authorization}${type}\r\n${body}`,
  ];
}

only(existsSync('/proc/self/status'), '/proc').it(
  'survives clients that pipeline requests of every kind and read nothing, within 512 MB',
  async () => {
    const requests = everyRequest();
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openConnection(server.port)));
    for (const [index, socket] of sockets.entries()) {
      socket.pause();
      socket.write((requests[index % requests.length] as string).repeat(300));
    }
    expect(await statusOf('/health')).toBe(200);
    await wait(500);
    expect(await statusOf('/health')).toBe(200);
    for (const socket of sockets) {
      socket.destroy();
    }
    expect(await statusOf('/health')).toBe(200);
    expect(server.child.exitCode).toBeNull();
    const memory = readFileSync(`/proc/${servingProcess(server.child.pid)}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(memory)?.[1]) / 1024).toBeLessThan(512);
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
    let answers = '';
    kept.setEncoding('utf8').on('data', (text: string) => {
      answers += text;
    });
    const targets = '/dashboard/sign-in /docs /policy /openapi.json /graphql /api/v1/startups'.split(' ');
    const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`;
    kept.write(targets.map(get).join(''));
    const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join(' ');
    // The last is without a key; an address may try that only so often, and the other test does.
    await expect.poll(statuses).toMatch(/^(200 ){5}4(01|29)$/);
    for (const socket of [...sockets, kept]) {
      socket.destroy();
    }
    await expect.poll(() => statusOf('/health')).toBe(200);
    expect(server.stderr()).not.toContain('unhandled');
    expect(server.child.exitCode).toBeNull();
  },
);
