import type { ThreadConnection } from '../../db/open.ts';
import { type Build, type CatalogueBuilder, createBuilder } from './builder.ts';
import { Catalogue } from './catalogue.ts';

/** What keeping a catalogue up to date needs. */
interface LiveOptions {
  /** ms of a clock that nobody sets. */
  readonly now: () => number;
  /** Called for builds in the background that failed. They are repeated; meanwhile the last catalogue stays. */
  readonly onError: (error: unknown) => void;
}

/** Builds in the background start at most so often, and never take more than half of the time. */
const INTERVAL_MS = 1_000;
/** No builds while so many editions are held. */
const MOST_EDITIONS = 4;

interface Edition {
  readonly catalogue: Catalogue;
  /** How many pins hold it. */
  pins: number;
  /** Gives back the memory that no later edition uses. */
  release(): void;
}

/** An edition of the catalogue that is held for an operation. */
interface PinnedCatalogue {
  readonly catalogue: Catalogue;
  /** Ends the hold. After that, neither the catalogue nor anything read from it may be used. */
  release(): void;
}

/**
 * Opens the catalogue of a database, built in a thread of its own.
 *
 * @param options.connect a connection for that thread; asked again when one was lost.
 * @throws whatever keeps the first build from succeeding.
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

/** The catalogue in use, replaced as a whole whenever the dataset has moved on. */
export class LiveCatalogue {
  readonly #builder: CatalogueBuilder;
  readonly #options: LiveOptions;
  /** Those in use, the newest last. */
  readonly #editions: Edition[];
  /** When the background may build again. */
  #nextAt: number;
  #running: Promise<void> | undefined;
  /** The revision last noticed. */
  #noticed: number;
  /** When the first revision was noticed that the current catalogue lacks. */
  #lackingSince: number | undefined;
  /** When the first one was noticed that the build under way may lack, too. */
  #lackingNextSince: number | undefined;
  #closed = false;
  /** Whether the current edition may be of another history of the database. */
  #isSuspect = false;

  private constructor(builder: CatalogueBuilder, options: LiveOptions, first: Edition, nextAt: number) {
    this.#builder = builder;
    this.#options = options;
    this.#editions = [first];
    this.#nextAt = nextAt;
    this.#noticed = first.catalogue.revision;
  }

  static async open(builder: CatalogueBuilder, options: LiveOptions): Promise<LiveCatalogue> {
    // What changed while the first one was built need not wait.
    return new LiveCatalogue(builder, options, toEdition(await builder.build()), options.now());
  }

  /** The newest edition, to look at within one synchronous step. For anything longer, {@link pin} it. */
  current(): Catalogue {
    return this.#newest.catalogue;
  }

  /** Holds the newest edition: its memory is not used again until it is released. */
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

  /** For how long, in ms, the catalogue has been known to lack a change; 0 when it is up to date. */
  get age(): number {
    return this.#lackingSince === undefined ? 0 : this.#options.now() - this.#lackingSince;
  }

  /**
   * Tells the dataset's revision. To be called several times a second, also when it has not changed.
   *
   * @param isContinuous false where the current edition may be of another history: everything is read again then.
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
      // The end of the server is no failure of a build.
      this.#build().catch((error) => this.#closed || this.#options.onError(error));
    }
  }

  get #newest(): Edition {
    return this.#editions.at(-1) as Edition;
  }

  /** Ends the builds. The current catalogue keeps answering. */
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
        // Nobody rests after a failure.
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

  /** In their order, oldest first: what an edition shares with the one before it is free after both. */
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

/** When the background may build again after a build: a long one is followed by as long a rest. */
function afterBuild(startedAt: number, endedAt: number): number {
  return Math.max(startedAt + INTERVAL_MS, endedAt + (endedAt - startedAt));
}
