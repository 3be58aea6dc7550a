import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/http/node-server.ts';
import { openTestGateway } from '../support/gateway.ts';

it('a client that goes away pays for what it began', async () => {
  const gateway = await openTestGateway();
  const server = await listen(gateway.handle, { host: '127.0.0.1', port: 0, trustedProxies: 0 });
  onTestFinished(async () => {
    await server.close();
    await gateway.close();
  });
  const { key } = await gateway.key();
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  const requests = [
    // Before its body, and without waiting for the answer.
    `${head('POST /graphql')}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"query":`,
    `${head('GET /api/v1/startups')}\r\n`,
  ];
  for (const request of requests) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(request, resolve));
    // Until the server has the head, there is no request.
    await new Promise((resolve) => setTimeout(resolve, 150));
    socket.destroy();
  }
  await expect.poll(() => gateway.logs.filter((text) => text.includes('"answered"')).length).toBe(2);
  const { headers } = await gateway.call('/api/v1/startups', { key });
  expect(headers['x-ratelimit-remaining']).toBe('7');
});
