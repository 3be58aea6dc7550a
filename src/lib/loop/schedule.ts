/**
 * Runs work once after a delay. Injected wherever work repeats, so that tests control the time.
 *
 * @param ms the delay.
 * @returns a function that cancels the work if it has not begun.
 */
export type Schedule = (work: () => Promise<void>, ms: number) => () => void;

export const schedule: Schedule = (work, ms) => {
  const timer = setTimeout(() => void work(), ms);
  return () => clearTimeout(timer);
};

/**
 * Repeats work until that is stopped.
 *
 * @param work gives the pause before it is repeated, in ms, and does not reject. `stop` aborts its signal.
 * @param first the pause before it runs for the first time, in ms.
 * @param scheduleNext how pauses are waited for; by the timers of this process by default.
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<number>,
  first: number,
  scheduleNext: Schedule = schedule,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();
  const run = (): Promise<void> => {
    running = work(signal).then((pause) => {
      if (!signal.aborted) {
        cancel = scheduleNext(run, pause);
      }
    });
    return running;
  };
  let cancel = scheduleNext(run, first);
  return {
    /** Ends the repetition, and waits until work that runs has ended. */
    async stop(): Promise<void> {
      cancel();
      stopping.abort();
      await running;
    },
  };
}

const FIRST_MS = 60_000;
const DAY_MS = 86_400_000;
/** After a failure, such as that of the database. */
const RETRY_MS = 600_000;

/**
 * Repeats work: after a minute, so that a node that is often restarted does it too, and then once a day, or ten minutes
 * after a failure.
 *
 * @param options.schedule how the next time is waited for; by the timers of this process by default.
 */
export function repeatDaily(options: {
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly schedule?: Schedule | undefined;
}) {
  const repeated = async (signal: AbortSignal): Promise<number> => {
    try {
      await options.work(signal);
      return DAY_MS;
    } catch (error) {
      options.onError(error);
      return RETRY_MS;
    }
  };
  return repeat(repeated, FIRST_MS, options.schedule);
}
