import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { isDirectory, OperatorError, systemReason } from '../errors.ts';

interface OutputFileOptions {
  /** The name in messages; the path by default. */
  readonly name?: string;
  readonly mode?: number;
  readonly replace: boolean;
  /** What the user can do if a file of that name exists and must not be replaced. */
  readonly ifExists?: string;
}

const TAKEN: NodeJS.ErrnoException = Object.assign(new Error('taken'), { code: 'EEXIST' });

/** Data is collected up to this size, as many files are written in short lines. */
const BUFFERED_BYTES = 64 * 1024;

/**
 * Creates an output file under a name of its own, so that others may write to the same path at the same time: the last
 * one to be published remains.
 *
 * @throws OperatorError if the path is a directory or cannot be written, or exists and must not be replaced.
 */
export async function createOutputFile(path: string, options: OutputFileOptions) {
  const { name = path, mode = 0o666, replace, ifExists = '' } = options;
  const fail = (error: unknown): never => {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? new OperatorError(`${name} already exists: nothing was written. ${ifExists}`.trimEnd())
      : new OperatorError(
          `Cannot write ${name} (${systemReason(error)}): nothing was written. ${nextStep(code, name)}`.trimEnd(),
        );
  };
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    throw isDirectory(name);
  }
  if (found?.isFile() && !replace) {
    fail(TAKEN);
  }
  const isDevice = found?.isFile() === false;
  const unfinished = isDevice ? path : `${path}.${randomBytes(6).toString('hex')}.unfinished`;
  let current = unfinished;
  const handle = await open(unfinished, isDevice ? 'w' : 'wx', mode).catch(fail);
  const stream = handle.createWriteStream({ highWaterMark: BUFFERED_BYTES, flush: !isDevice });
  // Thrown by the next call.
  stream.on('error', () => {});
  let isPublished = false;

  const discard = async (): Promise<void> => {
    if (!stream.destroy().closed) {
      await once(stream, 'close').catch(() => {});
    }
    if (!isDevice) {
      await rm(current, { force: true }).catch(() => {});
    }
  };
  const orFail = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      await discard();
      fail(error);
    }
  };
  return {
    name,
    get isPublished() {
      return isPublished;
    },
    /** @throws OperatorError if it cannot be written. */
    write: (data: string | Uint8Array): Promise<void> =>
      orFail(async () => {
        if (stream.errored !== null) {
          throw stream.errored;
        }
        if (!stream.write(data)) {
          await once(stream, 'drain');
        }
      }),
    /**
     * Writes what is left to the disk, and gives the file its name.
     *
     * @throws OperatorError if not all of it can be written, or the name was taken meanwhile.
     */
    async publish(): Promise<void> {
      await orFail(async () => {
        await finished(stream.end());
        if (!isDevice) {
          if (!replace && (await stat(path).catch(() => undefined))) {
            throw TAKEN;
          }
          await rename(unfinished, path);
          current = path;
        }
      });
      if (!isDevice) {
        await syncDirectory(dirname(path)).catch(fail);
      }
      isPublished = true;
    },
    /** Removes the file, also after `publish`. A file that it replaced is not restored. */
    discard,
  };
}

function nextStep(code: string, name: string): string {
  switch (code) {
    case 'ENOENT':
      return `Create the directory first: mkdir -p ${dirname(name)}`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'Choose a directory that you may write to.';
    case 'ENOSPC':
      return 'Free some space, or choose another disk.';
    default:
      return '';
  }
}

/** Makes new names in a directory durable after a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
