import { RemoteError } from './remote-counter.ts';

/** Work that waits for the same server. The first piece that waits too long ends all of it. */
export interface Waiting {
  /**
   * Settles with the work.
   *
   * @param ms the longest wait, the same for all work that waits at the same time.
   * @throws RemoteError once it has ended.
   */
  within<T>(ms: number, work: () => Promise<T>): Promise<T>;
  /** Rejects all waiting and future work. */
  end(reason: string): void;
}

interface WaitingOptions {
  /** Called when a piece of work has waited for too long. */
  readonly onOverdue: (ms: number) => void;
  /** Called with the error of a piece of work. */
  readonly onError: (error: unknown) => void;
  /** A monotonic clock in ms. */
  readonly now?: () => number;
}

interface Piece {
  readonly ms: number;
  readonly until: number;
  reject(reason: string): void;
}

const TICK_MS = 10;
const LONGEST_TICK_MS = 25;

/**
 * Creates a watch over work that waits for one server. Waits are measured in time that this process
 * could run: a turn of its event loop counts as at most 25 ms, since the server is not responsible for
 * a busy node. For the same reason, answers that have arrived are read before a time-out is decided.
 */
export function createWaiting(options: WaitingOptions): Waiting {
  const { onOverdue, onError, now = () => performance.now() } = options;
  // In order of arrival, so that the first one is due first.
  const pieces = new Set<Piece>();
  let ended: string | undefined;
  let elapsed = 0;
  let tickedAt = 0;
  let ticker: NodeJS.Timeout | undefined;

  function tick(): void {
    const at = now();
    elapsed += Math.min(at - tickedAt, LONGEST_TICK_MS);
    tickedAt = at;
    if (pieces.size === 0) {
      clearInterval(ticker);
      ticker = undefined;
      return;
    }
    setImmediate(() => {
      const [first] = pieces;
      if (first !== undefined && first.until <= elapsed) {
        onOverdue(first.ms);
      }
    });
  }

  function add(piece: Piece): void {
    pieces.add(piece);
    if (ticker === undefined) {
      tickedAt = now();
      ticker = setInterval(tick, TICK_MS);
    }
  }

  return {
    within(ms, work) {
      return new Promise((resolve, reject) => {
        if (ended !== undefined) {
          reject(new RemoteError(ended));
          return;
        }
        const piece: Piece = {
          ms,
          until: elapsed + ms,
          reject: (reason) => reject(new RemoteError(reason)),
        };
        add(piece);
        work().then((value) => {
          pieces.delete(piece);
          resolve(value);
        }, onError);
      });
    },
    end(reason) {
      ended ??= reason;
      for (const piece of pieces) {
        piece.reject(ended);
      }
      pieces.clear();
      clearInterval(ticker);
    },
  };
}
