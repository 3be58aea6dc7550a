import type { Startup } from '../../../src/db/generated/client/client.ts';
import { EditionMaker, type Made } from '../../../src/startups/catalogue/build.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { EditionData } from '../../../src/startups/catalogue/data.ts';
import type { Memory } from '../../../src/startups/catalogue/memory.ts';
import { RowWriter, type StoredRows } from '../../../src/startups/catalogue/row-writer.ts';
import type { ListRequest } from '../../../src/startups/list-request.ts';
import { finish } from '../../support/steps.ts';
import { copyRowOf } from './copy-row.ts';

/** New memory each time, which the collector frees. */
export const ownMemory: Memory = { take: (bytes) => new ArrayBuffer(bytes), give: () => {} };

/** Makes one edition after another, as the thread that builds them does. */
export class Editions {
  readonly memory: Memory;
  readonly maker: EditionMaker;
  readonly #chunkBytes: number;
  rows: StoredRows | undefined;

  /** @param chunkBytes small, so that texts fill several chunks. */
  constructor(memory: Memory = ownMemory, chunkBytes = 2 ** 14) {
    this.memory = memory;
    this.maker = new EditionMaker(memory);
    this.#chunkBytes = chunkBytes;
  }

  /** An edition of these startups, which are in ascending order of ids. */
  rebuild(list: readonly Startup[], revision = 1, capacity = list.length + 8): Made {
    return this.#write(RowWriter.rebuild(capacity, this.memory, this.rows, this.#chunkBytes), list, revision);
  }

  /** The latest edition with these startups changed or added. */
  update(changed: readonly Startup[], revision = 1): Made {
    return this.#write(RowWriter.update(this.rows as StoredRows, this.memory), changed, revision);
  }

  /** @throws whatever the writer does; the latest edition stays. */
  #write(writer: RowWriter, list: readonly Startup[], revision: number): Made {
    try {
      for (const startup of list) {
        writer.write(copyRowOf(startup));
      }
    } catch (error) {
      writer.abandon();
      throw error;
    }
    const { rows, changed } = writer.finish({
      revision,
      importedAt: null,
      identity: 'a test',
      unrecordedRemovals: 0,
      removals: [],
    });
    this.rows = rows;
    return this.maker.make(rows, changed, 0);
  }
}

/** An edition of some startups. */
export function editionOf(list: readonly Startup[], revision = 1): EditionData {
  return new Editions().rebuild(list, revision).data;
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
