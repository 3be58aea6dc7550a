import type { Startup } from '../../../src/db/generated/client/client.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { EditionData } from '../../../src/startups/catalogue/edition-data.ts';
import { EditionMaker } from '../../../src/startups/catalogue/load/edition-maker.ts';
import { RowWriter, type StoredRows } from '../../../src/startups/catalogue/store/row-writer.ts';
import type { ListRequest } from '../../../src/startups/model/requests/list-request.ts';
import { finish } from '../../support/steps.ts';
import { copyRowOf } from './copy-row.ts';

/** Makes one edition after another, as the thread that builds them does. */
export class Editions {
  readonly #maker = new EditionMaker();
  readonly #chunkBytes: number;
  rows: StoredRows | undefined;

  /** @param chunkBytes small, so that texts fill several chunks. */
  constructor(chunkBytes = 2 ** 14) {
    this.#chunkBytes = chunkBytes;
  }

  /** An edition of these startups, which are in ascending order of ids. */
  rebuild(list: readonly Startup[], revision = 1, capacity = list.length + 8): EditionData {
    return this.#write(RowWriter.rebuild(capacity, this.rows, this.#chunkBytes), list, revision);
  }

  /** The latest edition with these startups changed or added, and those with some ids removed. */
  update(changed: readonly Startup[], revision = 1, removed: readonly number[] = []): EditionData {
    return this.#write(RowWriter.update(this.rows as StoredRows), changed, revision, removed);
  }

  /** @throws whatever the writer does; the latest edition stays. */
  #write(
    writer: RowWriter,
    list: readonly Startup[],
    revision: number,
    removed: readonly number[] = [],
  ): EditionData {
    for (const startup of list) {
      writer.write(copyRowOf(startup));
    }
    writer.remove(new Set(removed));
    this.rows = writer.finish({
      revision,
      importedAt: null,
      serverStart: null,
      identity: 'a test',
      unrecordedRemovals: 0,
      removals: [],
    });
    return this.#maker.make(this.rows, 0);
  }
}

/** An edition of some startups. */
export function editionOf(list: readonly Startup[], revision = 1): EditionData {
  return new Editions().rebuild(list, revision);
}

/** A catalogue of some startups. */
export function catalogueOf(list: readonly Startup[], revision = 1): Catalogue {
  return new Catalogue(editionOf(list, revision));
}

/** What is asked of a list: from the first page on, unless said otherwise. */
export type Asked = Pick<ListRequest, 'filter' | 'sort' | 'limit'> &
  Partial<ListRequest> & { readonly total: boolean };

/** What a list finds. */
export function find(
  catalogue: Catalogue,
  { total: wantsTotal, ...asked }: Asked,
): { ids: number[]; total: number | undefined; hasMore: boolean } {
  const request = { page: asked.after ? null : 1, after: null, ...asked };
  const { records, total, hasMore } = finish(catalogue.list(request, { total: wantsTotal }));
  return { ids: records.map(({ id }) => id), total, hasMore };
}
