/**
 * So many requests begin in one turn of the event loop. If all did that have come, what the database answers
 * would be looked at only when each of them had been worked on, and those that wait for it would take twice
 * as long as the others.
 */
const PER_TURN = 16;

/** Lets requests begin in the order in which they came, a few in each turn; returns what waits for one's turn. */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  /** How many may begin when the event loop comes to it. */
  let called = 0;

  function call(): void {
    for (; called < Math.min(PER_TURN, waiting.length); called += 1) {
      setImmediate(begin);
    }
  }

  function begin(): void {
    called -= 1;
    waiting.shift()?.();
    call();
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      call();
    });
}
