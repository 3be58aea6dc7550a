import { existsSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { readCluster, unpackCluster } from './template.ts';
import { AnswerWatcher, queryMessage, RequestReader } from './wire.ts';

export interface EmbeddedWorkerData {
  /** Directory of the cluster; undefined keeps it in memory. */
  directory: string | undefined;
  /** A packed cluster, from which a new one is copied. */
  template: string;
  /** The idle time in a transaction, in ms, after which a guest is disconnected. */
  guestPatienceMs: number;
  /** Counts the requests of all connections but polls. */
  uses: Int32Array<SharedArrayBuffer>;
}

/** The messages to the worker: a new connection, or to end. */
export type EmbeddedWorkerRequest =
  | { type: 'connect'; port: MessagePort; kind: ConnectionKind }
  | { type: 'close' };

/**
 * A guest is a connection of another process, which may end at any moment; a poll only looks for changes. Guests and
 * imports have temporary tables.
 */
export type ConnectionKind = 'own' | 'import' | 'guest' | 'poll';

export type EmbeddedWorkerEvent = { type: 'open' } | { type: 'failed'; message: string; isDiskFull: boolean };

/** The WASI error for a full device: https://github.com/WebAssembly/WASI/blob/wasi-0.1/preview1/docs.md#errno */
const ENOSPC = 51;
/** The size of a segment of the write-ahead log. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

const mayHaveTables = (kind: ConnectionKind | undefined): boolean => kind === 'guest' || kind === 'import';

interface Request {
  port: MessagePort;
  bytes: Uint8Array;
}

/**
 * The engine has one session, which one connection uses at a time: from a request to the
 * ReadyForQuery that reports an idle session, so that no connection runs statements in another's transaction.
 */
class SessionSharer {
  readonly #db: PGlite;
  #queue: Request[] = [];
  #owner: MessagePort | undefined;
  #running = false;
  #idle: (() => void) | undefined;
  #isStopped = false;
  readonly #ports = new Map<MessagePort, ConnectionKind>();
  readonly #data: EmbeddedWorkerData;
  #patience: NodeJS.Timeout | undefined;

  constructor(db: PGlite, data: EmbeddedWorkerData) {
    this.#db = db;
    this.#data = data;
  }

  connect(port: MessagePort, kind: ConnectionKind): void {
    this.#ports.set(port, kind);
    const reader = new RequestReader();
    port.on('message', (chunk: Uint8Array | null) => {
      if (chunk === null) {
        port.close();
        return;
      }
      for (const bytes of reader.read(chunk)) {
        this.#queue.push({ port, bytes });
      }
      void this.#run();
    });
    port.on('close', () => this.#leave(port));
  }

  /** Ends all connections. Resolves when nothing is being executed; no further request starts. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#queue = [];
    if (this.#running) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    clearTimeout(this.#patience);
    for (const port of this.#ports.keys()) {
      port.close();
    }
  }

  async #run(): Promise<void> {
    if (this.#running || this.#isStopped) {
      return;
    }
    this.#running = true;
    while (!this.#isStopped) {
      // Messages that have arrived are read first: a port alone could keep its thread busy for long, with one
      // request after another, while others wait.
      await setImmediate();
      const next = this.#isStopped ? undefined : this.#take();
      if (next === undefined) {
        break;
      }
      clearTimeout(this.#patience);
      this.#owner = next.port;
      const kind = this.#ports.get(next.port);
      if (kind !== 'poll') {
        // Before it runs: whoever polls once it is counted reads what it has written.
        Atomics.add(this.#data.uses, 0, 1);
      }
      if (await this.#leavesIdle(next)) {
        this.#owner = undefined;
      } else if (kind === 'guest') {
        // No other connection is served until its transaction ends.
        this.#patience = setTimeout(() => next.port.close(), this.#data.guestPatienceMs);
      }
    }
    this.#running = false;
    this.#idle?.();
  }

  #take(): Request | undefined {
    const at = this.#owner === undefined ? 0 : this.#queue.findIndex(({ port }) => port === this.#owner);
    return this.#queue.splice(at === -1 ? this.#queue.length : at, 1)[0];
  }

  async #leavesIdle({ port, bytes }: Request): Promise<boolean> {
    const answer = new AnswerWatcher();
    await this.#db.execProtocolRawStream(bytes, {
      onRawData: (data) => {
        answer.see(data);
        // A copy: the engine's memory is shared with what it writes next.
        const copy = Uint8Array.from(data);
        port.postMessage(copy, [copy.buffer]);
      },
    });
    if (answer.panic !== undefined) {
      // A server would end its process here. The engine must not continue with what it has in memory.
      throw new Error(`The embedded database stopped, and opens again when it can: ${answer.panic}.`);
    }
    return answer.isIdle;
  }

  /** Cleans the session for the next connection if this one ended inside a transaction. */
  #leave(port: MessagePort): void {
    this.#queue = this.#queue.filter((request) => request.port !== port);
    if (this.#owner === port) {
      this.#queue.unshift({ port, bytes: queryMessage('ROLLBACK') });
    }
    const hadTables = mayHaveTables(this.#ports.get(port));
    this.#ports.delete(port);
    // Temporary tables belong to the session, not to the connection: drop them when nobody has any.
    if (hadTables && ![...this.#ports.values()].some(mayHaveTables)) {
      this.#queue.push({ port, bytes: queryMessage('DISCARD TEMP') });
    }
    void this.#run();
  }
}

/**
 * The files that the engine reads are already in memory, the system's or its own. Its default of 128 MB for shared
 * buffers made no import faster, and is 128 MB to clear at each start.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

async function openDirectory(directory: string, template: string): Promise<PGlite> {
  if (!existsSync(directory)) {
    // Created under another name, so that an interrupted first start does not leave a directory that looks complete.
    const unfinished = `${directory}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    unpackCluster(template, unfinished);
    renameSync(unfinished, directory);
  }
  return PGlite.create({ dataDir: directory, startParams });
}

/** A file system in memory that begins as a copy of a packed cluster. */
class CopyInMemory extends MemoryFS {
  readonly #template: string;

  constructor(template: string) {
    super();
    this.#template = template;
  }

  override async initialSyncFs(): Promise<void> {
    const { FS, ENV } = (this.pg as PGlite).Module;
    FS.mkdirTree(ENV.PGDATA);
    for (const { path, bytes } of readCluster(this.#template)) {
      const target = `${ENV.PGDATA}/${path}`;
      if (bytes === undefined) {
        FS.mkdir(target);
      } else {
        // The bytes were unpacked for this file system alone: it may keep them, without a copy.
        FS.writeFile(target, bytes, { canOwn: true });
      }
    }
  }
}

/**
 * Databases and their snapshots are distinguished by the ids, cursors of changes by the epoch. A copy of the template
 * has both from the template.
 */
const TAKE_OWN_IDS = `UPDATE revisions SET value = floor(random() * 9007199254740991)::bigint
    WHERE name = 'epoch' AND EXISTS (SELECT FROM "_prisma_migrations" WHERE id LIKE 'template %');
  UPDATE "_prisma_migrations" SET id = gen_random_uuid() WHERE id LIKE 'template %'`;

async function main(parent: MessagePort): Promise<void> {
  const { directory, template } = workerData as EmbeddedWorkerData;
  const db = await (directory === undefined
    ? PGlite.create({ fs: new CopyInMemory(template), startParams })
    : openDirectory(directory, template));
  // Times are sent as text in the time zone of the session.
  await db.exec("SET TIME ZONE 'UTC'");
  await db.exec(TAKE_OWN_IDS);
  const sessions = new SessionSharer(db, workerData as EmbeddedWorkerData);
  parent.on('message', async (request: EmbeddedWorkerRequest) => {
    if (request.type === 'connect') {
      sessions.connect(request.port, request.kind);
      return;
    }
    await sessions.stop();
    await db.close();
    parent.close();
  });
  parent.postMessage({ type: 'open' } satisfies EmbeddedWorkerEvent);
}

/** Whether the disk has room for another segment of the log, without which the engine opens nothing, and does not say why. */
function hasRoom({ directory }: EmbeddedWorkerData): boolean {
  if (directory === undefined || !existsSync(directory)) {
    return true;
  }
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= SEGMENT_BYTES;
}

if (parentPort !== null) {
  const parent = parentPort;
  main(parent).catch((error: unknown) => {
    // Errors of the engine's file system are not instances of Error, and have only a number.
    const { errno, code } = error as { errno?: number; code?: string };
    const message = error instanceof Error ? error.message : `error ${errno ?? error} of its file system`;
    const isDiskFull = errno === ENOSPC || code === 'ENOSPC' || !hasRoom(workerData as EmbeddedWorkerData);
    parent.postMessage({ type: 'failed', message, isDiskFull } satisfies EmbeddedWorkerEvent);
    parent.close();
  });
}
