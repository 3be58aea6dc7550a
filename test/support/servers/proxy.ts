import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP proxy of one test. */
export interface Proxy {
  readonly port: number;
  /** Where new connections go. */
  target: { readonly host: string; readonly port: number };
  /** While it is set, bytes are neither passed on nor refused, as where a network drops packets. */
  isSilent: boolean;
  /** Lets all connections that are open go silent, but no new one. */
  silenceOpen(): void;
  /** Ends all connections. */
  disconnect(): void;
}

/** Opens a proxy in front of a server. */
export async function openProxy(target: Proxy['target']): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const server = createServer((client) => {
    const upstream = connect(proxy.target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => proxy.isSilent || silent.has(from) || to.write(bytes));
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: Proxy = {
    port: (server.address() as AddressInfo).port,
    target,
    isSilent: false,
    silenceOpen() {
      for (const socket of sockets) {
        silent.add(socket);
      }
    },
    disconnect() {
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
  onTestFinished(() => {
    server.close();
    proxy.disconnect();
  });
  return proxy;
}
