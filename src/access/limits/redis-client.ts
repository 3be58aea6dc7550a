import { Redis } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';
import { WINDOW_SCRIPT } from './window-script.ts';

/** A client with the script of windows as a command. ioredis loads it, and again if the server lost it. */
type RedisClient = Redis & {
  countWindows(keys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
};

/** The error code of a server's refusal. The rest of its message may contain parts of the request. */
const REFUSALS =
  /\b(OOM|NOAUTH|WRONGPASS|NOPERM|LOADING|READONLY|MISCONF|BUSY|MASTERDOWN|CLUSTERDOWN|MOVED|NOREPLICAS|WRONGTYPE|ERR)\b/;

/** From a failure to the next connection, in ms. */
const RETRY_MS = 250;

/** How ioredis rejects calls on a connection that is closed, or that closes. */
const CLOSED = /^(Connection is closed|Reached the max retries|Stream isn't writeable)/;

/** Why a call has no reliable answer. Its message may be shown to operators: it contains no secret. */
export class CallError extends Error {
  override readonly name = 'CallError';
}

/**
 * Connects, and connects again after each failure. Calls are neither queued nor sent twice: a reservation that a node
 * gave up on must not be made later.
 *
 * @param connectMs the longest wait, in ms, for a connection.
 */
export function connectRedis(address: RedisAddress, connectMs: number): RedisClient {
  const redis = new Redis({
    ...address,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RETRY_MS,
    connectTimeout: connectMs,
    // A server that hangs does not answer a close either.
    disconnectTimeout: 1,
    keepAlive: 10_000,
    disableClientInfo: true,
    scripts: { countWindows: { lua: WINDOW_SCRIPT } },
  });
  return redis as RedisClient;
}

const STEPS = 4;

/**
 * Settles with a call, or rejects after `ms` in which this process could run. ioredis's `commandTimeout` would blame
 * Redis for the time in which this process was busy, and reject answers that have arrived meanwhile. Here, a turn of the
 * event loop counts as a quarter of the time at most, and answers are read before the time is over.
 *
 * @throws CallError when the time is over.
 */
export function within<T>(ms: number, call: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let steps = STEPS;
    const timer = setTimeout(() => {
      steps -= 1;
      if (steps > 0) {
        timer.refresh();
      } else {
        setImmediate(reject, new CallError(`no answer within ${ms} ms`));
      }
    }, ms / STEPS);
    call.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The reason of an error, without any part of the address or of a request. */
export function describeError(error: unknown): string {
  if (error instanceof CallError) {
    return error.message;
  }
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') {
    return code;
  }
  const refusal = REFUSALS.exec(String(message))?.[1];
  if (refusal !== undefined) {
    return `it refused: ${refusal}`;
  }
  return CLOSED.test(String(message)) ? 'the connection was closed' : 'the connection failed';
}
