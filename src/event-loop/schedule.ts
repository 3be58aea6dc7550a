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
  const { work, onError, schedule: scheduleNext = schedule } = options;
  const stop = new AbortController();
  let running = Promise.resolve();
  const run = async (): Promise<void> => {
    let pause = DAY_MS;
    try {
      await work(stop.signal);
    } catch (error) {
      onError(error);
      pause = RETRY_MS;
    }
    if (!stop.signal.aborted) {
      cancel = scheduleNext(start, pause);
    }
  };
  const start = (): Promise<void> => {
    running = run();
    return running;
  };
  let cancel = scheduleNext(start, FIRST_MS);
  return {
    /** Aborts the signal of the work, and waits until the work has ended. */
    async stop(): Promise<void> {
      cancel();
      stop.abort();
      await running;
    },
  };
}
