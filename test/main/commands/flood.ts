import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { type BuiltServer, servingProcess } from './built-command.ts';
import { openConnection } from './process.ts';

/** The requests that a flood can consist of, by what they ask for. */
export function floodRequests(server: BuiltServer): Readonly<Record<string, string>> {
  const files = readdirSync(new URL('../../../dist/web/site/graphiql/', import.meta.url));
  const script = files.find((name) => /^graphiql\..+\.js\.br$/.test(name))?.slice(0, -'.br'.length);
  const key = /^ {2}(\S{20,})$/m.exec(server.stdout())?.[1] ?? '';
  const authorization = `Authorization: Bearer ${key}\r\n`;
  const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const body = '{"query":"{ startups(limit: 10) { page { slug name description website } } }"}';
  return {
    'a file of GraphiQL': get(`/graphiql/${script}`),
    'the reference': get('/docs'),
    'the API without a key': get('/api/v1/startups'),
    'REST with a key': get('/api/v1/startups', authorization),
    'GraphQL with a key': `POST /graphql HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  };
}

/**
 * Opens connections that each pipeline a request and read no response, and closes them. The server must answer others
 * meanwhile and afterwards, and must never have more than the given memory.
 *
 * @param requests one for each connection, in turn.
 * @param megabytes the most resident memory of its process.
 */
export async function expectToSurvive(
  server: BuiltServer,
  requests: readonly string[],
  { connections, holdMs, megabytes }: { connections: number; holdMs: number; megabytes: number },
): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => openConnection(server.port)));
  for (const [index, socket] of sockets.entries()) {
    socket.pause();
    socket.write((requests[index % requests.length] as string).repeat(300));
  }
  const health = async (): Promise<number> => (await fetch(`${server.url}/health`)).status;
  expect(await health()).toBe(200);
  await setTimeout(holdMs);
  expect(await health()).toBe(200);
  for (const socket of sockets) {
    socket.destroy();
  }
  expect(await health()).toBe(200);
  expect(server.child.exitCode).toBeNull();
  expect(peakMegabytes(servingProcess(server.child.pid))).toBeLessThan(megabytes);
}

/** The most resident memory that a process has had. */
function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
