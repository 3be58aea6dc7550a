import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';

/** A data directory held by this process. */
export interface DataDirectory {
  readonly path: string;
  release(): void;
}

/**
 * Takes the data directory for this process, making it where it does not exist. The engine has no
 * lock of its own, and two processes on one directory destroy it.
 *
 * @throws OperatorError when another living process holds it, or it cannot be written.
 */
export function holdDataDirectory(path: string): DataDirectory {
  const lock = join(path, 'revgate.lock');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (;;) {
      try {
        writeFileSync(lock, `${JSON.stringify({ pid: process.pid, started: startOf(process.pid) })}\n`, {
          flag: 'wx',
        });
        return { path, release: () => rmSync(lock, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
          throw error;
        }
      }
      const holder = livingHolder(lock);
      if (holder !== undefined) {
        throw new OperatorError(
          `The data directory ${path} is held by process ${holder}: stop it first, or set DATA_DIR to another directory.`,
        );
      }
      rmSync(lock, { force: true });
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
}

/** The process that a lock names, if it is still the one that wrote it. */
function livingHolder(lock: string): number | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(lock, 'utf8')) as {
      pid: number;
      started: string | undefined;
    };
    // In a container every life has the same process number: a lock of our own is of an earlier one.
    if (pid === process.pid) {
      return undefined;
    }
    process.kill(pid, 0);
    return started === undefined || started === startOf(pid) ? pid : undefined;
  } catch (error) {
    // Signalling another user's process is refused, so it lives.
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EPERM' ? Number(/"pid":(\d+)/.exec(readFileSync(lock, 'utf8'))?.[1]) : undefined;
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
