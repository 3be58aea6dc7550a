import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { OperatorError } from '../errors.ts';
import { timeSlices } from '../loop/time-slices.ts';
import { listeningUrl } from './addresses.ts';
import { type Connection, Connections } from './connection.ts';
import { NodeRequest } from './node-request.ts';
import type { GatewayHandler, GatewayResponse } from './request-response.ts';

/** The errors of a stream whose client has left. */
const LEFT_EARLY = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'];

export type NodeServer = Awaited<ReturnType<typeof listen>>;

/** What clients may take, in ms and bytes. */
const BOUNDS = {
  /** How long a body may take. */
  bodyTimeoutMs: 30_000,
  /** The time without progress in either direction after which a connection is closed. */
  stallTimeoutMs: 60_000,
  /** The same for a response that is a stream, which keeps more than its connection. */
  streamTimeoutMs: 30_000,
  /** How long all of such a response may take. */
  wholeStreamMs: 900_000,
  /** The most bytes that may wait over all connections for their clients. */
  mostWaitingBytes: 64 * 1024 * 1024,
};

interface NodeServerOptions extends Partial<typeof BOUNDS> {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** The number of proxies that append to X-Forwarded-For. */
  readonly trustedProxies: number;
  /** Receives errors that a handler throws, which is a bug: the client then gets no response. */
  readonly onError: (error: unknown) => void;
}

// Longer than the idle time-out of any load balancer, which would otherwise use a closing connection.
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** That of an import. */
const LONGEST_BODY_MS = 3_600_000;
/** The least that a client reads of a stream while bytes wait for it, in bytes per second. */
const LEAST_SPEED = 64 * 1024;

/**
 * Serves a gateway on node:http.
 *
 * @throws OperatorError when the port cannot be opened.
 */
export async function listen(handle: GatewayHandler, options: NodeServerOptions) {
  const { trustedProxies, onError } = options;
  const { bodyTimeoutMs, stallTimeoutMs, streamTimeoutMs, wholeStreamMs, mostWaitingBytes } = {
    ...BOUNDS,
    ...options,
  };
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Node's own response to a slow body has none of the API's headers, so its time-out is later than all of ours.
    requestTimeout: HEADERS_TIMEOUT_MS + Math.max(2 * bodyTimeoutMs, LONGEST_BODY_MS),
  });
  server.timeout = stallTimeoutMs;
  const write = (
    outgoing: ServerResponse,
    { status, headers, body, stream }: GatewayResponse,
    size: number,
  ): void => {
    const { req } = outgoing;
    const isHead = req.method === 'HEAD';
    // A stream has none, nor has HEAD of one, which has no body at all.
    if (status !== 204 && status !== 304 && stream === undefined && (size > 0 || !isHead)) {
      headers.push('Content-Length', String(size));
    }
    // Behind an incomplete body, there is no next request.
    if (connections.isClosing || status === 408) {
      headers.push('Connection', 'close');
    }
    outgoing.writeHead(status, headers);
    if (stream === undefined) {
      // A text becomes bytes together with its head.
      outgoing.end(isHead ? undefined : body, size === body.length ? 'latin1' : 'utf8');
    } else {
      // Without a listener, the socket is destroyed.
      outgoing.setTimeout(streamTimeoutMs);
      disconnectSlowReader(outgoing, streamTimeoutMs, wholeStreamMs);
      // A client that leaves is no error. After any other, the response lacks its end, so that the client notices.
      pipeline(stream, outgoing, (error) => {
        if (error && !LEFT_EARLY.includes(error.code ?? '')) {
          onError(error);
        }
      });
    }
    // An unread body would block the connection.
    if (!req.complete || req.readableLength > 0) {
      req.resume();
    }
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) => {
    if (hasSeveralHosts(incoming)) {
      // As node:http answers a request without a host.
      outgoing.writeHead(400, { Connection: 'close' }).end();
      return;
    }
    try {
      const request = new NodeRequest(incoming, outgoing, trustedProxies, bodyTimeoutMs, connection);
      const response = await handle(request);
      const size = Buffer.byteLength(response.body);
      connection.answer(response.isShared === true ? 0 : size, request.bodyDueAt);
      write(outgoing, response, size);
    } catch (error) {
      onError(error);
      incoming.socket.destroy();
    }
  };
  const connections = new Connections(answer, trustedProxies, mostWaitingBytes);
  server.on('connection', (socket) => {
    connections.add(socket);
    timeSlices.leaveTurn();
  });
  server.on('request', connections.pass);
  // By default, the body would be requested before the key is checked.
  server.on('checkContinue', connections.pass);
  // By default, the answer would not have the API's headers.
  server.on('checkExpectation', connections.pass);
  await bind(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: listeningUrl(options.host, port),
    get connections() {
      return connections.size;
    },
    /** Stops accepting, waits for requests in progress, and closes. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        // Including connections that have not sent a request yet: node:http would wait for it.
        connections.close();
      }),
  };
}

/**
 * Checks that a server can listen, without doing so.
 *
 * @throws OperatorError when the port cannot be opened.
 */
export async function requirePort(address: Pick<NodeServerOptions, 'host' | 'port'>): Promise<void> {
  const server = createServer();
  await bind(server, address);
  await new Promise((resolve) => server.close(resolve));
}

function bind(server: Server, { host, port }: Pick<NodeServerOptions, 'host' | 'port'>): Promise<void> {
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
 * Destroys the response to a client that reads a stream too slowly: what the stream keeps is then free for others. A server
 * that is slow itself has no bytes waiting.
 *
 * @param periodMs how often the speed is checked.
 * @param wholeMs the longest that the whole response may take.
 */
function disconnectSlowReader(outgoing: ServerResponse, periodMs: number, wholeMs: number): void {
  const { socket } = outgoing.req;
  const countRead = (): number => socket.bytesWritten - socket.writableLength;
  let read = countRead();
  const whole = setTimeout(() => outgoing.destroy(), wholeMs);
  const speed = setInterval(() => {
    const before = read;
    read = countRead();
    if (socket.writableLength > 0 && read - before < (LEAST_SPEED * periodMs) / 1_000) {
      outgoing.destroy();
    }
  }, periodMs);
  outgoing.once('close', () => {
    clearTimeout(whole);
    clearInterval(speed);
  });
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-3.2: such a request must get a 400. node:http uses the first host. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    count += name.length === 4 && name.toLowerCase() === 'host' ? 1 : 0;
  }
  return count > 1;
}
