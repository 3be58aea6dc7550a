import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site of somebody else: its own origin, a page at every path. */
export async function openOrigin(page: () => string) {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(page());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Not the address of the gateway with another port alone: another host.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
