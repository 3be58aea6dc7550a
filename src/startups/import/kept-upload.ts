import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Prisma, PrismaClient } from '../../db/generated/client/client.ts';
import type { DatabaseKind } from '../../db/transaction.ts';
import { isDatabaseFull } from '../../db/unavailable.ts';
import { ApiError } from '../../lib/errors.ts';
import { readOpenFile, type StagedFile, stageFile, storageError } from '../../lib/files/staged-file.ts';
import { type Schedule, schedule as useTimers } from '../../lib/loop/schedule.ts';
import type { Examination } from './examine.ts';
import type { KeptKey } from './import-log.ts';

/** How long a file is kept, in ms. */
export const KEPT_MS = 3_600_000;
/** What one statement writes or reads of it on a server, in bytes. */
const PIECE_BYTES = 1024 * 1024;
/** With a number of the account, the lock that its uploads share. */
const UPLOAD_LOCK = 7_262_114;
/** For a file of the largest size, on a busy server. */
const WAIT_MS = { maxWait: 10_000, timeout: 60_000 };

/** A file that an account has uploaded, until it is imported or removed. */
export interface KeptUpload extends KeptKey {
  readonly name: string;
  readonly bytes: number;
  readonly keptAt: Date;
  readonly expiresAt: Date;
  /** What was answered, as plain values: whoever keeps them knows what they are. */
  readonly answers: unknown;
  /** What its examination found with these answers; undefined before there is one. */
  readonly examination: Examination | undefined;
}

/** An open file, which the caller closes. */
type OpenFile = Pick<StagedFile, 'fd' | 'close'>;

/** Throws if the account may not do it any more: run in the transaction that writes. */
type Authorize = ((prisma: Prisma.TransactionClient) => Promise<void>) | undefined;

/** A file with what is known of it. */
interface NewUpload extends Omit<KeptUpload, 'digest' | 'bytes' | 'keptAt' | 'expiresAt'> {
  readonly file: StagedFile;
}

interface KeptUploadsOptions {
  readonly prisma: PrismaClient;
  readonly kind: DatabaseKind;
  /** Of the embedded database, where it keeps the files. */
  readonly directory: string;
  /** Where a file of a server waits while it is used. */
  readonly stagingDirectory: string;
  readonly now: () => number;
  readonly schedule?: Schedule | undefined;
  /** Receives what kept files from being removed. */
  readonly onError: (error: unknown) => void;
}

/** The uploaded files of accounts: one of each, for an hour. */
export type KeptUploads = ReturnType<typeof openKeptUploads>;

/**
 * Opens the uploaded files of accounts. Their bytes are in a directory beside the embedded database, which would take
 * minutes to write them, or in pieces on a server, where every node reads them.
 */
export function openKeptUploads({
  prisma,
  kind,
  directory,
  stagingDirectory,
  now,
  schedule = useTimers,
  onError,
}: KeptUploadsOptions) {
  const pathOf = (id: string): string => join(directory, id);
  /** Files whose rows are not there yet. */
  const arriving = new Set<string>();
  let cancelTidy: (() => void) | undefined;
  let tidying = Promise.resolve();

  const find = async (accountId: string): Promise<Found | undefined> => {
    const found = await prisma.keptUpload.findUnique({ where: { accountId } });
    return found === null || found.expiresAt.getTime() <= now() ? undefined : toUpload(found);
  };

  /** Lets the file of a row that is gone follow it. On a server, its pieces have gone with the row. */
  const removeFile = async (id: string): Promise<void> => {
    if (kind === 'embedded') {
      await rm(pathOf(id), { force: true });
    }
  };

  const tidy = async (): Promise<void> => {
    cancelTidy?.();
    cancelTidy = undefined;
    await prisma.keptUpload.deleteMany({ where: { expiresAt: { lte: new Date(now()) } } });
    // Before the rows are read, so that none of a new row counts as left over.
    const files = kind === 'embedded' ? await namesIn(directory) : [];
    const added = new Set(arriving);
    const rows = await prisma.keptUpload.findMany({ select: { id: true, expiresAt: true } });
    const known = new Set(rows.map(({ id }) => id));
    for (const id of files.filter((one) => !known.has(one) && !added.has(one))) {
      await removeFile(id);
    }
    if (rows.length > 0) {
      const first = Math.min(...rows.map(({ expiresAt }) => expiresAt.getTime()));
      tidyLater(Math.max(1, first - now()));
    }
  };

  const tidyLater = (ms: number): void => {
    cancelTidy ??= schedule(() => {
      tidying = tidy().catch(onError);
      return tidying;
    }, ms);
  };

  const copyFile = async (fd: number, id: string): Promise<void> => {
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await pipeline(readOpenFile(fd), createWriteStream(pathOf(id), { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      throw storageError(error);
    }
  };

  const writePieces = async (transaction: Prisma.TransactionClient, id: string, fd: number) => {
    let number = 0;
    for await (const bytes of piecesOf(fd)) {
      await transaction.$executeRaw`INSERT INTO kept_pieces (upload_id, number, bytes) VALUES (${id}, ${number}, ${bytes})`;
      number += 1;
    }
  };

  async function* readPieces(uploadId: string): AsyncGenerator<Buffer> {
    for (let number = 0; ; number += 1) {
      const where = { uploadId_number: { uploadId, number } };
      const piece = await prisma.keptPiece.findUnique({ where, select: { bytes: true } });
      if (piece === null) {
        return;
      }
      yield Buffer.from(piece.bytes);
    }
  }

  return {
    /**
     * Keeps a file in place of the one that its account has.
     *
     * @throws an error of `authorize`; ApiError INSUFFICIENT_STORAGE if a disk is full. Nothing has changed then.
     */
    async keep(
      { accountId, name, file, answers, examination }: NewUpload,
      authorize: Authorize,
    ): Promise<KeptUpload> {
      const id = randomBytes(16).toString('hex');
      const row = {
        id,
        digest: file.sha256.toString('hex'),
        name,
        bytes: file.bytes,
        keptAt: new Date(now()),
        expiresAt: new Date(now() + KEPT_MS),
        ...toTexts({ answers, examination }),
      };
      arriving.add(id);
      try {
        if (kind === 'embedded') {
          await copyFile(file.fd, id);
        }
        const replaced = await prisma.$transaction(async (transaction) => {
          // One after the other, if an account uploads two files at once.
          await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${UPLOAD_LOCK}::integer, hashtext(${accountId}))`;
          const before = await transaction.keptUpload.findUnique({ where: { accountId } });
          await transaction.keptUpload.deleteMany({ where: { accountId } });
          await transaction.keptUpload.create({ data: { accountId, ...row } });
          if (kind === 'server') {
            await writePieces(transaction, id, file.fd);
          }
          // Last, so that whoever ends the right waits for nothing, and then finds the file.
          await transaction.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR SHARE`;
          await authorize?.(transaction);
          return before?.id;
        }, WAIT_MS);
        if (replaced !== undefined) {
          await removeFile(replaced);
        }
      } catch (error) {
        await removeFile(id);
        throw isDatabaseFull(error)
          ? new ApiError(
              'INSUFFICIENT_STORAGE',
              'The database has no room for the file: nothing was imported. Free some space on its disk, then send it again.',
            )
          : error;
      } finally {
        arriving.delete(id);
      }
      tidyLater(KEPT_MS);
      return toUpload({ accountId, ...row });
    },

    /** The file of an account; undefined if it has none, or had it for an hour. */
    find,

    /** Opens the file of an account; undefined if it is gone. */
    async open({ accountId, digest }: KeptKey): Promise<OpenFile | undefined> {
      const found = await find(accountId);
      if (found?.digest !== digest) {
        return undefined;
      }
      if (kind === 'server') {
        const staged = await stageFile(readPieces(found.id), stagingDirectory);
        if (staged.sha256.toString('hex') === digest) {
          return staged;
        }
        // Another one took its place meanwhile.
        await staged.close();
        return undefined;
      }
      const handle = await open(pathOf(found.id)).catch(missingFile);
      if (handle !== undefined && (await handle.stat()).size !== found.bytes) {
        await handle.close();
        return undefined;
      }
      return handle && { fd: handle.fd, close: () => handle.close() };
    },

    /**
     * Keeps other answers, and what an examination found with them.
     *
     * @returns whether the file is still kept. @throws an error of `authorize`.
     */
    async update(
      { accountId, digest }: KeptKey,
      answered: Pick<KeptUpload, 'answers' | 'examination'>,
      authorize: Authorize,
    ): Promise<boolean> {
      const where = { accountId, digest, expiresAt: { gt: new Date(now()) } };
      return prisma.$transaction(async (transaction) => {
        await authorize?.(transaction);
        return (await transaction.keptUpload.updateMany({ where, data: toTexts(answered) })).count > 0;
      }, WAIT_MS);
    },

    /** Removes the file of an account. @throws an error of `authorize`. */
    async remove({ accountId, digest }: KeptKey, authorize: Authorize): Promise<void> {
      const found = await prisma.$transaction(async (transaction) => {
        await authorize?.(transaction);
        const rows = await transaction.keptUpload.findMany({ where: { accountId, digest } });
        await transaction.keptUpload.deleteMany({ where: { accountId, digest } });
        return rows;
      }, WAIT_MS);
      for (const { id } of found) {
        await removeFile(id);
      }
    },

    /** Removes what was kept for an hour, and files whose accounts or rows are gone. */
    tidy,

    /** Removes nothing more by the time. */
    async close(): Promise<void> {
      cancelTidy?.();
      await tidying;
    },
  };
}

/** A file with the name of its bytes. */
interface Found extends KeptUpload {
  readonly id: string;
}

type Row = Omit<Found, 'answers' | 'examination'> & ReturnType<typeof toTexts>;

const toUpload = ({ answers, examination, ...row }: Row): Found => ({
  ...row,
  answers: JSON.parse(answers),
  examination: examination === null ? undefined : JSON.parse(examination),
});

const toTexts = ({ answers, examination }: Pick<KeptUpload, 'answers' | 'examination'>) => ({
  answers: JSON.stringify(answers),
  examination: examination === undefined ? null : JSON.stringify(examination),
});

/** The bytes of an open file in pieces of one size, but for the last one. */
async function* piecesOf(fd: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readOpenFile(fd)) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= PIECE_BYTES) {
      yield Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
    }
  }
  if (bytes > 0) {
    yield Buffer.concat(waiting);
  }
}

const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error) => missingFile(error) ?? []);

/** What is used in place of a file or directory that is not there. @throws other errors. */
function missingFile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}
