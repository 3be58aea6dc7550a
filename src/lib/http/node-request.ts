import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';
import { clientAddress } from './addresses.ts';
import type { Connection } from './connection.ts';
import type { BodyBounds, GatewayRequest } from './request-response.ts';

/**
 * A request of node:http. A class, since an object literal with a getter has a separate shape each time,
 * which V8 keeps together with everything that the getter references, long after the request.
 */
export class NodeRequest implements GatewayRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** When its body must have arrived, in ms of the clock of this process. */
  bodyDueAt: number;
  readonly #peer: string | undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #trustedProxies: number;
  readonly #bodyTimeoutMs: number;
  readonly #connection: Connection;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    trustedProxies: number,
    bodyTimeoutMs: number,
    connection: Connection,
  ) {
    const url = incoming.url ?? '/';
    const target = url.startsWith('/') ? url : originForm(url);
    const mark = target.indexOf('?');
    this.id = randomUUID();
    this.method = incoming.method ?? 'GET';
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    // Read now: a socket that is closed later has none.
    this.#peer = incoming.socket.remoteAddress;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#trustedProxies = trustedProxies;
    this.#bodyTimeoutMs = bodyTimeoutMs;
    this.#connection = connection;
    this.bodyDueAt = performance.now() + bodyTimeoutMs;
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
    return this.#outgoing.destroyed || this.#incoming.socket.destroyed;
  }

  disconnected(): AbortSignal {
    const controller = new AbortController();
    const outgoing = this.#outgoing;
    if (this.isDisconnected) {
      controller.abort();
    }
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) {
        controller.abort();
      }
    });
    return controller.signal;
  }

  body(limit: number): Buffer | Promise<Buffer> {
    const incoming = this.#incoming;
    if (Number(incoming.headers['content-length'] ?? 0) > limit) {
      throw tooLarge(limit);
    }
    // Only now: the body of a rejected request need not be sent.
    if (incoming.headers.expect !== undefined) {
      this.#outgoing.writeContinue();
    }
    if (!incoming.complete || incoming.destroyed) {
      return this.#receiveBody(limit);
    }
    const body: Buffer = incoming.read() ?? Buffer.alloc(0);
    if (body.length > limit) {
      throw tooLarge(limit);
    }
    return body;
  }

  async *receive({ limit, silenceMs, wholeMs }: BodyBounds): AsyncGenerator<Buffer> {
    const incoming = this.#incoming;
    if (Number(incoming.headers['content-length'] ?? 0) > limit) {
      throw tooLarge(limit);
    }
    this.#connection.streamBody();
    // Its response may take as long as the body.
    incoming.socket.setTimeout(wholeMs);
    const pieces: Buffer[] = [];
    let size = 0;
    let failure: ApiError | undefined;
    let isWhole = false;
    let wake = (): void => {};
    const fail = (error: ApiError): void => {
      failure ??= error;
      wake();
    };
    const late = (ms: number): ApiError =>
      new ApiError('REQUEST_TIMEOUT', `The body did not arrive within ${ms / 1_000} seconds`);
    const whole = setTimeout(() => fail(late(wholeMs)), wholeMs);
    const silence = setTimeout(
      () => fail(new ApiError('REQUEST_TIMEOUT', `The body stopped for ${silenceMs / 1_000} seconds`)),
      silenceMs,
    );
    const onData = (piece: Buffer): void => {
      silence.refresh();
      size += piece.length;
      pieces.push(piece);
      incoming.pause();
      if (size > limit) {
        fail(tooLarge(limit));
      }
      wake();
    };
    const onEnd = (): void => {
      isWhole = true;
      wake();
    };
    const onClose = (): void => void (isWhole || fail(bodyEnded()));
    incoming.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose);
    if (incoming.headers.expect !== undefined) {
      this.#outgoing.writeContinue();
    }
    try {
      if (incoming.destroyed && !incoming.complete) {
        throw bodyEnded();
      }
      for (;;) {
        while (failure === undefined && pieces.length > 0) {
          yield pieces.shift() as Buffer;
        }
        if (failure !== undefined) {
          throw failure;
        }
        if (isWhole) {
          return;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          incoming.resume();
        });
      }
    } finally {
      clearTimeout(whole);
      clearTimeout(silence);
      incoming.off('data', onData);
      // The rest, which nobody reads, has as long as that of any request.
      this.bodyDueAt = performance.now() + this.#bodyTimeoutMs;
    }
  }

  #receiveBody(limit: number): Promise<Buffer> {
    const incoming = this.#incoming;
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(bodyEnded());
      if (incoming.destroyed) {
        // A destroyed request emits no further events.
        ended();
        return;
      }
      // One buffer that grows: chunks of a few bytes would take much more memory than their content.
      let body: Buffer = Buffer.alloc(0);
      let size = 0;
      const timer = setTimeout(() => {
        const seconds = this.#bodyTimeoutMs / 1_000;
        reject(new ApiError('REQUEST_TIMEOUT', `The body did not arrive within ${seconds} seconds`));
      }, this.bodyDueAt - performance.now());
      incoming.on('data', (chunk: Buffer) => {
        const begin = size;
        size += chunk.length;
        if (size > limit) {
          incoming.removeAllListeners('data');
          reject(tooLarge(limit));
          return;
        }
        if (begin === 0) {
          body = chunk;
          return;
        }
        if (size > body.length) {
          body = Buffer.concat([body.subarray(0, begin), chunk], 2 * size);
        }
        chunk.copy(body, begin);
      });
      incoming.on('end', () => resolve(body.subarray(0, size)));
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
}

/** A target in absolute form, as clients send it to proxies, without its scheme and authority. */
function originForm(target: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  return rest === undefined || rest.startsWith('/') ? (rest ?? target) : `/${rest}`;
}

function bodyEnded(): ApiError {
  return new ApiError('BAD_USER_INPUT', 'The request ended before its body');
}

function tooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes`);
}
