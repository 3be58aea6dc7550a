import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/**
 * A PostgreSQL connection's byte stream over a MessagePort, for pg's `stream` option. The embedded
 * engine listens at the other end. `null` is the end of the stream in either direction.
 */
export class PortStream extends Duplex {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (chunk: Uint8Array | null) => {
      this.push(chunk === null ? null : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    });
    port.on('close', () => this.destroy());
  }

  // The methods of a socket that pg calls.
  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    this.#port.ref();
    return this;
  }
  unref(): this {
    this.#port.unref();
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // A copy: pg reuses its buffer, and a message must own its bytes to be transferred.
    const bytes = Uint8Array.from(chunk);
    this.#port.postMessage(bytes, [bytes.buffer]);
    done();
  }

  override _final(done: () => void): void {
    this.#port.postMessage(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close();
    done(error);
  }
}
