import { isDeepStrictEqual } from 'node:util';
import type { OwnField } from '../model/own-fields.ts';
import { Catalogue } from './catalogue.ts';
import type { CatalogueBuilder } from './load/catalogue-builder.ts';
import { UnusedMemory } from './store/memory.ts';

interface LiveOptions {
  /** ms of a monotonic clock. */
  readonly now: () => number;
  /** Called for background builds that failed. They are retried; meanwhile the last catalogue stays in use. */
  readonly onError: (error: unknown) => void;
}

/** The minimum interval between background builds, which also take at most half of the time. */
const INTERVAL_MS = 1_000;

/** The catalogue in use, replaced as a whole when the dataset has changed. */
export type LiveCatalogue = Awaited<ReturnType<typeof openCatalogue>>;

/**
 * Builds the first edition, then others as they are needed.
 *
 * @throws any error that makes the first build fail; the builder is closed then.
 */
export async function openCatalogue(builder: CatalogueBuilder, { now, onError }: LiveOptions) {
  const unused = new UnusedMemory();
  let current: Catalogue;
  try {
    current = new Catalogue(await builder.build());
  } catch (error) {
    await builder.close();
    throw error;
  }
  /** When a background build may start again. Changes made while the first edition was built need not wait. */
  let nextAt = now();
  let isBuilding = false;
  /** The latest revision that was reported. */
  let noticed = current.revision;
  /** When the first revision that the current catalogue lacks was reported. */
  let lackingSince: number | undefined;
  /** When the first revision that the build in progress may also lack was reported. */
  let lackingNextSince: number | undefined;
  let isClosed = false;
  /** Whether the current edition may belong to another history of the database. */
  let isSuspect = false;

  async function build(): Promise<void> {
    const startedAt = now();
    const isAnew = isSuspect;
    isSuspect = false;
    isBuilding = true;
    try {
      const edition = await builder.build(isAnew);
      current = new Catalogue({ ...edition, own: sameIfEqual(current.own, edition.own) });
      unused.add(edition.replacedBytes, edition.bytes);
      lackingSince = noticed <= edition.revision && !isSuspect ? undefined : lackingNextSince;
      // A long build is followed by an equally long pause.
      nextAt = Math.max(startedAt + INTERVAL_MS, 2 * now() - startedAt);
    } catch (error) {
      lackingSince ??= lackingNextSince;
      isSuspect ||= isAnew;
      // There is no pause after a failure.
      nextAt = startedAt + INTERVAL_MS;
      // Shutting down the server is not a build failure.
      if (!isClosed) {
        onError(error);
      }
    } finally {
      lackingNextSince = undefined;
      isBuilding = false;
    }
  }

  return {
    /** The newest edition, which never changes. Keep it no longer than needed: an edition takes much memory. */
    current: () => current,
    /** For how long, in ms, the catalogue has been known to lack a change; 0 if it is up to date. */
    get age() {
      return lackingSince === undefined ? 0 : now() - lackingSince;
    },
    /** The current edition may be of another history of the database: the next `notify` has everything read again. */
    reset() {
      isSuspect = true;
      // No revision is this one.
      noticed = Number.NaN;
    },
    /** Reports the dataset's revision. Call this several times a second, also if the revision has not changed. */
    notify(revision: number) {
      const isNew = revision !== noticed;
      noticed = revision;
      if (isBuilding) {
        if (isNew) {
          lackingNextSince ??= now();
        }
        return;
      }
      // A lower one was read before the edition was: one of another history is reported to `reset` first.
      if (revision <= current.revision && !isSuspect) {
        lackingSince = undefined;
        return;
      }
      lackingSince ??= now();
      if (now() >= nextAt && !isClosed) {
        void build();
      }
    },
    /** Stops the builds. The current catalogue remains usable. */
    async close() {
      isClosed = true;
      await builder.close();
    },
  };
}

/** The earlier declarations if they are equal: what was made of them is found by them. */
function sameIfEqual(before: readonly OwnField[], now: readonly OwnField[]): readonly OwnField[] {
  return isDeepStrictEqual(before, now) ? before : now;
}
