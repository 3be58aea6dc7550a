import { performance } from 'node:perf_hooks';
import { defaultSort } from './filter.ts';
import type { StartupRows } from './rows.ts';
import type { CatalogueSource } from './startups.ts';

const BATCH_SIZE = 50;
/**
 * In ms: between two batches, while there is little else to do, and while there is much, since requests come
 * first; and before all is looked through again, or the database asked again when it has failed.
 */
const PAUSE = { idle: 10, busy: 100, rest: 5_000 };
const BUSY_FROM = 0.5;

/**
 * Reads rows in the order that lists have by default, until there is no more room: at first all of them, then
 * what has changed.
 *
 * @returns stops it.
 */
export function startReadAhead(
  rows: Pick<StartupRows, 'readAhead'>,
  catalogue: Pick<CatalogueSource, 'current' | 'use'>,
  pause = PAUSE,
): () => void {
  const filter = {};
  const sort = defaultSort(filter);
  let work = performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function later(ms: number, step: () => void): void {
    if (!isStopped) {
      timer = setTimeout(step, ms).unref();
    }
  }

  /** @param since the dataset revision that this round began with. */
  async function read(offset: number, since: number): Promise<void> {
    let goesOn: boolean;
    let hasMore = false;
    try {
      goesOn = await catalogue.use(async () => {
        const current = catalogue.current();
        const found = current.find({ filter, sort, limit: BATCH_SIZE, total: false, offset });
        hasMore = found.hasMore;
        return rows.readAhead(found.ids, current);
      });
    } catch {
      // Until the database answers again, rows are read when they are asked for.
      later(pause.rest, () => read(offset, since));
      return;
    }
    if (goesOn && hasMore) {
      const { utilization } = performance.eventLoopUtilization(work);
      work = performance.eventLoopUtilization();
      later(utilization < BUSY_FROM ? pause.idle : pause.busy, () => read(offset + BATCH_SIZE, since));
    } else if (goesOn) {
      later(pause.rest, () => lookAgain(since));
    }
  }

  function lookAgain(last: number | undefined): void {
    const { revision } = catalogue.current();
    if (revision === last) {
      later(pause.rest, () => lookAgain(last));
    } else {
      void read(0, revision);
    }
  }

  later(pause.idle, () => lookAgain(undefined));
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
