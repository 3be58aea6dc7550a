import type { Counter } from './counter.ts';
import type { MemoryCounter } from './memory-counter.ts';
import { type RemoteCounter, RemoteError } from './remote-counter.ts';

/** Called with the reason, without any secret, when counting falls back to memory, and again when it returns. */
export type FallbackListener = (active: boolean, reason: string) => void;

interface FallbackOptions {
  /** Tries once; rejects with RemoteError if no counter is available. */
  readonly connect: () => Promise<RemoteCounter>;
  readonly local: MemoryCounter;
  /** The number of nodes that share the remote counter. */
  readonly nodes: number;
  readonly onFallback: FallbackListener;
}

export interface FallbackCounter {
  readonly counter: Counter;
  /** Whether it counts in this process's memory. */
  isActive(): boolean;
  close(): void;
}

/** ms from an error to the first attempt at a new connection; doubled with each failed attempt. */
const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 2_000;
/** A connection that lasted this long, in ms, counts as stable. */
const STEADY_MS = 10_000;

/**
 * Opens a counter that uses a remote one and, from its first error until a new connection works,
 * counts in this process's memory with the limit divided by the nodes, but at least 1. While it does,
 * no request waits for the remote counter, and nothing is queued to be sent to it later.
 *
 * Reservations admitted in memory stay there: after the return, the remote window continues from its
 * last state. The windows in memory continue as well, through any number of errors. So one remote window admits
 * no more than its limit, and one window in memory no more than the node's share.
 *
 * Resolves after the first attempt, whatever its outcome.
 */
export async function openFallbackCounter(options: FallbackOptions): Promise<FallbackCounter> {
  const { connect, local, nodes, onFallback } = options;
  let remote: RemoteCounter | undefined;
  let isActive = false;
  let isClosed = false;
  let connectedAt = Number.NEGATIVE_INFINITY;
  let delay = FIRST_DELAY_MS;
  let timer: NodeJS.Timeout | undefined;

  async function attempt(): Promise<void> {
    let opened: RemoteCounter;
    try {
      opened = await connect();
    } catch (error) {
      fallBack(error instanceof RemoteError ? error.message : 'the connection failed');
      return;
    }
    if (isClosed) {
      opened.close();
      return;
    }
    remote = opened;
    connectedAt = performance.now();
    opened.down.then(fallBack);
    if (isActive) {
      isActive = false;
      onFallback(false, 'it answers again');
    }
  }

  function fallBack(reason: string): void {
    if (isClosed) {
      return;
    }
    if (remote !== undefined && performance.now() - connectedAt >= STEADY_MS) {
      delay = FIRST_DELAY_MS;
    }
    remote = undefined;
    timer = setTimeout(attempt, delay);
    delay = Math.min(delay * 2, LAST_DELAY_MS);
    if (!isActive) {
      isActive = true;
      onFallback(true, reason);
    }
  }

  const share = (limit: number): number => Math.max(1, Math.floor(limit / nodes));

  /** The remote answer, or the local one if there is none. */
  function either<T>(ask: (counter: Counter) => T | Promise<T>, askLocal: () => T): T | Promise<T> {
    if (remote === undefined) {
      return askLocal();
    }
    const answer = ask(remote.counter);
    if (!(answer instanceof Promise)) {
      return answer;
    }
    return answer.catch((error: unknown) => {
      if (error instanceof RemoteError) {
        return askLocal();
      }
      throw error;
    });
  }

  await attempt();
  return {
    counter: {
      reserve: (identity, cost, limit) =>
        either(
          (counter) => counter.reserve(identity, cost, limit),
          () => local.reserve(identity, cost, share(limit)),
        ),
      reserveAll: (buckets, cost) =>
        either(
          (counter) => counter.reserveAll(buckets, cost),
          () =>
            local.reserveAll(
              buckets.map(({ identity, limit }) => ({ identity, limit: share(limit) })),
              cost,
            ),
        ),
      peek: (identity, limit) =>
        remote === undefined ? local.peek(identity, share(limit)) : remote.counter.peek(identity, limit),
      findExhausted: (identity, limit) =>
        remote === undefined
          ? local.findExhausted(identity, share(limit))
          : remote.counter.findExhausted(identity, limit),
    },
    isActive: () => isActive,
    close() {
      isClosed = true;
      clearTimeout(timer);
      remote?.close();
      remote = undefined;
    },
  };
}
