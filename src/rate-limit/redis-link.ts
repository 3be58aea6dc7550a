import { Redis } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';
import { RemoteError } from './remote-counter.ts';
import { createWaiting } from './waiting.ts';
import {
  readAnswer,
  WINDOW_SCRIPT,
  WINDOW_SCRIPT_SHA,
  type WindowAnswer,
  type WindowQuestion,
  writeArguments,
} from './window-script.ts';

/** One connection to Redis. It is used until its first error of any kind, and then never again. */
export interface RedisLink {
  /**
   * Runs the window script once.
   *
   * @throws RemoteError, within the time-out, if there is no reliable answer. Whether it
   *   was counted is then unknown.
   */
  ask(question: WindowQuestion): Promise<WindowAnswer>;
  /** Redis's clock in ms since 1970, as estimated here: a little ahead rather than behind. */
  now(): number;
  /** Resolves with the reason once the link has failed; never for {@link close}. */
  readonly down: Promise<string>;
  close(): void;
}

interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** The prefix of the keys. */
  readonly prefix: string;
  /** The longest wait for an answer, in ms. */
  readonly timeoutMs: number;
}

/** The longest wait, in ms, for a connection that answers; no request waits for it. */
const OPEN_MS = 1_000;

/** After this time, in ms, the caller has certainly stopped waiting. */
const ABANDONED_MS = 250;

/** The error code of a server's refusal. The rest of its message may contain parts of the request. */
const REFUSALS =
  /\b(OOM|NOAUTH|WRONGPASS|NOPERM|LOADING|READONLY|MISCONF|BUSY|MASTERDOWN|CLUSTERDOWN|MOVED|NOREPLICAS|WRONGTYPE|ERR)\b/;

/**
 * A client that is not connected yet. It neither reconnects, queues nor sends anything twice: a reservation that a
 * node gave up on must not be made later.
 */
export function createRedisClient(address: RedisAddress): Redis {
  return new Redis({
    host: address.host,
    port: address.port,
    db: address.database,
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.isEncrypted ? { tls: {} } : {}),
    lazyConnect: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: OPEN_MS,
    // A server that hangs does not answer a close either.
    disconnectTimeout: 1,
    keepAlive: 10_000,
    disableClientInfo: true,
  });
}

/**
 * Connects, loads the script and counts once on a separate key that expires at once: a server that accepts
 * connections but cannot count, because it is loading, full or read-only, is unusable.
 *
 * @throws RemoteError with the reason; it never contains any part of the address.
 */
export async function openRedisLink({ address, prefix, timeoutMs }: RedisLinkOptions): Promise<RedisLink> {
  const redis = createRedisClient(address);
  let reportDown: (reason: string) => void = () => {};
  const down = new Promise<string>((resolve) => {
    reportDown = resolve;
  });
  // The offset from this process's monotonic clock to that of Redis, or a little more: it is computed
  // from when a request was sent, not from when its answer was read, which may have been much later.
  let offset = 0;
  let hasEnded = false;
  const waiting = createWaiting({
    onOverdue: (ms) => end(`no answer within ${ms} ms`),
    onError: (error) => end(describeError(error)),
  });

  function end(reason: string, report = reportDown): void {
    if (!hasEnded) {
      hasEnded = true;
      redis.disconnect();
      report(reason);
      waiting.end(reason);
    }
  }

  redis.on('error', (error: unknown) => end(describeError(error)));
  redis.on('close', () => end('the connection was closed'));

  async function run(question: WindowQuestion, deadline: number): Promise<WindowAnswer> {
    const keys = question.windows.map(({ key }) => key);
    const values = writeArguments(question, deadline);
    const sentAt = performance.now();
    let reply: unknown;
    try {
      reply = await redis.evalsha(WINDOW_SCRIPT_SHA, keys.length, ...keys, ...values);
    } catch (error) {
      // Nothing ran, so this is no second reservation; it also loads the script again.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) {
        throw error;
      }
      reply = await redis.eval(WINDOW_SCRIPT, keys.length, ...keys, ...values);
    }
    const answer = readAnswer(reply, keys.length);
    if (answer.isLate) {
      throw new RemoteError('it answered too late');
    }
    offset = answer.now - sentAt;
    return answer;
  }

  await waiting.within(OPEN_MS, async () => {
    await redis.connect();
    await redis.script('LOAD', WINDOW_SCRIPT);
    const limit = Number.MAX_SAFE_INTEGER;
    const windows = [{ key: `${prefix}~probe`, limit, remembered: undefined }];
    await run({ windows, cost: 1, windowMs: 1 }, 0);
  });
  const now = () => performance.now() + offset;
  return {
    ask: (question) => waiting.within(timeoutMs, () => run(question, Math.ceil(now() + ABANDONED_MS))),
    now,
    down,
    close: () => end('closed', () => {}),
  };
}

function describeError(error: unknown): string {
  if (error instanceof RemoteError) {
    return error.message;
  }
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') {
    return code;
  }
  const refusal = REFUSALS.exec(String(message))?.[1];
  return refusal === undefined ? 'the connection failed' : `it refused: ${refusal}`;
}
