import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError, OperatorError } from '../errors.ts';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from '../handler.ts';
import { clientAddress } from './client-address.ts';
import { Connection } from './connection.ts';

/** A listening server. */
export interface NodeServer {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** The number of open connections. */
  readonly connections: number;
  /** Stops accepting, waits for requests in progress, and closes. */
  close(): Promise<void>;
}

interface NodeServerOptions {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** The number of proxies that append to X-Forwarded-For. */
  readonly trustedProxies: number;
  /** Receives errors that a handler throws, which is a bug: the client then gets no response. */
  readonly onError: (error: unknown) => void;
  /** How long a body may take, in ms. Default: 30 s. */
  readonly bodyTimeoutMs?: number;
  /** The time without progress in either direction, in ms, after which a connection is closed. Default: 60 s. */
  readonly stallTimeoutMs?: number;
}

// Longer than the idle time-out of any load balancer, which would otherwise use a closing connection.
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;
const STALL_TIMEOUT_MS = 60_000;

/**
 * Serves a gateway on node:http.
 *
 * @throws OperatorError when the port cannot be opened.
 */
export async function listen(handle: GatewayHandler, options: NodeServerOptions): Promise<NodeServer> {
  const { trustedProxies, onError, bodyTimeoutMs = BODY_TIMEOUT_MS } = options;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Node's own response to a slow body has none of the API's headers, so its time-out is later than ours.
    requestTimeout: HEADERS_TIMEOUT_MS + 2 * bodyTimeoutMs,
  });
  server.timeout = options.stallTimeoutMs ?? STALL_TIMEOUT_MS;
  let isClosing = false;
  const connections = new Map<Socket, Connection>();
  const waiting = { count: 0 };
  server.on('connection', (socket) => {
    connections.set(socket, new Connection(socket, waiting));
    socket.once('close', () => connections.delete(socket));
  });
  const write = (
    outgoing: ServerResponse,
    { status, headers, cookies = [], body }: GatewayResponse,
  ): void => {
    // Behind an incomplete body, there is no next request.
    if (isClosing || status === 408) {
      outgoing.setHeader('Connection', 'close');
    }
    for (const cookie of cookies) {
      outgoing.appendHeader('Set-Cookie', cookie);
    }
    const hasBody = status !== 204 && status !== 304;
    outgoing.writeHead(status, hasBody ? { ...headers, 'Content-Length': Buffer.byteLength(body) } : headers);
    outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
    // An unread body would block the connection.
    outgoing.req.resume();
  };
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = connections.get(incoming.socket);
    connection?.start(() => {
      outgoing.once('close', () => {
        connection.end();
        // Its last response may have begun before it was known to be the last.
        if (isClosing && connection.isIdle) {
          incoming.socket.destroySoon();
        }
      });
      handle(new NodeRequest(incoming, outgoing, trustedProxies, bodyTimeoutMs))
        .then((response) => write(outgoing, response))
        .catch((error) => {
          onError(error);
          incoming.socket.destroy();
        });
    });
  };
  server.on('request', answer);
  // By default, the body would be requested before the key is checked.
  server.on('checkContinue', answer);
  // By default, the answer would not have the API's headers.
  server.on('checkExpectation', answer);
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    get connections() {
      return connections.size;
    },
    close: () => {
      isClosing = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        // Including connections that have not sent a request yet: node:http would wait for it.
        for (const [socket, connection] of connections) {
          if (connection.isIdle) {
            socket.destroy();
          }
        }
      });
    },
  };
}

function bind(server: Server, { host, port }: NodeServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is in use: stop what listens there, or choose another with PORT or --port.`,
        EACCES: `Port ${port} may not be used by this user: set PORT to one above 1023.`,
        EADDRNOTAVAIL: `HOST ${host} is no address of this machine: set HOST to one that is.`,
        ENOTFOUND: `HOST ${host} is not known: set HOST to an address of this machine.`,
      };
      reject(
        new OperatorError(reasons[error.code ?? ''] ?? `Cannot listen on ${host}:${port}: ${error.message}`),
      );
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/**
 * A request of node:http. A class, since an object literal with a getter has a separate shape each time,
 * which V8 keeps together with everything that the getter references, long after the request.
 */
class NodeRequest implements GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #peer: string | undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #trustedProxies: number;
  readonly #bodyTimeoutMs: number;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    trustedProxies: number,
    bodyTimeoutMs: number,
  ) {
    const target = originForm(incoming.url ?? '/');
    const mark = target.indexOf('?');
    this.method = incoming.method ?? 'GET';
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    // Read now: a socket that is closed later has none.
    this.#peer = incoming.socket.remoteAddress;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#trustedProxies = trustedProxies;
    this.#bodyTimeoutMs = bodyTimeoutMs;
  }

  get address(): string | undefined {
    return clientAddress(this.#peer, this.header('x-forwarded-for'), this.#trustedProxies);
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headers(): Headers {
    const { headers } = this.#incoming;
    return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  }

  get isDisconnected(): boolean {
    // Of pipelined requests, only the response that is being sent is destroyed with the connection.
    return this.#outgoing.destroyed || this.#incoming.socket.destroyed;
  }

  disconnected(): AbortSignal {
    const controller = new AbortController();
    const outgoing = this.#outgoing;
    if (this.isDisconnected) {
      controller.abort();
    }
    const { socket } = this.#incoming;
    const onClose = (): void => {
      // The connection stays open for further requests.
      socket.off('close', onClose);
      if (!outgoing.writableFinished) {
        controller.abort();
      }
    };
    outgoing.once('close', onClose);
    // Of pipelined requests, only the response that is being sent is notified of the end.
    socket.once('close', onClose);
    return controller.signal;
  }

  async body(limit: number): Promise<Buffer> {
    const incoming = this.#incoming;
    if (Number(incoming.headers['content-length'] ?? 0) > limit) {
      throw tooLarge(limit);
    }
    // Only now: the body of a rejected request need not be sent.
    if (incoming.headers.expect !== undefined) {
      this.#outgoing.writeContinue();
    }
    return readBody(incoming, limit, this.#bodyTimeoutMs);
  }
}

/** A target in absolute form, as clients send it to proxies, without its scheme and authority. */
function originForm(target: string): string {
  if (target.startsWith('/')) {
    return target;
  }
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  return rest === undefined || rest.startsWith('/') ? (rest ?? target) : `/${rest}`;
}

function tooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`);
}

function readBody(incoming: IncomingMessage, limit: number, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new ApiError('BAD_USER_INPUT', 'The request ended before its body'));
    if (incoming.destroyed) {
      // A destroyed request emits no further events.
      ended();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => {
      const seconds = timeoutMs / 1_000;
      reject(new ApiError('REQUEST_TIMEOUT', `The body did not arrive within ${seconds} seconds`));
    }, timeoutMs);
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        incoming.removeAllListeners('data');
        reject(tooLarge(limit));
        return;
      }
      chunks.push(chunk);
    });
    incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // A client that disconnects is not an error of the server.
    incoming.on('error', ended);
    incoming.on('close', () => {
      clearTimeout(timer);
      if (!incoming.complete) {
        ended();
      }
    });
  });
}
