import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

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
