import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** For how long, in ms, others that take the directory at the same time are waited for. */
const TAKING_MS = 10_000;

/** Between two attempts, at most. */
const RETRY_MS = 20;

const NAME = 'revgate.lock';
const FLAG = /^revgate\.lock\.\d+$/;
const lockOf = (path: string): string => join(path, NAME);

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
    takeTurn(path, lock, () => {
      const holder = findHolder(path);
      if (holder !== undefined) {
        throw heldBy(path, holder.pid);
      }
      replaceFile(file, lock);
    });
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
    announce: (socketHost) => replaceFile(file, { ...lock, socketHost }),
    release: () => rmSync(file, { force: true }),
  };
}

/**
 * Does what only one process at a time may do to a lock. Each raises a flag of its own first and then looks
 * for others': of two at the same time at least one sees the other, and whoever sees one gives way.
 */
function takeTurn(path: string, lock: Lock, work: () => void): void {
  const flag = join(path, `${NAME}.${process.pid}`);
  const until = performance.now() + TAKING_MS;
  for (;;) {
    replaceFile(flag, lock);
    try {
      const other = findOther(path, flag);
      if (other === undefined) {
        work();
        return;
      }
      if (performance.now() > until) {
        throw heldBy(path, other.pid);
      }
    } finally {
      rmSync(flag, { force: true });
    }
    pause(1 + Math.random() * RETRY_MS);
  }
}

/** A living process, other than the one that raised this flag, that has raised one; stale ones go. */
function findOther(path: string, flag: string): Holder | undefined {
  for (const name of readdirSync(path)) {
    const file = join(path, name);
    if (FLAG.test(name) && file !== flag) {
      const found = readLock(file);
      const holder = found === undefined ? undefined : holderOf(found);
      if (holder !== undefined) {
        return holder;
      }
      rmSync(file, { force: true });
    }
  }
  return undefined;
}

/** Written as a whole, so that nobody reads half of it. */
function replaceFile(file: string, lock: Lock): void {
  const whole = `${file}.${process.pid}.new`;
  writeFileSync(whole, JSON.stringify(lock));
  renameSync(whole, file);
}

function heldBy(path: string, pid: number): OperatorError {
  return new OperatorError(
    `The data directory ${path} is held by process ${pid}: stop it first, or set DATA_DIR to another directory.`,
  );
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
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
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
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
