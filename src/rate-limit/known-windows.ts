import { LRUCache } from 'lru-cache';

/** A live window as last reported to this node. Its use can only have grown since. */
interface KnownWindow {
  used: number;
  /** ms since 1970, by the clock of the server that stores it. */
  resetAt: number;
  /** The connection that reported it. */
  epoch: number;
}

/** A node's cache of windows that are stored elsewhere. */
export interface KnownWindows {
  /** Begins an epoch, with every new connection. */
  beginEpoch(): number;
  note(identity: string, window: KnownWindow): void;
  /** @param at ms by the clock of the server. */
  find(identity: string, at: number): KnownWindow | undefined;
}

/** The most cached windows, the most recent ones; some 3 MB. */
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
