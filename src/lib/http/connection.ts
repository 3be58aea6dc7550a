import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { timeSlices } from '../loop/time-slices.ts';
import { addressBucket, clientAddress } from './addresses.ts';

/** The bytes of a connection that are received ahead of its requests, after which nothing more is read from it. */
const MOST_UNPARSED_BYTES = 64 * 1024;

type OnRequest = (incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) => void;

/** The open connections of a server, and the bytes that wait in them. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #onRequest: OnRequest;
  readonly #trustedProxies: number;
  readonly mostBytes: number;
  bytes = 0;
  /** Whether each connection is closed after its request in progress. */
  isClosing = false;

  /**
   * @param onRequest called for one request of a connection at a time.
   * @param trustedProxies the number of proxies that append to X-Forwarded-For.
   * @param mostBytes the most that may wait over all connections.
   */
  constructor(onRequest: OnRequest, trustedProxies: number, mostBytes: number) {
    this.#onRequest = onRequest;
    this.#trustedProxies = trustedProxies;
    this.mostBytes = mostBytes;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a connection until it is closed. Call this after node:http has begun to listen to its socket. */
  add(socket: Socket): void {
    this.#open.set(socket, new Connection(socket, this, this.#onRequest));
    socket.once('close', () => this.#open.delete(socket));
  }

  readonly pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    this.#open.get(incoming.socket)?.pass(incoming, outgoing);
  };

  /** Closes the connections without a request in progress, and the others after it. */
  close(): void {
    this.isClosing = true;
    for (const [socket, connection] of this.#open) {
      if (connection.isIdle) {
        socket.destroy();
      }
    }
  }

  /** Closes connections while too many bytes wait. */
  limitBytes(): void {
    while (this.bytes > this.mostBytes) {
      this.#closeLargest();
    }
  }

  /**
   * Closes the largest connection of the address with the most waiting bytes: whoever opens many small ones must not
   * cause the responses of others to be cut off.
   */
  #closeLargest(): void {
    const byAddress = new Map<string, { bytes: number; largest: Connection }>();
    for (const connection of this.#open.values()) {
      const address = connection.address(this.#trustedProxies);
      const { bytes, largest } = byAddress.get(address) ?? { bytes: 0, largest: connection };
      byAddress.set(address, {
        bytes: bytes + connection.waitingBytes,
        largest: connection.waitingBytes > largest.waitingBytes ? connection : largest,
      });
    }
    [...byAddress.values()].reduce((one, other) => (other.bytes > one.bytes ? other : one)).largest.destroy();
  }
}

/**
 * A connection, which has one request in progress at a time: bytes after it are parsed once the operating system has
 * taken its whole response, which it does as the client reads. node:http would start every request of a chunk at
 * once, so a client that pipelines and reads no response could start thousands.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #peer: string | undefined;
  readonly #all: Connections;
  readonly #onRequest: OnRequest;
  /** The listener of node:http, which would get whole chunks. */
  readonly #parse: (data: Buffer) => void;
  /** Received bytes that were read from the socket and are not parsed yet. */
  #unparsed: Buffer | undefined;
  #inProgress: IncomingMessage | undefined;
  /** The response to the request in progress, until it starts. */
  #starting: ServerResponse | undefined;
  /** Requests that were parsed together with the end of the one in progress. */
  readonly #parsed: [IncomingMessage, ServerResponse][] = [];
  #isAnswered = false;
  #isScheduled = false;
  /** The bytes that the request in progress keeps: as they were received, then of its response. */
  #keptBytes = 0;
  /** Whether the body of the request in progress is taken as it comes, and kept nowhere. */
  #isStreaming = false;
  #bodyTimer: NodeJS.Timeout | undefined;
  #waitingBytes = 0;

  constructor(socket: Socket, all: Connections, onRequest: OnRequest) {
    this.#socket = socket;
    // Read now: a socket that is closed later has none.
    this.#peer = socket.remoteAddress;
    this.#all = all;
    this.#onRequest = onRequest;
    this.#parse = socket.listeners('data')[0] as (data: Buffer) => void;
    socket.off('data', this.#parse);
    socket.on('data', (data) => {
      this.#unparsed = this.#unparsed === undefined ? data : Buffer.concat([this.#unparsed, data]);
      this.#parseReceived();
    });
    // Reading a body resumes the connection.
    socket.on('resume', () => this.#parseReceived());
    socket.once('close', () => this.#drop());
  }

  get isIdle(): boolean {
    return this.#inProgress === undefined;
  }

  /** The bytes that wait in memory until the client reads or sends more. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** The address, or its network, that the request in progress comes from; between requests, that of the other end. */
  address(trustedProxies: number): string {
    const forwardedFor = this.#inProgress?.headers['x-forwarded-for']?.toString();
    return addressBucket(clientAddress(this.#peer, forwardedFor, trustedProxies));
  }

  destroy(): void {
    this.#socket.destroy();
    this.#drop();
  }

  /**
   * Passes on a request, once the one in progress has ended and the bytes at hand are parsed: most bodies arrive with
   * their head.
   */
  pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#inProgress === undefined) {
      clearTimeout(this.#bodyTimer);
      this.#inProgress = incoming;
      this.#starting = outgoing;
    } else {
      this.#parsed.push([incoming, outgoing]);
    }
  }

  /**
   * Notes that the request in progress has a response. If its body has not arrived, the connection waits for the rest.
   *
   * @param bytes what the response keeps in memory until it is sent.
   * @param bodyDueAt when the connection is closed if the rest is missing, in ms of the clock of this process.
   */
  answer(bytes: number, bodyDueAt: number): void {
    const incoming = this.#inProgress;
    if (incoming?.complete === false) {
      const timeOut = (): void => void (incoming.complete || this.destroy());
      this.#bodyTimer = setTimeout(timeOut, bodyDueAt - performance.now());
    }
    this.#isAnswered = true;
    this.#keptBytes = bytes;
    this.#countWaiting();
  }

  /** Notes that the body of the request in progress is not kept in memory. */
  streamBody(): void {
    this.#isStreaming = true;
    this.#keptBytes = 0;
    this.#countWaiting();
  }

  /** Ends the request in progress. Others may run before the next of this connection. */
  readonly #end = (): void => {
    this.#inProgress = undefined;
    this.#isAnswered = false;
    this.#isStreaming = false;
    this.#keptBytes = 0;
    this.#countWaiting();
    const next = this.#parsed.shift();
    if (next !== undefined) {
      this.pass(...next);
      this.#start();
    } else if (this.#all.isClosing) {
      // Its last response may have begun before it was known to be the last.
      this.#socket.destroySoon();
    }
    if (this.#unparsed !== undefined) {
      this.#isScheduled = true;
      // Whose request it is, is not known before it is parsed.
      const owner = { ownerId: `connections:${this.#peer}` };
      void timeSlices.runStep(() => {
        this.#isScheduled = false;
        this.#parseReceived();
      }, owner);
    }
  };

  /** Starts the request that was passed on, if it has not started. */
  #start(): void {
    const outgoing = this.#starting;
    if (this.#inProgress !== undefined && outgoing !== undefined) {
      this.#starting = undefined;
      outgoing.on('close', this.#end);
      this.#onRequest(this.#inProgress, outgoing, this);
    }
  }

  #parseReceived(): void {
    const socket = this.#socket;
    while (this.#unparsed !== undefined && this.#needsBytes) {
      const received = this.#unparsed;
      const end = endOfRequest(received);
      const isWhole = end === received.length;
      this.#unparsed = isWhole ? undefined : received.subarray(end);
      this.#parse.call(socket, isWhole ? received : received.subarray(0, end));
      if (this.#inProgress !== undefined && !this.#isAnswered && !this.#isStreaming) {
        this.#keptBytes += end;
      }
    }
    if (this.#unparsed !== undefined && this.#unparsed.length >= MOST_UNPARSED_BYTES) {
      socket.pause();
    } else if (this.#unparsed === undefined && !this.#isBodyFull) {
      // Not only when a request may start: a client that disconnects is noticed only by reading.
      socket.resume();
    }
    this.#countWaiting();
    this.#start();
  }

  /** Whether a request may start, or the one in progress reads more of its body. */
  get #needsBytes(): boolean {
    const mayStart = this.#inProgress === undefined || !this.#inProgress.complete;
    return (
      this.#socket.writable &&
      mayStart &&
      this.#parsed.length === 0 &&
      !this.#isScheduled &&
      !this.#isBodyFull
    );
  }

  /** Whether the request in progress has to read some of its body before there is room for more. */
  get #isBodyFull(): boolean {
    const incoming = this.#inProgress;
    return incoming?.complete === false && incoming.readableLength >= incoming.readableHighWaterMark;
  }

  #countWaiting(): void {
    const bytes = this.#socket.destroyed
      ? 0
      : this.#keptBytes + (this.#unparsed?.buffer.byteLength ?? 0) + this.#socket.readableLength;
    const all = this.#all;
    all.bytes += bytes - this.#waitingBytes;
    this.#waitingBytes = bytes;
    if (all.bytes > all.mostBytes) {
      all.limitBytes();
    }
  }

  #drop(): void {
    clearTimeout(this.#bodyTimer);
    this.#unparsed = undefined;
    this.#parsed.length = 0;
    this.#countWaiting();
  }
}

/**
 * Where received bytes are cut, so that at most one request begins before: where the first headers end, if others end
 * behind them.
 */
function endOfRequest(received: Buffer): number {
  const END = '\r\n\r\n';
  const first = received.indexOf(END);
  const isOnly = first === -1 || received.indexOf(END, first + END.length) === -1;
  return isOnly ? received.length : first + END.length;
}
