import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
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
    this.#accept(limit);
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
    this.#accept(limit);
    this.#connection.streamBody();
    // Its response may take as long as the body.
    this.#incoming.socket.setTimeout(wholeMs);
    try {
      yield* this.#pieces(limit, wholeMs, wholeMs, silenceMs);
    } finally {
      // The rest, which nobody reads, has as long as that of any request.
      this.bodyDueAt = performance.now() + this.#bodyTimeoutMs;
    }
  }

  /** Lets the client send a body whose length it says, if it waits for that: the body of a rejected request need not be sent. */
  #accept(limit: number): void {
    const { expect, 'content-length': length = 0 } = this.#incoming.headers;
    if (Number(length) > limit) {
      throw tooLarge(limit);
    }
    if (expect !== undefined) {
      this.#outgoing.writeContinue();
    }
  }

  async #receiveBody(limit: number): Promise<Buffer> {
    // One buffer that grows: chunks of a few bytes would take much more memory than their content.
    let body: Buffer = Buffer.alloc(0);
    let size = 0;
    const ms = this.bodyDueAt - performance.now();
    for await (const piece of this.#pieces(limit, ms, this.#bodyTimeoutMs)) {
      const begin = size;
      size += piece.length;
      if (begin === 0) {
        body = piece;
      } else {
        if (size > body.length) {
          body = Buffer.concat([body.subarray(0, begin), piece], 2 * size);
        }
        piece.copy(body, begin);
      }
    }
    return body.subarray(0, size);
  }

  /** The body piece by piece, as it comes and is taken. @param statedMs what an error says of `wholeMs`. */
  async *#pieces(
    limit: number,
    wholeMs: number,
    statedMs: number,
    silenceMs = wholeMs,
  ): AsyncGenerator<Buffer> {
    const incoming = this.#incoming;
    const bound = new AbortController();
    const giveUp = (how: string, ms: number): void =>
      bound.abort(new ApiError('REQUEST_TIMEOUT', `The body ${how} ${ms / 1_000} seconds`));
    const whole = setTimeout(giveUp, wholeMs, 'did not arrive within', statedMs);
    const silence = setTimeout(giveUp, silenceMs, 'stopped for', silenceMs);
    const options = { close: ['end', 'close'], signal: bound.signal, highWaterMark: 1, lowWaterMark: 1 };
    let size = 0;
    try {
      // A destroyed request emits no further events.
      for await (const [piece] of incoming.destroyed ? [] : on(incoming, 'data', options)) {
        silence.refresh();
        size += piece.length;
        if (size > limit) {
          throw tooLarge(limit);
        }
        yield piece;
      }
    } catch (error) {
      // A client that disconnects is not an error of the server.
      throw bound.signal.reason ?? (error instanceof ApiError ? error : bodyEnded());
    } finally {
      clearTimeout(whole);
      clearTimeout(silence);
    }
    if (!incoming.readableEnded) {
      throw bodyEnded();
    }
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
