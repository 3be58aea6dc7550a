import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';

/** A data directory held by this process. */
export interface DataDirectory {
  readonly path: string;
  /** Tells other processes the directory of the socket by which they may connect. */
  announce(socketHost: string): void;
  release(): void;
}

/** The living process that holds a data directory. */
export interface Holder {
  readonly pid: number;
  /** Directory of its socket, once it serves. */
  readonly socketHost: string | undefined;
}

interface Lock {
  pid: number;
  started: string | undefined;
  socketHost?: string;
}

/** How long a lock may be empty, in ms: it is made first and written then. */
const WRITING_MS = 500;
const RETRY_MS = 10;

const lockOf = (path: string): string => join(path, 'revgate.lock');

/**
 * Takes the data directory for this process, making it where it does not exist. The engine has no
 * lock of its own, and two processes on one directory destroy it.
 *
 * @throws OperatorError when another living process holds it, or it cannot be written.
 */
export function holdDataDirectory(path: string): DataDirectory {
  const file = lockOf(path);
  const lock: Lock = { pid: process.pid, started: startOf(process.pid) };
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    while (!tryWrite(file, lock)) {
      const found = readLock(file);
      const holder = found === undefined ? undefined : holderOf(found);
      if (holder !== undefined) {
        throw new OperatorError(
          `The data directory ${path} is held by process ${holder.pid}: stop it first, or set DATA_DIR to another directory.`,
        );
      }
      if (found !== undefined) {
        removeStale(file, found);
      }
    }
  } catch (error) {
    if (error instanceof OperatorError) {
      throw error;
    }
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new OperatorError(
      `Cannot write the data directory ${path} (${reason}): make it writable, or set DATA_DIR to another one.`,
    );
  }
  return {
    path,
    announce(socketHost) {
      // Replaced as a whole, so that nobody reads half of it.
      writeFileSync(`${file}.new`, JSON.stringify({ ...lock, socketHost }));
      renameSync(`${file}.new`, file);
    },
    release: () => rmSync(file, { force: true }),
  };
}

function tryWrite(file: string, lock: Lock): boolean {
  try {
    writeFileSync(file, JSON.stringify(lock), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** The process that holds a data directory, if the one that took it still lives. */
export function findHolder(path: string): Holder | undefined {
  try {
    const found = readLock(lockOf(path));
    return found === undefined ? undefined : holderOf(found);
  } catch {
    // What keeps it from being read is told by whoever takes the directory.
    return undefined;
  }
}

/** What a lock says; undefined where there is none. */
function readLock(file: string): string | undefined {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      const text = readFileSync(file, 'utf8');
      if (text !== '' || waited >= WRITING_MS) {
        return text;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
}

function holderOf(text: string): Holder | undefined {
  let lock: Lock | null;
  try {
    lock = JSON.parse(text) as Lock | null;
  } catch {
    // One that its writer did not live to finish.
    return undefined;
  }
  // Any other number would ask for a whole group of processes.
  if (!Number.isSafeInteger(lock?.pid) || lock === null || lock.pid < 1) {
    return undefined;
  }
  // In a container every life has the same process number: where the system does not tell when a process
  // began, a lock of our own number is of an earlier life.
  const isEarlierSelf = lock.pid === process.pid && lock.started === undefined;
  const isSame = lock.started === undefined || lock.started === startOf(lock.pid);
  return !isEarlierSelf && isSame && isAlive(lock.pid)
    ? { pid: lock.pid, socketHost: lock.socketHost }
    : undefined;
}

/** Takes away a lock that was found stale, and only that one: another start may have replaced it meanwhile. */
function removeStale(file: string, stale: string): void {
  const taken = `${file}.${process.pid}`;
  try {
    renameSync(file, taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return;
    }
    throw error;
  }
  const text = readLock(taken);
  if (text !== undefined && text !== stale) {
    writeFileSync(file, text, { flag: 'wx' });
  }
  rmSync(taken, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Signalling another user's process is refused, so it lives.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, where the system tells (Linux), so that a reused number is not mistaken for it. */
function startOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
  } catch {
    return undefined;
  }
}
