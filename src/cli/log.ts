import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

interface LogOptions extends Pick<Config, 'logLevel' | 'logFormat'> {
  readonly stream: Writable;
  /** Whether the stream is a terminal: text for people there, JSON for programs elsewhere. */
  readonly isTerminal: boolean;
  readonly hasColors: boolean;
}

/** Opens the log of a server: lines of JSON, or of text for people. */
export async function openLog(options: LogOptions): Promise<Logger> {
  const { stream, isTerminal, logLevel, logFormat = isTerminal ? 'pretty' : 'json' } = options;
  const format = logFormat === 'pretty' ? await prettyFormat(options.hasColors) : (json: string) => json;
  const destination: DestinationStream = { write: (json) => void stream.write(format(json)) };
  return pino({ level: logLevel, base: null }, destination);
}

/** One line for each request: time, level, method, path, status, ms. Errors follow with their stack. */
async function prettyFormat(hasColors: boolean): Promise<(json: string) => string> {
  // Only shown to people.
  const { prettyFactory } = await import('pino-pretty');
  return prettyFactory({
    colorize: hasColors,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'requestId,method,path,status,duration,surface,keyId',
    messageFormat({ msg, requestId, method, path, status, duration }) {
      if (method !== undefined) {
        return `${method} ${printable(path)} ${status} ${duration} ms`;
      }
      return requestId === undefined ? String(msg) : `${msg} (request ${requestId})`;
    },
  });
}

/** A client chooses the path: it must not control the terminal. */
function printable(path: unknown): string {
  return String(path).replace(/\p{Cc}/gu, '\ufffd');
}
