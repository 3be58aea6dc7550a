import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A port of 127.0.0.1 that nothing listens on. It is below those that an operating system chooses itself, so no other
 * program gets it before the test listens there.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as { code?: string }).code === 'EADDRINUSE') {
        continue;
      }
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Waits until something listens on a port of 127.0.0.1. */
export async function accepts(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await wait(20);
    } finally {
      socket.destroy();
    }
  }
}
