import { createHash } from 'node:crypto';
import { read } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ApiError } from '../errors.ts';

const readAt = promisify(read);

/** A file without a name, which only this process can read and which is gone when it is closed or the process ends. */
export type StagedFile = Awaited<ReturnType<typeof stageFile>>;

/** Reads an open file from its beginning. It stays open, unlike with a stream of node:fs, which closes it. */
export function readOpenFile(fd: number): Readable {
  return Readable.from(readChunks(fd), { objectMode: false });
}

const CHUNK_BYTES = 256 * 1024;

async function* readChunks(fd: number): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) {
      return;
    }
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Writes bytes to a private file as they come.
 *
 * @param directory on the disk that is to be used.
 * @throws an error of the bytes, or of the disk; ApiError INSUFFICIENT_STORAGE if that is full. No file is left then.
 */
export async function stageFile(chunks: AsyncIterable<Buffer>, directory: string) {
  try {
    return await writeFile(chunks, directory);
  } catch (error) {
    throw storageError(error);
  }
}

/** What is thrown for an error of writing a file: ApiError INSUFFICIENT_STORAGE if the disk is full. */
export function storageError(error: unknown): unknown {
  return FULL.includes((error as NodeJS.ErrnoException).code ?? '')
    ? new ApiError(
        'INSUFFICIENT_STORAGE',
        'The disk on which uploads wait is full: nothing was imported. Free some space on the server, then send it again.',
      )
    : error;
}

/** The disk is full, or the quota of its user. */
const FULL = ['ENOSPC', 'EDQUOT'];

async function writeFile(chunks: AsyncIterable<Buffer>, directory: string) {
  const place = await mkdtemp(join(directory, '.staged-'));
  const handle = await open(join(place, 'file'), 'wx+', 0o600).finally(() =>
    // Without a name, nothing of it can be left, however the process ends.
    rm(place, { recursive: true, force: true }),
  );
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      for (let at = 0; at < chunk.length; ) {
        at += (await handle.write(chunk, at)).bytesWritten;
      }
      bytes += chunk.length;
    }
    return { fd: handle.fd, bytes, sha256: hash.digest(), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
