/**
 * Tells numbers that come again soon from those that do not. What comes once is mostly never asked for
 * again, and keeping it would push out what is, and cost more than it saves.
 *
 * @param size about how many are remembered; they are forgotten by chance, not in order.
 * @returns whether a number from 1 to 2^32 − 1 was told before, which it is from now on; 0 always was.
 */
export function createRecentlySeen(size: number): (value: number) => boolean {
  const values = new Uint32Array(size);
  return (value) => {
    const place = value % size;
    const isKnown = values[place] === value;
    values[place] = value;
    return isKnown;
  };
}
