import { RemoteError } from './remote-counter.ts';

/** Work that waits for the same server. All of it ends with the first piece that waits too long. */
export interface Waiting {
  /**
   * Settles with the work.
   *
   * @param ms the longest wait, the same for all that waits at a time.
   * @throws RemoteError once it has ended.
   */
  within<T>(ms: number, work: () => Promise<T>): Promise<T>;
  /** Rejects what waits, and all that comes. */
  end(reason: string): void;
}

interface WaitingOptions {
  /** Told when a piece of work has waited for too long. */
  readonly onOverdue: (ms: number) => void;
  /** Told what a piece of work has failed with. */
  readonly onError: (error: unknown) => void;
  /** A steady clock in ms. */
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
 * had: of a turn of its event loop that took very long, 25 ms count, since a server is not to blame for
 * a node that is busy. For the same reason, answers that have come are read before a verdict.
 */
export function createWaiting(options: WaitingOptions): Waiting {
  const { onOverdue, onError, now = () => performance.now() } = options;
  // In the order in which they came, so that the first is overdue first.
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
