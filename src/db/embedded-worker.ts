import { openAsBlob } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DROP_BEFORE, DROP_NEXT } from './next-table.ts';
import { AnswerWatcher, ExchangeReader, queryMessage } from './wire.ts';

/** What the thread that starts this worker hands over. */
export interface EmbeddedWorkerData {
  /** Directory of the cluster; undefined keeps it in memory. */
  directory: string | undefined;
  /** A new cluster to begin with, as a gzipped tar; undefined where the directory has one. */
  template: string | undefined;
}

/** What it may be told: a new connection, or to end. */
export type EmbeddedWorkerRequest =
  /** A guest is a connection of another process: it may end in the middle of anything. */
  { type: 'connect'; port: MessagePort; isGuest: boolean } | { type: 'close' };

/** What it tells. */
export type EmbeddedWorkerEvent =
  | { type: 'open' }
  | { type: 'failed'; message: string; isDiskFull: boolean }
  | { type: 'closed' };

/** What WASI calls a device without space: https://github.com/WebAssembly/WASI/blob/wasi-0.1/preview1/docs.md#errno */
const ENOSPC = 51;

interface Exchange {
  port: MessagePort;
  bytes: Uint8Array;
}

/**
 * The engine has one session. Connections share it by turns: a turn lasts from an exchange to the
 * ReadyForQuery that reports an idle session, so that nobody speaks inside another's transaction.
 */
class SessionSharer {
  readonly #db: PGlite;
  #queue: Exchange[] = [];
  #owner: MessagePort | undefined;
  #running = false;
  #idle: (() => void) | undefined;
  readonly #guests = new Set<MessagePort>();

  constructor(db: PGlite) {
    this.#db = db;
  }

  connect(port: MessagePort, isGuest: boolean): void {
    if (isGuest) {
      this.#guests.add(port);
    }
    const reader = new ExchangeReader();
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

  /** Resolves when nothing is being executed; no further exchange starts. */
  async stop(): Promise<void> {
    this.#queue = [];
    if (this.#running) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
  }

  async #run(): Promise<void> {
    if (this.#running) {
      return;
    }
    this.#running = true;
    for (;;) {
      // Whatever came in meanwhile is heard first: a port alone could keep its thread busy for long, with one
      // exchange after another, while others wait unheard.
      await setImmediate();
      const next = this.#take();
      if (next === undefined) {
        break;
      }
      this.#owner = next.port;
      if (await this.#leavesIdle(next)) {
        this.#owner = undefined;
      }
    }
    this.#running = false;
    this.#idle?.();
  }

  #take(): Exchange | undefined {
    const at = this.#owner === undefined ? 0 : this.#queue.findIndex(({ port }) => port === this.#owner);
    return this.#queue.splice(at === -1 ? this.#queue.length : at, 1)[0];
  }

  async #leavesIdle({ port, bytes }: Exchange): Promise<boolean> {
    const answer = new AnswerWatcher();
    await this.#db.execProtocolRawStream(bytes, {
      onRawData: (data) => {
        answer.see(data);
        // A copy: the engine's memory is shared with what it writes next.
        const copy = Uint8Array.from(data);
        port.postMessage(copy, [copy.buffer]);
      },
    });
    return answer.isIdle;
  }

  /** A connection that went away inside a transaction leaves the session clean for the next. */
  #leave(port: MessagePort): void {
    this.#queue = this.#queue.filter((exchange) => exchange.port !== port);
    if (this.#owner === port) {
      this.#queue.unshift({ port, bytes: queryMessage('ROLLBACK') });
    }
    // Temporary tables are the session's, not the connection's: the last guest's leave with it. So does what
    // a guest that was killed had begun.
    if (this.#guests.delete(port) && this.#guests.size === 0) {
      for (const sql of ['DISCARD TEMP', DROP_NEXT]) {
        this.#queue.push({ port, bytes: queryMessage(sql) });
      }
    }
    void this.#run();
  }
}

async function main(parent: MessagePort): Promise<void> {
  const { directory, template } = workerData as EmbeddedWorkerData;
  const db = await PGlite.create({
    ...(directory === undefined ? {} : { dataDir: directory }),
    ...(template === undefined ? {} : { loadDataDir: await openAsBlob(template) }),
  });
  // Times cross the wire as text in the session's zone.
  await db.exec("SET TIME ZONE 'UTC'");
  await db.exec(`${DROP_NEXT}; ${DROP_BEFORE}`);
  const sessions = new SessionSharer(db);
  parent.on('message', async (request: EmbeddedWorkerRequest) => {
    if (request.type === 'connect') {
      sessions.connect(request.port, request.isGuest);
      return;
    }
    await sessions.stop();
    await db.close();
    parent.postMessage({ type: 'closed' } satisfies EmbeddedWorkerEvent);
    parent.close();
  });
  parent.postMessage({ type: 'open' } satisfies EmbeddedWorkerEvent);
}

if (parentPort !== null) {
  const parent = parentPort;
  main(parent).catch((error: unknown) => {
    // Those of the engine's file system are no errors, and have a number alone.
    const { errno } = error as { errno?: number };
    const message = error instanceof Error ? error.message : `fault ${errno ?? error} of its file system`;
    const isDiskFull = errno === ENOSPC;
    parent.postMessage({ type: 'failed', message, isDiskFull } satisfies EmbeddedWorkerEvent);
    parent.close();
  });
}
