import { LRUCache } from 'lru-cache';

/** A live window as this node last heard of it. What it has used can only have grown since. */
interface KnownWindow {
  used: number;
  /** ms since 1970, by the clock of the server that keeps it. */
  resetAt: number;
  /** The connection over which it was heard of. */
  epoch: number;
}

/** What a node remembers of windows that are kept elsewhere. */
export interface KnownWindows {
  /** Begins an epoch, with every new connection. */
  beginEpoch(): number;
  note(identity: string, window: KnownWindow): void;
  /** @param at ms by the clock of the server. */
  find(identity: string, at: number): KnownWindow | undefined;
}

/** At most so many windows are remembered, those heard of last; some 3 MB. */
const CAPACITY = 20_000;

export function createKnownWindows(capacity: number = CAPACITY): KnownWindows {
  const windows = new LRUCache<string, KnownWindow>({ max: capacity });
  let epochs = 0;
  return {
    beginEpoch() {
      epochs += 1;
      return epochs;
    },
    note(identity, window) {
      windows.set(identity, window);
    },
    find(identity, at) {
      const window = windows.get(identity);
      return window !== undefined && window.resetAt > at ? window : undefined;
    },
  };
}
