import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * What a proxy does with connections:
 * - `open`: passes all bytes on.
 * - `refused`: ends them, and nothing listens on its port.
 * - `closed`: ends them, and accepts new ones only to end them, as a pooler without a server does.
 * - `frozen`: bytes are neither passed on nor refused, as where a network drops packets.
 * - `gone`: resets each with the next bytes of its client, as a server that crashes while it executes a statement.
 */
export type ProxyState = 'open' | 'refused' | 'closed' | 'frozen' | 'gone';

/** A TCP proxy of one test. */
export interface Proxy {
  readonly port: number;
  /** Where new connections go. */
  target: { readonly host: string; readonly port: number };
  /** Resolves when connections are treated so. */
  turn(to: ProxyState): Promise<void>;
  /** Lets all connections that are open go silent, but no new one. */
  silenceOpen(): void;
  /** Ends all connections. */
  disconnect(): void;
}

/** Opens a proxy in front of a server. */
export async function openProxy(target: Proxy['target']): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let state: ProxyState = 'open';
  const server = createServer((client) => {
    if (state === 'closed') {
      client.on('error', () => {});
      client.resume();
      client.end();
      return;
    }
    const upstream = connect(proxy.target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (state === 'gone') {
          client.resetAndDestroy();
        } else if (state !== 'frozen' && !silent.has(from)) {
          to.write(bytes);
        }
      });
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const proxy: Proxy = {
    port,
    target,
    async turn(to) {
      state = to;
      if (to === 'refused') {
        server.close();
      } else if (!server.listening) {
        await listen(port);
      }
      if (to === 'refused' || to === 'closed') {
        proxy.disconnect();
      }
    },
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
