import type { PrismaClient } from '../db/generated/client/client.ts';
import { findPoints, type PointColumns, type StartupPoint } from '../startups/history/points.ts';
import type { HistoryRequest } from '../startups/history/request.ts';
import { MAX_LIMIT } from '../startups/list-parameters.ts';
import { timeSlices } from '../time-slices.ts';

interface Batch {
  readonly ids: Set<number>;
  readonly points: Promise<ReadonlyMap<number, StartupPoint[]>>;
}

/**
 * Reads the histories of one operation: one read for all startups of a list, which are requested together. It never
 * combines more, so that no result blocks the event loop for long.
 */
export class PointLoader {
  readonly #batches = new Map<string, Batch>();

  /** @param owner its signal ends the wait; the pool cancels a statement whose result is no longer needed. */
  async load(
    id: number,
    request: HistoryRequest,
    columns: PointColumns,
    owner: { readonly prisma: PrismaClient; readonly signal: AbortSignal },
  ): Promise<StartupPoint[]> {
    const key = JSON.stringify([request, columns]);
    let batch = this.#batches.get(key);
    if (batch === undefined || (batch.ids.size === MAX_LIMIT && !batch.ids.has(id))) {
      const ids = new Set<number>();
      const read = async (): Promise<ReadonlyMap<number, StartupPoint[]>> => {
        // A list resolves its startups one after another, without a pause.
        await undefined;
        if (this.#batches.get(key)?.ids === ids) {
          this.#batches.delete(key);
        }
        return untilAborted(findPoints(owner.prisma, [...ids], request, columns, owner.signal), owner.signal);
      };
      batch = { ids, points: read() };
      this.#batches.set(key, batch);
    }
    batch.ids.add(id);
    const points = await batch.points;
    // The points of ten startups arrive together, and writing those of one takes a few ms.
    await timeSlices.waitForTime(owner);
    return points.get(id) ?? [];
  }
}

/** The result of work, unless the signal is aborted first. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
    } else {
      signal.addEventListener('abort', abort, { once: true });
    }
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
