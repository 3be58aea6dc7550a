import type { Socket } from 'node:net';

/** The most requests of a connection that are answered at a time. */
const MOST_ANSWERED = 32;
/** The most requests of a connection that may wait. */
const MOST_WAITING = 256;
/** The most requests that may wait over all connections; each takes some 3 kB. */
const MOST_WAITING_IN_ALL = 10_000;

/** Waiting requests, over all connections of a server. */
interface WaitingRequests {
  count: number;
}

/**
 * The requests of one connection. node:http starts every request of a chunk at once: a client that pipelines and reads
 * no response could start thousands.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #all: WaitingRequests;
  readonly #waiting: (() => void)[] = [];
  #answered = 0;

  constructor(socket: Socket, all: WaitingRequests) {
    this.#socket = socket;
    this.#all = all;
    // Each request in progress may listen for the end.
    socket.setMaxListeners(socket.getMaxListeners() + MOST_ANSWERED);
    socket.once('close', () => {
      this.#all.count -= this.#waiting.length;
      this.#waiting.length = 0;
    });
    // Reading a body to its end resumes the connection.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) {
        socket.pause();
      }
    });
  }

  /** Whether no request is being answered. */
  get isIdle(): boolean {
    return this.#answered === 0;
  }

  /** Starts a request now, or when earlier ones have ended. Closes a connection with too many waiting requests. */
  start(request: () => void): void {
    if (this.#answered < MOST_ANSWERED) {
      this.#answered += 1;
      request();
      return;
    }
    // Received data is parsed to its end; nothing more is read until all of its requests have started.
    this.#socket.pause();
    if (this.#waiting.length >= MOST_WAITING || this.#all.count >= MOST_WAITING_IN_ALL) {
      this.#socket.destroy();
    } else if (!this.#socket.destroyed) {
      this.#waiting.push(request);
      this.#all.count += 1;
    }
  }

  /** Ends a request that was started. */
  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#answered -= 1;
      return;
    }
    this.#all.count -= 1;
    if (this.#waiting.length === 0) {
      this.#socket.resume();
    }
    next();
  }
}
