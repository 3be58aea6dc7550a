import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../../lib/errors.ts';
import { isListening, listenPrivately, type SocketDirectory, socketDirectory } from './socket.ts';

export type DataDirectory = Awaited<ReturnType<typeof take>>;

export class DirectoryInUseError extends OperatorError {
  constructor(path: string) {
    super(
      `The data directory ${path} is in use by another revgate: stop that one first, or set DATA_DIR to another directory.`,
    );
  }
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
 * @throws DirectoryInUseError when another process holds it; OperatorError when it cannot be written.
 */
export async function holdDataDirectory(path: string): Promise<DataDirectory> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
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

async function take(path: string, sockets: SocketDirectory) {
  const connections = new Set<Socket>();
  const refuse = (socket: Socket): void => void socket.destroy();
  let onConnection: (socket: Socket) => void = refuse;
  const server = createServer((socket) => {
    connections.add(socket.on('error', () => {}).once('close', () => connections.delete(socket)));
    onConnection(socket);
  });
  const disconnect = (): void => {
    onConnection = refuse;
    for (const socket of connections) {
      socket.destroy();
    }
  };
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    disconnect();
    await closed;
    sockets.close();
  };
  try {
    const own = await listenPrivately(server, path, sockets, ENCLOSURE, (made) => claim(path, sockets, made));
    const endSharing = (): void => {
      // While this process still listens: after that, the names may be another process's.
      rmSync(join(path, ENGINE_SOCKET), { force: true });
      disconnect();
    };
    return {
      /** Lets other processes of this user connect. Before this call and after `release`, they are rejected. */
      share(listener: (socket: Socket) => void): void {
        onConnection = listener;
        const unfinished = join(path, `${own}.share`);
        linkSync(join(path, own), unfinished);
        renameSync(unfinished, join(path, ENGINE_SOCKET));
      },
      /** Ends the connections of other processes, and rejects new ones. */
      endSharing,
      async release(): Promise<void> {
        endSharing();
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
  for (;;) {
    const newest = newestGeneration(path);
    if (newest > 0 && (await isListening(sockets.address(lockName(newest))))) {
      throw new DirectoryInUseError(path);
    }
    const own = lockName(newest + 1);
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
    const others = readLocks(path).filter((name) => name !== own);
    for (const name of others) {
      if (await isListening(sockets.address(name))) {
        rmSync(join(path, own), { force: true });
        throw new DirectoryInUseError(path);
      }
    }
    for (const name of [...others, ENGINE_SOCKET, ...deadEnclosures(path)]) {
      rmSync(join(path, name), { force: true, recursive: true });
    }
    return own;
  }
}

function readLocks(path: string): string[] {
  return readdirSync(path).filter((name) => LOCK.test(name));
}

function newestGeneration(path: string): number {
  return Math.max(0, ...readLocks(path).map((name) => Number(LOCK.exec(name)?.[1])));
}

function lockName(generation: number): string {
  return `revgate.lock.${generation}`;
}

/** Files of processes that were killed while they locked the directory. */
function deadEnclosures(path: string): string[] {
  return readdirSync(path).filter((name) => {
    // The modification time of a file that is being removed is unknown.
    const madeAt = statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    return name.startsWith(ENCLOSURE) && madeAt < Date.now() - ENCLOSURE_MS;
  });
}

interface DirectoryHolder {
  /**
   * The directory of its socket, as the host for PostgreSQL's drivers, valid as long as this process runs; undefined
   * as long as the process does not share its engine.
   */
  readonly host: string | undefined;
}

/**
 * Finds the process that holds a data directory.
 *
 * @throws OperatorError when the directory or the process belongs to another user.
 */
export async function findHolder(path: string): Promise<DirectoryHolder | undefined> {
  let sockets: SocketDirectory | undefined;
  let host: string | undefined;
  try {
    const name = lockName(newestGeneration(path));
    sockets = socketDirectory(path);
    if (!(await isListening(sockets.address(name)))) {
      return undefined;
    }
    accessSync(sockets.address(name), constants.W_OK);
    host = (await isListening(sockets.address(ENGINE_SOCKET))) ? sockets.path : undefined;
    return { host };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') {
      // There is no such directory, or it was released meanwhile. The process that locks it reports other errors.
      return undefined;
    }
    throw new OperatorError(
      `This user may not use the data directory ${path}: run the command as the user who owns it, or set DATA_DIR to another directory.`,
    );
  } finally {
    if (host === undefined) {
      sockets?.close();
    }
  }
}

export interface HolderWait {
  /** Called once, when the wait takes longer than a second. */
  readonly onWait?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const NOTICE_MS = 1_000;
const LOOK_MS = 50;

/**
 * Waits until no process holds a data directory, or the one that does shares it: until then, it starts a server, or is
 * a command without a server.
 *
 * @returns the process that shares it, if there is one.
 * @throws OperatorError when the wait is stopped.
 */
export async function waitForHolder(path: string, { onWait, signal }: HolderWait = {}) {
  const notice = setTimeout(() => onWait?.(), NOTICE_MS);
  try {
    for (;;) {
      const holder = await findHolder(path);
      if (holder === undefined || holder.host !== undefined) {
        return holder;
      }
      await wait(LOOK_MS, undefined, { signal }).catch(() => {
        throw new OperatorError('Stopped before the database was ready.');
      });
    }
  } finally {
    clearTimeout(notice);
  }
}
