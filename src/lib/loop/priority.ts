import { getPriority, setPriority } from 'node:os';
import { platform } from 'node:process';

/** A Unix nice value: with few cores, a thread gets a third of the event loop's share. */
const PRIORITY = 5;

/** Lowers the priority of this thread, so that requests go first. This works only on Linux, and may be forbidden there. */
export function yieldToRequests(): void {
  try {
    if (platform === 'linux' && getPriority() < PRIORITY) {
      setPriority(PRIORITY);
    }
  } catch {
    // The thread also works without it.
  }
}
