import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { OpenedCounter } from '../../../src/access/limits/counter.ts';
import { openCounter } from '../../../src/access/limits/open-counter.ts';
import { closeAfterwards } from '../../support/closing.ts';

const SECRET = 'c0rrect-horse';

async function open(redisUrl?: string): Promise<OpenedCounter & { reported: [boolean, string][] }> {
  const reported: [boolean, string][] = [];
  const opened = await openCounter({
    redisUrl,
    now: Date.now,
    onFallback: (active, reason) => reported.push([active, reason]),
  });
  closeAfterwards(opened.close);
  return { ...opened, reported };
}

/** The address of a server that is not Redis. */
async function listen(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  closeAfterwards(() => {
    server.close();
    sockets.forEach((socket) => void socket.destroy());
  });
  await once(server, 'listening');
  return `redis://user:${SECRET}@127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('opening a counter', () => {
  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['accepts and never answers', () => {}, /^no answer within 1000 ms$/],
    ['closes at once', (socket) => socket.destroy(), /closed|EPIPE|ECONNRESET/],
    ['talks nonsense', (socket) => socket.on('data', () => socket.write('HTTP/1.1 400\r\n\r\n')), /failed/],
    [
      'repeats what it was sent',
      (socket) =>
        socket.on('data', (data) => socket.write(`-ERR unknown ${JSON.stringify(String(data))}\r\n`)),
      /^it refused: ERR$/,
    ],
  ])('begins in memory, and reports no secret, with a server that %s', async (_what, onSocket, reason) => {
    const { counter, state, reported } = await open(await listen(onSocket));
    expect(state()).toBe('fallback');
    expect(reported).toEqual([[true, expect.stringMatching(reason)]]);
    expect(JSON.stringify(reported)).not.toContain(SECRET);
    expect(await counter.reserve('a', 6, 10)).toMatchObject({ admitted: true, used: 6 });
  });
});

it('counts two limits of one request in memory where Redis fails while it counts them', async () => {
  const { counter, state, reported } = await open(
    await listen((socket) =>
      socket.on('data', (data) => {
        const commands = String(data).match(/^\*\d+\r$/gm)?.length ?? 0;
        return String(data).includes('common') ? socket.destroy() : socket.write('+OK\r\n'.repeat(commands));
      }),
    ),
  );
  expect(state()).toBe('redis');
  const buckets = [
    { name: 'own', limit: 5 },
    { name: 'common', limit: 2 },
  ];
  for (const [admitted, used] of [
    [true, 1],
    [true, 2],
    [false, 2],
  ]) {
    expect(await counter.reserveAll(buckets, 1)).toMatchObject({ admitted, used, limit: 2 });
  }
  expect([state(), reported]).toEqual(['fallback', [[true, expect.any(String)]]]);
  // The request that was refused was charged to neither.
  expect(buckets.map(({ name, limit }) => counter.peek(name, limit).used)).toEqual([2, 2]);
});
