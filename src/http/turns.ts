/**
 * So many requests begin in one turn of the event loop; more would keep those waiting that the database has
 * answered meanwhile.
 */
const PER_TURN = 32;

/**
 * Lets requests begin in the order in which they came, some in each turn; returns what waits for one's turn.
 * Those of a turn go on in step, each from one await to the next, so that the code between is in the
 * processor's caches for all but the first of them.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function begin(): void {
    for (const resolve of waiting.splice(0, PER_TURN)) {
      resolve();
    }
    if (waiting.length > 0) {
      setImmediate(begin);
    }
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) {
        setImmediate(begin);
      }
    });
}
