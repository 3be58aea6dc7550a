import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { EditionData } from '../../../src/startups/catalogue/edition-data.ts';
import { EditionMaker } from '../../../src/startups/catalogue/load/edition-maker.ts';
import {
  detailColumns,
  detailFields,
  plainColumns,
  textColumns,
} from '../../../src/startups/catalogue/store/columns.ts';
import { CopyRow } from '../../../src/startups/catalogue/store/copy-row.ts';
import {
  RowBetweenOthers,
  RowWriter,
  type StoredRows,
} from '../../../src/startups/catalogue/store/row-writer.ts';
import { NOTHING, PackedTexts } from '../../../src/startups/catalogue/store/texts.ts';
import { tableFields } from '../../../src/startups/model/fields.ts';
import { type Place, readCursor } from '../../../src/startups/model/requests/cursor.ts';
import type { ListRequest } from '../../../src/startups/model/requests/list-request.ts';
import type { StartupSort } from '../../../src/startups/model/vocabulary.ts';
import { expectedList } from '../../support/model/rules.ts';
import { searched } from '../../support/model/search.ts';
import { finish } from '../../support/steps.ts';

/** Makes one edition after another, as the thread that builds them does. */
export class Editions {
  readonly #maker = new EditionMaker();
  readonly #chunkBytes: number;
  rows: StoredRows | undefined;
  /** How often rows came between others. */
  betweenOthers = 0;

  /** @param chunkBytes small, so that texts fill several chunks. */
  constructor(chunkBytes = 2 ** 14) {
    this.#chunkBytes = chunkBytes;
  }

  /** An edition of these startups, which are in ascending order of ids. */
  rebuild(list: readonly Startup[], revision = 1, capacity = list.length + 8): EditionData {
    return this.#write(
      new RowWriter({ capacity, known: this.rows, chunkBytes: this.#chunkBytes, own: [] }),
      list,
      revision,
    );
  }

  /** The latest edition with these startups changed or added, and those with some ids removed. */
  update(changed: readonly Startup[], revision = 1, removed: readonly number[] = []): EditionData {
    return this.#write(new RowWriter({ base: this.rows as StoredRows, own: [] }), changed, revision, removed);
  }

  /** @throws whatever the writer does; the latest edition stays. */
  #write(
    writer: RowWriter,
    list: readonly Startup[],
    revision: number,
    removed: readonly number[] = [],
  ): EditionData {
    const writeAll = (): void => {
      for (const startup of list) {
        writer.write(copyRowOf(startup));
      }
    };
    try {
      writeAll();
    } catch (error) {
      if (!(error instanceof RowBetweenOthers)) {
        throw error;
      }
      this.betweenOthers += 1;
      writer.makeRoom(list.map(({ id }) => id).filter((id) => id < (writer.lastId ?? 0)));
      writeAll();
    }
    writer.remove(new Set(removed));
    this.rows = writer.finish({
      revision,
      importedAt: null,
      serverStart: null,
      identity: 'a test',
      unrecordedRemovals: 0,
      removals: [],
      own: [],
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
  const page = finish(catalogue.list(request, { total: wantsTotal }));
  return { ids: idsOf(page.page), total: page.meta.total, hasMore: page.hasMore };
}

export const idsOf = (list: readonly { id: number }[]): number[] => list.map(({ id }) => id);

/**
 * Walks a list by cursors to its end, and back to its beginning: it has every startup once, where a plain reading of the
 * rules has it.
 */
export function expectWalk(
  catalogue: Catalogue,
  rows: readonly Startup[],
  { total: wantsTotal, ...asked }: Pick<Asked, 'filter' | 'limit' | 'total'> & { readonly sort: StartupSort },
): void {
  const { filter, sort, limit } = asked;
  const expected = idsOf(expectedList(rows, filter, sort));
  const isCorrected = filter.search !== undefined && searched(rows, filter.search).isCorrected;
  const pageAfter = (cursor: string | null) => {
    const after = cursor === null ? null : (readCursor(cursor, filter, sort) as Place);
    const page = finish(catalogue.list({ ...asked, page: null, after }, { total: wantsTotal }));
    expect(page.meta.total).toBe(wantsTotal ? expected.length : undefined);
    expect(page.meta.corrected).toBe(isCorrected);
    expect(finish(page.hasPrevious())).toBe(cursor !== null);
    return page;
  };
  const cursors: (string | null)[] = [null];
  for (let more = true; more; ) {
    const page = pageAfter(cursors.at(-1) as string | null);
    const offset = (cursors.length - 1) * limit;
    expect(idsOf(page.page)).toEqual(expected.slice(offset, offset + limit));
    more = page.hasMore;
    cursors.push(...(more ? [page.endCursor()] : []));
    expect(more).toBe(expected.length > offset + limit);
  }
  for (const [at, cursor] of [...cursors.entries()].toReversed()) {
    expect(idsOf(pageAfter(cursor).page)).toEqual(expected.slice(at * limit, (at + 1) * limit));
  }
}

/** What an edition holds, without what depends on how it came about: where texts are packed, and memory. */
export function contentOf({
  columns,
  texts: chunks,
  details: detailChunks,
  bytes: _bytes,
  replacedBytes: _replacedBytes,
  ...others
}: EditionData) {
  const { texts: units, details: detailUnits, ...numbers } = columns;
  const packed = new PackedTexts(chunks);
  const texts = Array.from(units, (unit) => packed.read(unit));
  const packedDetails = new PackedTexts(detailChunks, detailColumns);
  const details = Array.from(detailUnits, (unit) => (unit === NOTHING ? null : packedDetails.read(unit)));
  return { ...others, columns: numbers, texts, details };
}

/** As `toEqual`, which takes seconds to find that long arrays of numbers are equal. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    expect(actual).toEqual(expected);
  }
}

const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

const kinds = new Map<string, string>([
  ['id', 'count'],
  ['revision', 'cents'],
  ['createdAt', 'date'],
  ['updatedAt', 'date'],
  ['priceReducedAt', 'date'],
  ...tableFields.map(({ property, kind }): [string, string] => [property, kind]),
]);

/** A startup as a binary COPY of the selected columns gives it. */
function copyRowOf(startup: Startup): CopyRow {
  const { askingPrice, previousAskingPrice, askingPriceChangedAt } = startup;
  const isReduced = askingPrice !== null && previousAskingPrice !== null && askingPrice < previousAskingPrice;
  const selected = {
    ...startup,
    priceReducedAt: isReduced ? askingPriceChangedAt : null,
    askingPriceChangedAt: previousAskingPrice === null ? null : askingPriceChangedAt,
  };
  const names = [...plainColumns.map(({ name }) => name), ...textColumns];
  const values = [
    ...names.map((name) => encode(kinds.get(name) as string, selected[name as keyof Startup])),
    ...detailFields.map(({ property }) => encodeDetail(selected[property as keyof Startup])),
    null,
  ];
  const fields = values.flatMap((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value?.length ?? -1);
    return value === null ? length : [length, value];
  });
  const row = new CopyRow();
  row.set(Buffer.concat(fields));
  return row;
}

/** A detail as the selected expression gives it. */
function encodeDetail(value: unknown): Buffer | null {
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return null;
  }
  return Buffer.from(String(value instanceof Date ? value.getTime() : value));
}

/** The bytes of eight. */
const inEight = (write: (bytes: Buffer) => unknown): Buffer => {
  const bytes = Buffer.alloc(8);
  write(bytes);
  return bytes;
};
const encoders: Record<string, (value: never) => Buffer> = {
  count: (value: number) => inEight((bytes) => bytes.writeInt32BE(value)).subarray(0, 4),
  cents: (value: bigint) => inEight((bytes) => bytes.writeBigInt64BE(value)),
  date: (value: Date) => encode('cents', BigInt(value.getTime() - POSTGRES_EPOCH_MS) * 1000n) as Buffer,
  percent: (value: number) => inEight((bytes) => bytes.writeDoubleBE(value)),
  boolean: (value: boolean) => Buffer.of(Number(value)),
};

function encode(kind: string, value: unknown): Buffer | null {
  return value === null ? null : (encoders[kind] ?? Buffer.from)(value as never);
}
