/**
 * Runs work once after a delay. Injected wherever work repeats, so that tests control the time.
 *
 * @param ms the delay.
 * @returns a function that cancels the work if it has not begun.
 */
export type Schedule = (work: () => Promise<void>, ms: number) => () => void;

/** Schedules by the timers of this process. */
export const schedule: Schedule = (work, ms) => {
  const timer = setTimeout(() => void work(), ms);
  return () => clearTimeout(timer);
};
