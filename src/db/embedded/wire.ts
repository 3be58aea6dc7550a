/** The part of PostgreSQL's frontend/backend protocol that sharing one session requires. */

// Messages after which the server answers, and may be waited for: Query, Sync, Flush, password,
// CopyDone and CopyFail. https://www.postgresql.org/docs/current/protocol-message-formats.html
const ENDS_REQUEST = new Set([...'QSHpcf'].map((tag) => tag.charCodeAt(0)));
const TERMINATE = 'X'.charCodeAt(0);

/** Cuts a client's bytes into requests: runs of whole messages that end where the server answers. */
export class RequestReader {
  #bytes: Buffer = Buffer.alloc(0);
  #scanned = 0;
  #started = false;

  /** The requests that these bytes complete. A Terminate message is dropped: the session continues after it. */
  read(chunk: Uint8Array): Uint8Array[] {
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#bytes, chunk]);
    const requests: Uint8Array[] = [];
    for (;;) {
      // The startup message has no tag byte.
      const head = this.#started ? 1 : 0;
      if (this.#bytes.length < this.#scanned + head + 4) {
        return requests;
      }
      const end = this.#scanned + head + this.#bytes.readUInt32BE(this.#scanned + head);
      if (this.#bytes.length < end) {
        return requests;
      }
      const tag = this.#started ? this.#bytes[this.#scanned] : undefined;
      if (tag === TERMINATE) {
        this.#bytes = this.#bytes.subarray(end);
        this.#scanned = 0;
      } else if (tag === undefined || ENDS_REQUEST.has(tag)) {
        requests.push(Uint8Array.from(this.#bytes.subarray(0, end)));
        this.#bytes = this.#bytes.subarray(end);
        this.#scanned = 0;
      } else {
        this.#scanned = end;
      }
      this.#started = true;
    }
  }
}

// ReadyForQuery ('Z', length 5) with the status of a session outside any transaction ('I').
const READY_AND_IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

// The field of an error with its severity (https://www.postgresql.org/docs/current/protocol-error-fields.html). In text,
// no value contains its zero bytes.
const PANIC = Buffer.from('\0VPANIC\0');

/** Follows a server's answer, in chunks of any size, to see whether it leaves the session idle, or broken. */
export class AnswerWatcher {
  #tail: Buffer = Buffer.alloc(0);
  #panic: string | undefined;

  /** The message of an error that ends a server, as it cannot write its log; undefined if there was none. */
  get panic(): string | undefined {
    return this.isIdle ? undefined : this.#panic;
  }

  see(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const at = bytes.indexOf(PANIC);
    if (at !== -1) {
      this.#panic =
        bytes
          .toString('utf8', at)
          .split('\0')
          .find((field) => field.startsWith('M'))
          ?.slice(1) ?? '';
    }
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-READY_AND_IDLE.length)]).subarray(
      -READY_AND_IDLE.length,
    );
  }

  get isIdle(): boolean {
    return this.#tail.equals(READY_AND_IDLE);
  }
}

export function queryMessage(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}
