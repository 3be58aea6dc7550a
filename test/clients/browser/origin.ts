import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterwards } from '../../support/closing.ts';

/** The origin of a web site of somebody else, with a page at every path. */
export async function openOrigin(page: () => string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(page());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterwards(() => server.close());
  // Not the address of the gateway with another port alone: another host.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
