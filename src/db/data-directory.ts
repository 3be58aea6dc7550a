import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { isListening, listenPrivately, type SocketDirectory, socketDirectory } from './socket.ts';

/** A data directory that this process holds. */
export interface DataDirectory {
  readonly path: string;
  /** Lets other processes of this user connect. Before this call and after `release`, they are rejected. */
  share(onConnection: (socket: Socket) => void): void;
  /** Ends the connections of other processes, and rejects new ones. */
  endSharing(): void;
  release(): Promise<void>;
}

/** The socket name that PostgreSQL's drivers, and psql, look for in a directory that is given as the host. */
const ENGINE_SOCKET = '.s.PGSQL.5432';
/** The socket of the process that holds the directory, with its generation. */
const LOCK = /^revgate\.lock\.(\d{1,15})$/;
/** Where a process creates its socket before it locks the directory. */
const ENCLOSURE = '.revgate.lock-';
/** It is in use for some ms; a socket in it without a listener may be about to get one. */
const ENCLOSURE_MS = 60_000;

/**
 * Locks the data directory for this process, and creates it if it does not exist. The engine itself has no lock, and
 * two processes on one directory destroy it.
 *
 * A process holds the directory as long as it listens on its socket there, which the system ends with the process,
 * in whatever container it runs. A dead socket is never removed: only one process can create the link with the name
 * of the next generation.
 *
 * @throws OperatorError when another process holds it, or it cannot be written.
 */
export async function holdDataDirectory(path: string): Promise<DataDirectory> {
  try {
    makeDirectory(path);
    return await take(path, socketDirectory(path));
  } catch (error) {
    if (error instanceof OperatorError) {
      throw error;
    }
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new OperatorError(
      `Cannot write the data directory ${path} (${reason}): make it a writable directory, or set DATA_DIR to another one.`,
    );
  }
}

/** Creates a directory and those above it. Node's recursive mkdir never returns in /proc, where mkdir reports ENOENT. */
function makeDirectory(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) {
    makeDirectory(parent);
  }
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw error;
    }
  }
}

async function take(path: string, sockets: SocketDirectory): Promise<DataDirectory> {
  const connections = new Set<Socket>();
  const refuse = (socket: Socket): void => void socket.destroy();
  let onConnection = refuse;
  const server = createServer((socket) => {
    connections.add(socket.on('error', () => {}).once('close', () => connections.delete(socket)));
    onConnection(socket);
  });
  const endSharing = (): void => {
    onConnection = refuse;
    for (const socket of connections) {
      socket.destroy();
    }
  };
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    endSharing();
    await closed;
    sockets.close();
  };
  try {
    const own = await listenPrivately(server, path, sockets, ENCLOSURE, (made) => claim(path, sockets, made));
    return {
      path,
      share(listener) {
        onConnection = listener;
        const unfinished = join(path, `${own}.share`);
        linkSync(join(path, own), unfinished);
        renameSync(unfinished, join(path, ENGINE_SOCKET));
      },
      endSharing,
      async release() {
        // While this process still listens on it: after that, the names may be another process's.
        rmSync(join(path, ENGINE_SOCKET), { force: true });
        rmSync(join(path, own), { force: true });
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Links a listening socket to the next generation's name.
 *
 * @returns that name.
 */
async function claim(path: string, sockets: SocketDirectory, made: string): Promise<string> {
  const inUse = (): OperatorError =>
    new OperatorError(
      `The data directory ${path} is in use by another revgate: stop that one first, or set DATA_DIR to another directory.`,
    );
  for (;;) {
    const newest = Math.max(0, ...readLocks(path).map((name) => Number(LOCK.exec(name)?.[1])));
    if (newest > 0 && (await isListening(sockets.address(`revgate.lock.${newest}`)))) {
      throw inUse();
    }
    const own = `revgate.lock.${newest + 1}`;
    try {
      linkSync(made, join(path, own));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        // Another process was faster.
        continue;
      }
      throw error;
    }
    // Of two that linked different names, the later one sees the earlier one here.
    const others = [...readLocks(path).filter((name) => name !== own), ENGINE_SOCKET];
    for (const name of others) {
      if (await isListening(sockets.address(name))) {
        rmSync(join(path, own), { force: true });
        throw inUse();
      }
    }
    for (const name of [...others, ...deadEnclosures(path)]) {
      rmSync(join(path, name), { force: true, recursive: true });
    }
    return own;
  }
}

function readLocks(path: string): string[] {
  return readdirSync(path).filter((name) => LOCK.test(name));
}

/** Files of processes that were killed while they locked the directory. */
function deadEnclosures(path: string): string[] {
  return readdirSync(path).filter((name) => {
    // The modification time of a file that is being removed is unknown.
    const madeAt = statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    return name.startsWith(ENCLOSURE) && madeAt < Date.now() - ENCLOSURE_MS;
  });
}

/**
 * The directory of the socket of the process that holds a data directory, as the host for PostgreSQL's drivers;
 * undefined if no process shares it. It is valid as long as this process runs.
 *
 * @throws OperatorError when the directory or the process belongs to another user.
 */
export async function findSharedEngine(path: string): Promise<string | undefined> {
  let sockets: SocketDirectory;
  try {
    sockets = socketDirectory(path);
  } catch {
    // The process that locks the directory reports the error.
    return undefined;
  }
  if (await isListening(sockets.address(ENGINE_SOCKET))) {
    try {
      accessSync(sockets.address(ENGINE_SOCKET), constants.W_OK);
    } catch {
      sockets.close();
      throw new OperatorError(
        `This user may not use the data directory ${path}: run the command as the user who owns it, or set DATA_DIR to another directory.`,
      );
    }
    return sockets.path;
  }
  sockets.close();
  return undefined;
}
