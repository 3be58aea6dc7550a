import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError, OperatorError } from '../errors.ts';
import type { GatewayHandler, GatewayRequest } from '../exchange.ts';
import { clientAddress } from './client-address.ts';

/** A server that listens. */
export interface NodeServer {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** Stops accepting, lets what is in flight finish, and closes. */
  close(): Promise<void>;
}

export interface NodeServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How many proxies in front append to X-Forwarded-For. */
  readonly trustedProxies: number;
}

// Longer than any balancer's own idle time, or it would send a request into a closing connection.
const KEEP_ALIVE_MS = 75_000;
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Serves a gateway on node:http.
 *
 * @throws OperatorError when the port cannot be had.
 */
export async function listen(handle: GatewayHandler, options: NodeServerOptions): Promise<NodeServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS });
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  let isClosing = false;
  /** Open connections, with how many of their requests are being answered. */
  const connections = new Map<Socket, { answering: number }>();
  server.on('connection', (socket) => {
    connections.set(socket, { answering: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = connections.get(incoming.socket);
    if (connection !== undefined) {
      connection.answering += 1;
      outgoing.once('close', () => {
        connection.answering -= 1;
      });
    }
    void handle(new NodeRequest(incoming, outgoing, options.trustedProxies)).then(
      ({ status, headers, cookies = [], body }) => {
        if (isClosing) {
          outgoing.setHeader('Connection', 'close');
        }
        for (const cookie of cookies) {
          outgoing.appendHeader('Set-Cookie', cookie);
        }
        outgoing.writeHead(
          status,
          status === 204 || status === 304
            ? headers
            : { ...headers, 'Content-Length': Buffer.byteLength(body) },
        );
        outgoing.end(incoming.method === 'HEAD' ? undefined : body);
        // A body that nobody read would hold the connection.
        incoming.resume();
      },
    );
  };
  server.on('request', answer);
  // The default would ask for the body before the key was seen.
  server.on('checkContinue', answer);
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    close: () => {
      isClosing = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        // Also those that have not sent a request yet: node:http would wait for it.
        for (const [socket, { answering }] of connections) {
          if (answering === 0) {
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
        EADDRINUSE: `Port ${port} on ${host} is in use: stop what listens there, or set PORT to another one.`,
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
 * A request of node:http. A class, since an object literal with a getter has a shape of its own each time,
 * which V8 keeps together with all that the getter sees, long after the request.
 */
class NodeRequest implements GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #peer: string | undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #trustedProxies: number;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, trustedProxies: number) {
    const target = incoming.url ?? '/';
    const mark = target.indexOf('?');
    this.method = incoming.method ?? 'GET';
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    // Read now: a socket that was closed meanwhile has none.
    this.#peer = incoming.socket.remoteAddress;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#trustedProxies = trustedProxies;
  }

  get address(): string | undefined {
    return clientAddress(this.#peer, this.header('x-forwarded-for'), this.#trustedProxies);
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  disconnected(): AbortSignal {
    const controller = new AbortController();
    const outgoing = this.#outgoing;
    if (outgoing.destroyed) {
      controller.abort();
    }
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) {
        controller.abort();
      }
    });
    return controller.signal;
  }

  async body(limit: number): Promise<Buffer> {
    const incoming = this.#incoming;
    if (Number(incoming.headers['content-length'] ?? 0) > limit) {
      throw tooLarge(limit);
    }
    // Only now: what is refused anyway need not be sent.
    if (incoming.headers.expect !== undefined) {
      this.#outgoing.writeContinue();
    }
    return readBody(incoming, limit);
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`);
}

function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new ApiError('BAD_USER_INPUT', 'The request ended before its body'));
    if (incoming.destroyed) {
      // It would tell nothing any more.
      ended();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
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
    incoming.on('error', reject);
    incoming.on('close', () => {
      if (!incoming.complete) {
        ended();
      }
    });
  });
}
