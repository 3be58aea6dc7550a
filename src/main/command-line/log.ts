import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { type DestinationStream, pino } from 'pino';
import type { Config } from '../settings/config.ts';

interface LogOptions extends Pick<Config, 'logLevel' | 'logFormat'> {
  /** Standard error has a descriptor. */
  readonly stream: Writable & { readonly fd?: number };
  /** Whether the stream is a terminal: text for people there, JSON for programs elsewhere. */
  readonly isTerminal: boolean;
  readonly hasColors: boolean;
}

/** Lines are written in blocks: a write takes longer than the line. */
const BLOCK_BYTES = 16_000;
/** How long a line waits for its block to be full, in ms: a process that is killed loses the lines of that time. */
const FLUSH_MS = 500;
/** The most bytes that wait while nobody reads them. */
const MOST_WAITING_BYTES = 4_000_000;
/** How long the last flush waits for a reader, in ms. */
const LAST_FLUSH_MS = 1_000;
const RETRY_MS = 10;

/** Opens the log of a server: lines of JSON in blocks, or text for people, one write for each message. */
export async function openLog(options: LogOptions) {
  const { stream, isTerminal, logLevel: level, logFormat = isTerminal ? 'pretty' : 'json' } = options;
  if (logFormat === 'json' && stream.fd !== undefined) {
    const { destination, ...log } = openBlocks(stream.fd);
    return { ...log, logger: pino({ level, base: null }, destination) };
  }
  const format = logFormat === 'pretty' ? await prettyFormat(options.hasColors) : (json: string) => json;
  const destination: DestinationStream = { write: (json) => void stream.write(format(json)) };
  return { logger: pino({ level, base: null }, destination), dropped: () => 0, close: () => {} };
}

/**
 * Collects lines and writes them in blocks, synchronously: a crash finds no write in progress, so all lines can be
 * written in their order before the process ends. A write to a full pipe does not wait for its reader: the standard
 * error of Node does not block if it is a pipe.
 */
function openBlocks(fd: number) {
  let lines = '';
  /** What could not be written is part of the next block. */
  let unwritten = Buffer.alloc(0);
  let dropped = 0;
  /** Whether nobody reads what was written before. */
  let isFull = false;
  const writeBlock = (): void => {
    unwritten = Buffer.concat([unwritten, Buffer.from(lines)]);
    lines = '';
    isFull = false;
    try {
      while (unwritten.length > 0) {
        unwritten = unwritten.subarray(writeSync(fd, unwritten));
      }
    } catch (error) {
      // Nothing else can be told: the log is where errors are told.
      isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
    }
  };
  const writing = setInterval(writeBlock, FLUSH_MS).unref();
  const close = (): void => {
    clearInterval(writing);
    process.off('exit', close);
    const until = performance.now() + LAST_FLUSH_MS;
    writeBlock();
    while (isFull && performance.now() < until) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      writeBlock();
    }
  };
  process.once('exit', close);
  return {
    destination: {
      write(line: string): void {
        if (unwritten.length + lines.length + line.length > MOST_WAITING_BYTES) {
          dropped += 1;
          return;
        }
        // Joined when they are written.
        lines += line;
        if (lines.length >= BLOCK_BYTES) {
          writeBlock();
        }
      },
    },
    /** The number of lines that were dropped because nobody read the lines before them. */
    dropped: () => dropped,
    /** Writes the lines that wait, as the end of the process does. If nobody reads them, it gives up after a second. */
    close,
  };
}

/** One line for each request: time, level, method, path, status, ms. Errors follow with their stack. */
async function prettyFormat(hasColors: boolean): Promise<(json: string) => string> {
  // Only shown to people.
  const { prettyFactory } = await import('pino-pretty');
  return prettyFactory({
    colorize: hasColors,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'requestId,traceId,method,path,status,duration,surface,keyId',
    messageFormat({ msg, requestId, method, path, status, duration }) {
      if (method !== undefined) {
        // A client chooses the path: it must not control the terminal.
        return `${method} ${String(path).replace(/\p{Cc}/gu, '\ufffd')} ${status} ${duration} ms`;
      }
      return requestId === undefined ? String(msg) : `${msg} (request ${requestId})`;
    },
  });
}
