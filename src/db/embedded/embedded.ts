import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { OperatorError } from '../../lib/errors.ts';
import { workerUrl } from '../../lib/files/built-files.ts';
import { listSnapshots } from '../snapshot-files.ts';
import { type DataDirectory, holdDataDirectory } from './data-directory.ts';
import type {
  ConnectionKind,
  EmbeddedWorkerData,
  EmbeddedWorkerEvent,
  EmbeddedWorkerRequest,
} from './embedded-worker.ts';
import { PortStream } from './port-stream.ts';

export type EmbeddedEngine = Awaited<ReturnType<typeof startEngine>>;

/** The longest pause between two statements of an import or a restore. */
const GUEST_PATIENCE_MS = 10_000;
/** The pause before an engine that could not be opened again is tried once more. */
const REOPEN_PAUSE_MS = 2_000;
/** The files of the engine, in the data directory. */
const CLUSTER = 'pg';
const TEMPLATE = fileURLToPath(workerUrl(import.meta.url, './template.gz'));

/**
 * Opens the embedded engine on a directory, or in memory if none is given. A new cluster is a copy
 * of a migrated template created at build time, which is several times faster than creating one.
 *
 * An engine that ends by an error, such as a full disk, is opened on its directory again until that succeeds.
 *
 * @param onError called for an error that ended the engine and with it all connections, or kept it from opening again.
 * @param guestPatienceMs the idle time in a transaction after which another process is disconnected.
 * @throws DirectoryInUseError when another process holds the directory; OperatorError when it cannot be written or
 *   opened.
 */
export async function openEmbedded(
  dataDirectory: string | undefined,
  onError: (error: Error) => void,
  guestPatienceMs = GUEST_PATIENCE_MS,
): Promise<EmbeddedEngine> {
  const uses = new Int32Array(new SharedArrayBuffer(4));
  const data = { template: TEMPLATE, guestPatienceMs, uses };
  if (dataDirectory === undefined) {
    return startEngine({ ...data, directory: undefined }, undefined, onError);
  }
  // It has no sockets for other processes of a user.
  if (platform === 'win32') {
    throw new OperatorError(
      'The embedded database does not run on Windows: set DATABASE_URL to a PostgreSQL server, or run revgate in WSL.',
    );
  }
  const held = await holdDataDirectory(dataDirectory);
  try {
    const directory = join(dataDirectory, CLUSTER);
    if (existsSync(directory) && !existsSync(join(directory, 'PG_VERSION'))) {
      // The engine would treat such a directory as empty and create a new database in it.
      throw new Error('its file PG_VERSION is missing');
    }
    return await startEngine({ ...data, directory }, held, onError);
  } catch (error) {
    await held.release();
    if (error instanceof OperatorError) {
      throw error;
    }
    throw cannotOpen(dataDirectory, (error as Error).message);
  }
}

/** Loads the code of the engine, which otherwise only its thread does. */
export const loadEngine = (): Promise<unknown> => import('@electric-sql/pglite');

/** Whether a data directory holds an embedded database, a damaged one included. */
export function hasEmbedded(dataDirectory: string): boolean {
  try {
    return statSync(join(dataDirectory, CLUSTER), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // This user may not enter the directory; opening it reports that.
    return true;
  }
}

async function startEngine(
  workerData: EmbeddedWorkerData,
  held: DataDirectory | undefined,
  onError: (error: Error) => void,
) {
  const closing = new AbortController();
  const { signal } = closing;
  const isNew = workerData.directory === undefined || !existsSync(workerData.directory);
  let worker: Worker | undefined = await startWorker(workerData, onError);
  const reopen = async (): Promise<Worker | undefined> => {
    while (!signal.aborted) {
      try {
        return await startWorker(workerData, onError);
      } catch (error) {
        onError(error as Error);
        await wait(REOPEN_PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    }
    return undefined;
  };
  const keepRunning = async (): Promise<void> => {
    while (worker !== undefined) {
      await exitOf(worker);
      worker = undefined;
      // What was not on the disk is lost.
      Atomics.add(workerData.uses, 0, 1);
      // What was in memory only is lost. Files are recovered when they are opened, as after a crash.
      worker = workerData.directory === undefined ? undefined : await reopen();
      if (signal.aborted) {
        requestClose(worker);
      }
    }
  };
  const ended = keepRunning();
  const connect = (kind: ConnectionKind): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    if (worker === undefined) {
      port2.close();
    } else {
      worker.postMessage({ type: 'connect', port: port2, kind } satisfies EmbeddedWorkerRequest, [port2]);
    }
    return port1;
  };
  return {
    isNew,
    /** A new connection, as a port to pass to another thread. */
    port: (kind: 'own' | 'import'): MessagePort => connect(kind),
    /** A new connection, as the stream that pg uses. The requests of a poll, which only looks for changes, do not count. */
    stream: (isPoll = false): PortStream => new PortStream(connect(isPoll ? 'poll' : 'own')),
    /** How many requests it got so far, those of other processes included. Unless this changes, no data has. */
    uses: (): number => Atomics.load(workerData.uses, 0),
    /** Lets other processes of this user connect, such as commands in a second terminal. */
    // However a connection ends, the engine rolls back uncommitted changes.
    share: (): void =>
      held?.share((socket) => pipeline(socket, new PortStream(connect('guest')), socket, () => {})),
    /** Stops the engine and releases its directory. Connections must be idle. */
    async close(): Promise<void> {
      // The engine would wait for them.
      held?.endSharing();
      closing.abort();
      requestClose(worker);
      await ended;
      await held?.release();
    },
  };
}

function exitOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => worker.once('exit', resolve));
}

function requestClose(worker: Worker | undefined): void {
  worker?.postMessage({ type: 'close' } satisfies EmbeddedWorkerRequest);
}

async function startWorker(workerData: EmbeddedWorkerData, onError: (error: Error) => void): Promise<Worker> {
  const worker = new Worker(workerUrl(import.meta.url, './embedded-worker.ts'), { workerData });
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (event: EmbeddedWorkerEvent) => {
        worker.off('error', reject);
        return event.type === 'failed' ? reject(errorOf(event, workerData)) : resolve();
      });
    });
  } catch (error) {
    // What the engine has begun would keep the thread running, and its files open.
    await worker.terminate();
    throw error;
  }
  worker.on('error', onError);
  return worker;
}

function errorOf(
  { message, isDiskFull }: Extract<EmbeddedWorkerEvent, { type: 'failed' }>,
  { directory }: EmbeddedWorkerData,
): Error {
  return isDiskFull
    ? new OperatorError(
        `The disk of ${directory} is full: free some of it, and start again. Nothing there was removed.`,
      )
    : new Error(message);
}

/**
 * The error for a data directory that cannot be opened, with the commands that restore its newest snapshot.
 * The damaged files are kept, as more of them may be recoverable.
 */
export function cannotOpen(dataDirectory: string, reason: string): OperatorError {
  const newest = listSnapshots(dataDirectory).at(-1);
  const pg = join(dataDirectory, CLUSTER);
  return new OperatorError(
    `The embedded database in ${dataDirectory} does not open (${reason.trim().replace(/\s+/g, ' ')}). Nothing in it was removed.`,
    newest === undefined
      ? `There is no snapshot of it in ${join(dataDirectory, 'snapshots')}. To restore a backup, if you have one, or else to start with an empty database:`
      : `Its newest snapshot is ${newest.path}. To go back to that:`,
    `  mv ${quote(pg)} ${quote(`${pg}.damaged`)}`,
    `  DATA_DIR=${quote(dataDirectory)} npx revgate restore ${newest === undefined ? 'FILE' : quote(newest.path)}`,
  );
}

function quote(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
