import type { Readable } from 'node:stream';

/**
 * A request as the gateway sees it: plain values, so that the path from the socket to the executor
 * creates no fetch objects. Any HTTP server can create one.
 */
export interface GatewayRequest {
  /** Identifies it in its response and in the log. */
  readonly id: string;
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  headers(): Headers;
  /** The client's address, determined behind trusted proxies. */
  readonly address: string | undefined;
  /**
   * Reads the body, at once if it has arrived.
   *
   * @throws ApiError PAYLOAD_TOO_LARGE when it is longer than the limit, in bytes.
   */
  body(limit: number): Buffer | Promise<Buffer>;
  /**
   * Receives a body of any length piece by piece, as it comes and is taken.
   *
   * @throws ApiError PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or BAD_USER_INPUT if the client leaves before the end.
   */
  receive(bounds: BodyBounds): AsyncIterable<Buffer>;
  /** Whether the client has disconnected. */
  readonly isDisconnected: boolean;
  /** A signal that is aborted when the client disconnects before it has its response. */
  disconnected(): AbortSignal;
}

/** What a long body may have. */
export interface BodyBounds {
  /** In bytes. */
  readonly limit: number;
  /** The longest time without a byte, in ms. */
  readonly silenceMs: number;
  /** When all of it must have arrived, and its response be ready, in ms from now. */
  readonly wholeMs: number;
}

/** A response: everything except what the transport adds (Date, Content-Length, Connection). */
export interface GatewayResponse {
  readonly status: number;
  /**
   * Names, each followed by its value, as node:http takes them. A list of this response alone: whoever passes the response
   * on may add to it. Only Set-Cookie may occur more than once.
   */
  readonly headers: string[];
  readonly body: string | Buffer;
  /**
   * What is sent in place of the body, as the client reads it. Whoever does not send it destroys it. A client that reads
   * nothing for 30 s, less than 64 kB a second, or not all of it within 15 minutes, is disconnected.
   */
  readonly stream?: Readable | undefined;
  /** Whether other responses have the same body, so that this one needs no memory for it. */
  readonly isShared?: boolean;
}

/** The status in logs and counts of a request whose client left before it was answered, which is no error. */
export const CLIENT_LEFT = 499;

/** Answers a request; never rejects. */
export type GatewayHandler = (request: GatewayRequest) => Promise<GatewayResponse>;
