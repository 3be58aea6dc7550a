import type { ThreadConnection } from '../../db/open.ts';
import { type Build, type CatalogueBuilder, createBuilder } from './builder.ts';
import { Catalogue } from './catalogue.ts';

/** The dependencies of a catalogue that is kept up to date. */
interface LiveOptions {
  /** ms of a monotonic clock. */
  readonly now: () => number;
  /** Called for background builds that failed. They are retried; meanwhile the last catalogue stays in use. */
  readonly onError: (error: unknown) => void;
}

/** The minimum interval between background builds, which also take at most half of the time. */
const INTERVAL_MS = 1_000;
/** No builds start while this many editions are held. */
const MOST_EDITIONS = 4;

interface Edition {
  readonly catalogue: Catalogue;
  /** The number of pins that hold it. */
  pins: number;
  /** Releases the memory that no later edition uses. */
  release(): void;
}

/** An edition of the catalogue that is held for an operation. */
interface PinnedCatalogue {
  readonly catalogue: Catalogue;
  /** Ends the hold. After that, do not use the catalogue or anything read from it. */
  release(): void;
}

/**
 * Opens the catalogue of a database, built in a separate thread.
 *
 * @param options.connect opens a connection for that thread; called again after a connection was lost.
 * @throws any error that makes the first build fail.
 */
export async function openCatalogue(
  options: LiveOptions & { readonly connect: () => ThreadConnection },
): Promise<LiveCatalogue> {
  const builder = createBuilder(options.connect);
  try {
    return await LiveCatalogue.open(builder, options);
  } catch (error) {
    await builder.close();
    throw error;
  }
}

/** The catalogue in use, replaced as a whole when the dataset has changed. */
export class LiveCatalogue {
  readonly #builder: CatalogueBuilder;
  readonly #options: LiveOptions;
  /** The editions in use, the newest last. */
  readonly #editions: Edition[];
  /** When a background build may start again. */
  #nextAt: number;
  #running: Promise<void> | undefined;
  /** The latest revision that was reported. */
  #noticed: number;
  /** When the first revision that the current catalogue lacks was reported. */
  #lackingSince: number | undefined;
  /** When the first revision that the build in progress may also lack was reported. */
  #lackingNextSince: number | undefined;
  #closed = false;
  /** Whether the current edition may belong to another history of the database. */
  #isSuspect = false;

  private constructor(builder: CatalogueBuilder, options: LiveOptions, first: Edition, nextAt: number) {
    this.#builder = builder;
    this.#options = options;
    this.#editions = [first];
    this.#nextAt = nextAt;
    this.#noticed = first.catalogue.revision;
  }

  static async open(builder: CatalogueBuilder, options: LiveOptions): Promise<LiveCatalogue> {
    // Changes made while the first edition was built need not wait.
    return new LiveCatalogue(builder, options, toEdition(await builder.build()), options.now());
  }

  /** The newest edition, for use within one synchronous step. For anything longer, {@link pin} it. */
  current(): Catalogue {
    return this.#newest.catalogue;
  }

  /** Holds the newest edition: its memory is not reused until the hold is released. */
  pin(): PinnedCatalogue {
    const edition = this.#newest;
    edition.pins += 1;
    let isReleased = false;
    return {
      catalogue: edition.catalogue,
      release: () => {
        if (!isReleased) {
          isReleased = true;
          edition.pins -= 1;
          this.#releaseUnused();
        }
      },
    };
  }

  /** For how long, in ms, the catalogue has been known to lack a change; 0 if it is up to date. */
  get age(): number {
    return this.#lackingSince === undefined ? 0 : this.#options.now() - this.#lackingSince;
  }

  /**
   * Reports the dataset's revision. Call this several times a second, also if the revision has not changed.
   *
   * @param isContinuous false if the current edition may be of another history: everything is then read again.
   */
  notify(revision: number, isContinuous = true): void {
    const isNew = revision !== this.#noticed || !isContinuous;
    this.#isSuspect ||= !isContinuous;
    this.#noticed = revision;
    if (this.#running !== undefined) {
      if (isNew) {
        this.#lackingNextSince ??= this.#options.now();
      }
      return;
    }
    if (revision === this.current().revision && !this.#isSuspect) {
      this.#lackingSince = undefined;
      return;
    }
    const now = this.#options.now();
    this.#lackingSince ??= now;
    if (now >= this.#nextAt && !this.#closed && this.#editions.length < MOST_EDITIONS) {
      // Shutting down the server is not a build failure.
      this.#build().catch((error) => this.#closed || this.#options.onError(error));
    }
  }

  get #newest(): Edition {
    return this.#editions.at(-1) as Edition;
  }

  /** Stops the builds. The current catalogue remains usable. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#builder.close();
  }

  #build(): Promise<void> {
    const startedAt = this.#options.now();
    const isAnew = this.#isSuspect;
    this.#isSuspect = false;
    const ended = (nextAt: number): void => {
      this.#running = undefined;
      this.#nextAt = nextAt;
    };
    this.#running = this.#replace(isAnew).then(
      () => ended(afterBuild(startedAt, this.#options.now())),
      (error: unknown) => {
        // There is no pause after a failure.
        ended(startedAt + INTERVAL_MS);
        this.#isSuspect ||= isAnew;
        throw error;
      },
    );
    return this.#running;
  }

  async #replace(isAnew: boolean): Promise<void> {
    try {
      if (this.#closed) {
        throw new Error('The catalogue is closed.');
      }
      const edition = toEdition(await this.#builder.build(isAnew), isAnew ? undefined : this.current());
      this.#editions.push(edition);
      this.#releaseUnused();
      const { catalogue } = edition;
      this.#lackingSince = this.#noticed === catalogue.revision ? undefined : this.#lackingNextSince;
    } catch (error) {
      this.#lackingSince ??= this.#lackingNextSince;
      throw error;
    } finally {
      this.#lackingNextSince = undefined;
    }
  }

  /** Oldest first: memory that an edition shares with the previous one is free only after both are. */
  #releaseUnused(): void {
    while (this.#editions[0] !== this.#newest && this.#editions[0]?.pins === 0) {
      const oldest = this.#editions.shift();
      oldest?.catalogue.retire();
      oldest?.release();
    }
  }
}

function toEdition({ data, release }: Build, before?: Catalogue): Edition {
  return { catalogue: new Catalogue(data, before), pins: 0, release };
}

/** When a background build may start again: a long build is followed by an equally long pause. */
function afterBuild(startedAt: number, endedAt: number): number {
  return Math.max(startedAt + INTERVAL_MS, endedAt + (endedAt - startedAt));
}
