import { LRUCache } from 'lru-cache';
import { ApiError } from '../../lib/errors.ts';
import type { Steps } from '../../lib/loop/time-slices.ts';
import { filterKey, type StartupFilter } from '../model/filter.ts';
import type { OwnField } from '../model/own-fields.ts';
import { isSlug, type StartupRecord } from '../model/record.ts';
import type { ChangesRequest } from '../model/requests/changes-request.ts';
import type { ListRequest } from '../model/requests/list-request.ts';
import type { Grouping } from '../model/vocabulary.ts';
import { type ChangeList, findChanges, lastCursor } from './changes/change-list.ts';
import { type ChangesOptions, type ListChanges, PastFigures, packFigures } from './changes/past-figures.ts';
import type { CatalogueData, EditionData } from './edition-data.ts';
import { positionsOfSlugHash } from './order/look-ups.ts';
import type { OrderName } from './order/orders.ts';
import { type Facets, facetsOf, type TechnologyCounts } from './query/facets.ts';
import { type Groups, groupFiguresOf, type Membership, membershipOf } from './query/groups.ts';
import { Matcher } from './query/matcher.ts';
import type { Matches } from './query/relevance.ts';
import { createSearch } from './query/search.ts';
import { StartupList } from './query/startup-list.ts';
import { type Figures, type StatName, type Stats, statsOf } from './query/statistics.ts';
import { countTechnologies } from './query/technologies.ts';
import type { Terms } from './store/codes.ts';
import { detailColumns, findId } from './store/columns.ts';
import { createOwnReader } from './store/own-values.ts';
import { PackedRecord, recordsAt } from './store/packed-record.ts';
import { PackedTexts } from './store/texts.ts';

/** Figures for the whole dataset. */
export interface Dataset {
  /** Changes with every change of a startup; compare it for equality only. */
  readonly version: string;
  /** When the last import finished, in ms since 1970; null if there was none. */
  readonly importedAt: number | null;
  /** The number of startups. */
  readonly total: number;
}

const KEPT_SUMMARIES = 1_000;
/** Few, as one may take several bytes for each startup. */
const KEPT_MEMBERSHIPS = 2;

/**
 * One edition of all startups, as of one moment. It never changes, and every method reads memory only. A newer
 * edition replaces it as a whole.
 */
export class Catalogue {
  /** The number of startups. */
  readonly size: number;
  /** The dataset revision that this edition shows. */
  readonly revision: number;
  /** Of the database, see `EditionData`. */
  readonly identity: string;
  /** When the rows were read, in ms since 1970. */
  readonly readAt: number;
  /** The declared fields, whose values its records have. */
  readonly own: readonly OwnField[];
  readonly #data: CatalogueData;
  readonly #matcher: Matcher;
  readonly #search: ReturnType<typeof createSearch>;
  /** Parts of summaries, each by its kind and its filter. */
  readonly #summaries = new LRUCache<string, object>({ max: KEPT_SUMMARIES });
  /** The groups that startups are in, for the figures of these groups: a request asks for several. */
  readonly #memberships = new LRUCache<string, Membership>({ max: KEPT_MEMBERSHIPS });

  constructor(edition: EditionData) {
    const texts = new PackedTexts(edition.texts);
    const details = new PackedTexts(edition.details, detailColumns);
    this.#data = { ...edition, texts, details, readOwn: createOwnReader(edition, details) };
    this.#matcher = new Matcher(this.#data);
    this.#search = createSearch(this.#data);
    this.size = edition.columns.id.length;
    this.revision = edition.revision;
    this.identity = edition.identity;
    this.readAt = edition.readAt;
    this.own = edition.own;
  }

  /**
   * Part of a list: one page, or the startups after a cursor.
   *
   * @param wants.total whether to count all matches. It may cost more than the page.
   */
  *list(
    request: ListRequest,
    wants: { readonly total: boolean; readonly terms?: Terms },
  ): Steps<StartupList> {
    const matches = yield* this.#matchesOf(request.filter);
    if (request.after !== null && (request.after.isCorrected ?? false) !== (matches?.isCorrected ?? false)) {
      throw new ApiError('BAD_USER_INPUT', 'The cursor is no longer valid for this search', [
        {
          parameter: 'after',
          message: 'startups now match the search differently; start again without a cursor',
        },
      ]);
    }
    const found = yield* this.#matcher.find(request, wants.total, matches);
    return new StartupList({
      data: this.#data,
      matcher: this.#matcher,
      request,
      found,
      matches,
      terms: wants.terms,
    });
  }

  /** The startup with a slug; null for an unknown slug and for text that is not a slug. */
  get(slug: string, terms?: Terms): StartupRecord | null {
    for (const position of isSlug(slug) ? positionsOfSlugHash(this.#data, slug) : []) {
      const record = new PackedRecord(this.#data, position, terms);
      if (record.slug === slug) {
        return record;
      }
    }
    return null;
  }

  /** The startup with an id; null for an unknown one. */
  getById(id: number, terms?: Terms): StartupRecord | null {
    const position = findId(this.#data.columns.id, this.size, id);
    return position === undefined ? null : new PackedRecord(this.#data, position, terms);
  }

  /** The startups at these positions, from `start` up to `end`, in the order in which they were first imported. */
  range(start: number, end: number, terms?: Terms): StartupRecord[] {
    const positions = Uint32Array.from({ length: Math.min(end, this.size) - start }, (_, at) => start + at);
    return recordsAt(this.#data, positions, terms);
  }

  /** How many matching startups have each value, most frequent first. */
  facets(filter: StartupFilter): Steps<Facets> {
    const technologies = (): Steps<TechnologyCounts> =>
      this.#summarize('technologies', filter, (positions) => countTechnologies(this.#data, positions));
    return this.#summarize('facets', filter, (positions) => facetsOf(this.#data, positions, technologies));
  }

  /** Statistics of the matching startups. */
  stats(filter: StartupFilter): Steps<Stats> {
    return this.#summarize('stats', filter, (positions, sorted) => statsOf(this.#data, positions, sorted));
  }

  /** The matching startups by a value, most frequent first. */
  groups(filter: StartupFilter, by: Grouping): Steps<Groups> {
    const membership = (positions: Uint32Array) => this.#membershipOf(filter, by, positions);
    return this.#summarize(`groups ${by}`, filter, function* (positions) {
      return (yield* membership(positions)).groups;
    });
  }

  /** One statistic of each of these groups, in their order. */
  groupFigures(filter: StartupFilter, by: Grouping, name: StatName): Steps<readonly Figures[]> {
    const data = this.#data;
    const membership = (positions: Uint32Array) => this.#membershipOf(filter, by, positions);
    return this.#summarize(`figures ${by} ${name}`, filter, function* (positions, sorted) {
      return yield* groupFiguresOf(data, yield* membership(positions), name, positions, sorted);
    });
  }

  /**
   * Part of the changes of all startups, the latest of each, in the order in which they occurred.
   *
   * @throws ApiError CURSOR_EXPIRED
   */
  changes({ since, first }: ChangesRequest, terms?: Terms): ChangeList {
    return findChanges(this.#data, since, first, terms);
  }

  /** The cursor of a client that has all startups of this edition. */
  get lastCursor(): string {
    return lastCursor(this.#data);
  }

  dataset(): Dataset {
    return { version: String(this.revision), importedAt: this.#data.importedAt, total: this.size };
  }

  /** Part of the figures of all startups, to compare a later edition with; undefined after the last part. */
  packFigures(part: number): Buffer | undefined {
    return packFigures(this.#data, part);
  }

  /** Begins reading figures that an earlier edition packed, maybe that of another node. */
  openPast(): Steps<PastFigures> {
    return PastFigures.open(this.#data);
  }

  /** What has changed of the startups that match a filter, or did; see {@link PastFigures.changes}. */
  *changesSince(past: PastFigures, filter: StartupFilter, options: ChangesOptions): Steps<ListChanges> {
    const matches = yield* this.#matchesOf(filter);
    const now = yield* this.#matcher.conditions(filter, matches);
    return yield* past.changes(now, yield* this.#matcher.conditions(filter, matches, past.data), options);
  }

  /** What the search of a filter finds; undefined if it has none. */
  *#matchesOf({ search }: StartupFilter): Steps<Matches | undefined> {
    return search === undefined ? undefined : yield* this.#search(search);
  }

  /** @param positions of the startups that match the filter. */
  *#membershipOf(filter: StartupFilter, by: Grouping, positions: Uint32Array): Steps<Membership> {
    const key = `${by} ${filterKey(filter)}`;
    const membership = this.#memberships.get(key) ?? (yield* membershipOf(this.#data, by, positions));
    this.#memberships.set(key, membership);
    return membership;
  }

  /**
   * A summary of the matching startups, made once.
   *
   * @param make is given their positions, ascending, and what sorts them.
   */
  *#summarize<T extends object>(
    kind: string,
    filter: StartupFilter,
    make: (positions: Uint32Array, sorted: (order: OrderName) => Steps<Uint32Array>) => Steps<T>,
  ): Steps<T> {
    const key = `${kind} ${filterKey(filter)}`;
    let summary = this.#summaries.get(key) as T | undefined;
    if (summary === undefined) {
      const matches = yield* this.#matchesOf(filter);
      const positions = yield* this.#matcher.unsorted(filter, matches);
      yield;
      summary = yield* make(positions, (order) => this.#matcher.sorted(filter, order, matches));
      this.#summaries.set(key, summary);
    }
    return summary;
  }
}
