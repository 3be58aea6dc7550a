import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { OperatorError } from '../../lib/errors.ts';

/** The lowest limit of the common systems for the path of a socket is 104 bytes, including a final zero. */
const MAX_PATH_BYTES = 103;
/** Reserved for the longest name of a socket that is used here. */
const MAX_NAME_BYTES = 40;

/** A directory for sockets, with a path that is short enough. */
export interface SocketDirectory {
  /** Absolute: drivers treat any other text as a host name. */
  readonly path: string;
  address(name: string): string;
  /** After that, its paths must not be used any more. */
  close(): void;
}

/**
 * @throws OperatorError if the path is too long, and the system offers no shorter one. Any error of opening the
 *   directory, if its path is too long.
 */
export function socketDirectory(directory: string): SocketDirectory {
  const path = resolve(directory);
  if (Buffer.byteLength(path) + MAX_NAME_BYTES <= MAX_PATH_BYTES) {
    return { path, address: (name) => join(path, name), close: () => {} };
  }
  if (!existsSync('/proc/self/fd')) {
    throw new OperatorError(
      `The path of the data directory ${path} is too long for a socket: choose a shorter one.`,
    );
  }
  const fd = openSync(path, 'r');
  const short = `/proc/self/fd/${fd}`;
  return { path: short, address: (name) => `${short}/${name}`, close: () => closeSync(fd) };
}

/** Whether a process listens on a socket; also true if it is too busy, or rejects this user. */
export function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT' && code !== 'ENOTSOCK');
    });
  });
}

/** The name of a socket in the directory in which it is created. */
const SOCKET_NAME = 's';

/**
 * Listens on a new socket that only this user can connect to. It is created in a directory that only this user can
 * enter, so that no other user can connect at any time, and remains under the names that `use` gives it.
 *
 * @param prefix what the name of that directory begins with.
 * @param use receives the path of the socket.
 */
export async function listenPrivately<T>(
  server: Server,
  directory: string,
  sockets: SocketDirectory,
  prefix: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const enclosure = mkdtempSync(join(directory, prefix));
  try {
    const made = join(enclosure, SOCKET_NAME);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(sockets.address(join(basename(enclosure), SOCKET_NAME)), resolve);
    });
    chmodSync(made, 0o600);
    return await use(made);
  } finally {
    rmSync(enclosure, { recursive: true, force: true });
  }
}
