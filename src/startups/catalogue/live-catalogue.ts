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
export class LiveCatalogue {
  readonly #builder: CatalogueBuilder;
  readonly #options: LiveOptions;
  readonly #unused = new UnusedMemory();
  #current: Catalogue;
  /** When a background build may start again. */
  #nextAt: number;
  #isBuilding = false;
  /** The latest revision that was reported. */
  #noticed: number;
  /** When the first revision that the current catalogue lacks was reported. */
  #lackingSince: number | undefined;
  /** When the first revision that the build in progress may also lack was reported. */
  #lackingNextSince: number | undefined;
  #closed = false;
  /** Whether the current edition may belong to another history of the database. */
  #isSuspect = false;

  private constructor(builder: CatalogueBuilder, options: LiveOptions, first: Catalogue, nextAt: number) {
    this.#builder = builder;
    this.#options = options;
    this.#current = first;
    this.#nextAt = nextAt;
    this.#noticed = first.revision;
  }

  /** @throws any error that makes the first build fail; the builder is closed then. */
  static async open(builder: CatalogueBuilder, options: LiveOptions): Promise<LiveCatalogue> {
    try {
      // Changes made while the first edition was built need not wait.
      return new LiveCatalogue(builder, options, new Catalogue(await builder.build()), options.now());
    } catch (error) {
      await builder.close();
      throw error;
    }
  }

  /** The newest edition, which never changes. Keep it no longer than needed: an edition takes much memory. */
  current(): Catalogue {
    return this.#current;
  }

  /** For how long, in ms, the catalogue has been known to lack a change; 0 if it is up to date. */
  get age(): number {
    return this.#lackingSince === undefined ? 0 : this.#options.now() - this.#lackingSince;
  }

  /** The current edition may be of another history of the database: the next {@link notify} has everything read again. */
  reset(): void {
    this.#isSuspect = true;
    // No revision is this one.
    this.#noticed = Number.NaN;
  }

  /** Reports the dataset's revision. Call this several times a second, also if the revision has not changed. */
  notify(revision: number): void {
    const isNew = revision !== this.#noticed;
    this.#noticed = revision;
    if (this.#isBuilding) {
      if (isNew) {
        this.#lackingNextSince ??= this.#options.now();
      }
      return;
    }
    // A lower one was read before the edition was: one of another history is reported to `reset` first.
    if (revision <= this.#current.revision && !this.#isSuspect) {
      this.#lackingSince = undefined;
      return;
    }
    const now = this.#options.now();
    this.#lackingSince ??= now;
    if (now >= this.#nextAt && !this.#closed) {
      void this.#build();
    }
  }

  /** Stops the builds. The current catalogue remains usable. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#builder.close();
  }

  async #build(): Promise<void> {
    const startedAt = this.#options.now();
    const isAnew = this.#isSuspect;
    this.#isSuspect = false;
    this.#isBuilding = true;
    try {
      const edition = await this.#builder.build(isAnew);
      this.#current = new Catalogue(edition);
      this.#unused.add(edition.replacedBytes, edition.bytes);
      const isCurrent = this.#noticed <= edition.revision && !this.#isSuspect;
      this.#lackingSince = isCurrent ? undefined : this.#lackingNextSince;
      // A long build is followed by an equally long pause.
      const endedAt = this.#options.now();
      this.#nextAt = Math.max(startedAt + INTERVAL_MS, 2 * endedAt - startedAt);
    } catch (error) {
      this.#lackingSince ??= this.#lackingNextSince;
      this.#isSuspect ||= isAnew;
      // There is no pause after a failure.
      this.#nextAt = startedAt + INTERVAL_MS;
      // Shutting down the server is not a build failure.
      if (!this.#closed) {
        this.#options.onError(error);
      }
    } finally {
      this.#lackingNextSince = undefined;
      this.#isBuilding = false;
    }
  }
}
