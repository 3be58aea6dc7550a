import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { MessagePort } from 'node:worker_threads';

/** The embedded engine, reachable by other processes of the same user. */
export interface EngineSocket {
  /** Directory of the socket: PostgreSQL's drivers take it for a host. */
  readonly host: string;
  close(): Promise<void>;
}

// The name that PostgreSQL's drivers look for in such a directory.
const NAME = '.s.PGSQL.5432';
// The shortest limit of the systems in use is 104 bytes, with an ending zero.
const MAX_PATH_BYTES = 103;

/**
 * Lets other processes connect to the engine as they would to a PostgreSQL server: commands in a second
 * terminal, or psql. Only this user may, and only from this machine.
 *
 * @param directory where to put the socket; a private directory elsewhere if the path is too long.
 * @param connect a new connection to the engine.
 */
export async function openEngineSocket(directory: string, connect: () => MessagePort): Promise<EngineSocket> {
  // Absolute: drivers take anything else for a machine's name, and others run elsewhere.
  const wanted = resolve(directory);
  const isShort = Buffer.byteLength(join(wanted, NAME)) <= MAX_PATH_BYTES;
  const host = isShort ? wanted : mkdtempSync(join(tmpdir(), 'revgate-'));
  const path = join(host, NAME);
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    bridge(socket, connect());
  });
  await listenPrivately(server, path);
  return {
    host,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
      rmSync(isShort ? path : host, { recursive: true, force: true });
    },
  };
}

/**
 * Makes the socket in a directory that only this user can enter and moves it to its place with mode 0600, so that
 * there is no moment at which another user could connect.
 */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const enclosure = mkdtempSync(join(dirname(path), '.s'));
  try {
    const unfinished = join(enclosure, 's');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(unfinished, resolve);
    });
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, path);
  } finally {
    rmSync(enclosure, { recursive: true, force: true });
  }
}

function bridge(socket: Socket, port: MessagePort): void {
  socket.on('data', (chunk) => {
    const bytes = Uint8Array.from(chunk);
    port.postMessage(bytes, [bytes.buffer]);
  });
  port.on('message', (bytes: Uint8Array) => socket.write(bytes));
  port.on('close', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  // However it ends, the engine rolls back what was not committed.
  socket.on('close', () => port.close());
}
