import { type Owner, timeSlices } from '../../../lib/loop/time-slices.ts';
import { findPoints, type HistorySource } from '../../../startups/history/history.ts';
import type { HistoryRequest } from '../../../startups/history/request.ts';
import type { StartupPoint } from '../../../startups/model/point-figures.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';

/** What the loader needs of an operation's context. */
interface Reads extends Owner {
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
  read<T>(work: (source: HistorySource) => Promise<T>): Promise<T>;
}

interface Batch {
  readonly ids: number[];
  readonly points: Promise<ReadonlyMap<number, StartupPoint[]>>;
}

/**
 * Reads the histories of one operation: one read for all startups of a list, which are requested together. It never
 * combines more, so that no result blocks the event loop for long.
 */
export class PointLoader {
  readonly #batches = new Map<string, Batch>();

  /** @param context of the operation, which reads one batch after another. */
  async load(id: number, request: HistoryRequest, context: Reads): Promise<StartupPoint[]> {
    const key = JSON.stringify(request);
    const points = await context.once(`history ${id} ${key}`, () =>
      this.#read(id, key, (ids) => context.read((source) => findPoints(source, ids, request))),
    );
    // The points of ten startups arrive together, and writing those of one takes a few ms.
    await timeSlices.waitForTime(context);
    return points.get(id) ?? [];
  }

  /** The batch of a startup, with its points among others. */
  #read(id: number, key: string, read: (ids: readonly number[]) => Batch['points']): Batch['points'] {
    let batch = this.#batches.get(key);
    if (batch === undefined || batch.ids.length === RECORDS_PER_READ) {
      const ids: number[] = [];
      const readBatch = async (): Batch['points'] => {
        // A list resolves its startups one after another, without a pause.
        await undefined;
        if (this.#batches.get(key)?.ids === ids) {
          this.#batches.delete(key);
        }
        return read(ids);
      };
      batch = { ids, points: readBatch() };
      this.#batches.set(key, batch);
    }
    batch.ids.push(id);
    return batch.points;
  }
}
