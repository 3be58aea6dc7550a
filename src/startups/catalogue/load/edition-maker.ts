import { digestOfIdentity } from '../../model/requests/changes-request.ts';
import { packRemovals } from '../changes/removed-startups.ts';
import type { EditionData } from '../edition-data.ts';
import { allPositions, numberNames } from '../order/names.ts';
import { type ArrangedData, arrangeAll, rank } from '../order/orders.ts';
import { type Columns, detailColumns, type StoredColumns } from '../store/columns.ts';
import type { NumberArray } from '../store/memory.ts';
import type { StoredRows } from '../store/row-writer.ts';
import type { WrittenTexts } from '../store/text-writer.ts';
import { PackedTexts, type TextData } from '../store/texts.ts';
import { indexTechnologies, indexWords } from '../store/word-collector.ts';
import { GONE, mergeWords, type WordIndex } from '../store/word-index.ts';

interface Edition extends ArrangedData, Pick<EditionData, 'search' | 'technologies'> {
  readonly buffers: ReadonlySet<ArrayBufferLike>;
}

/**
 * Builds successive editions from stored rows. What depends on several records is made anew, unless the columns that it is
 * made of are those of the previous edition.
 */
export class EditionMaker {
  #latest: Edition | undefined;

  /** @param readAt when the rows were read, in ms since 1970. */
  make(rows: StoredRows, readAt: number): EditionData {
    const before = this.#latest;
    const stored = cut(rows.columns, rows.length);
    const texts = new PackedTexts(rows.texts);
    const changes = before && textChanges(before.columns, stored, 'texts');
    const name =
      changes && hasSameNames(before, texts, stored, changes.changed)
        ? before.columns.name
        : numberNames(texts, stored.texts);
    const columns: Columns = { ...stored, name };
    const sorted = { columns, texts };
    const arranged = { ...sorted, orders: arrangeAll(sorted, rows.own, before) };
    const ranks = rank(arranged);
    const all = allPositions(rows.length);
    const search = updatedWords(before?.search, changes, (positions = all) =>
      indexWords(texts, stored, positions),
    );
    const details = new PackedTexts(rows.details, detailColumns);
    const detailChanges = before && textChanges(before.columns, stored, 'details');
    const technologies = updatedWords(before?.technologies, detailChanges, (positions = all) =>
      indexTechnologies(details, stored.details, positions),
    );
    const packed = { texts: dataOf(rows.texts), details: dataOf(rows.details) };
    const parts = [columns, arranged.orders, search, technologies];
    const arrays = [ranks, ...parts.flatMap<NumberArray>(Object.values)];
    const chunks = packed.texts.chunks.concat(packed.details.chunks);
    const buffers = new Set([
      ...arrays.map(({ buffer }) => buffer),
      ...chunks.filter((chunk) => chunk !== undefined),
    ]);
    const replaced = [...(before?.buffers ?? [])].filter((buffer) => !buffers.has(buffer));
    this.#latest = { ...arranged, search, technologies, buffers };
    return {
      revision: rows.revision,
      readAt,
      importedAt: rows.importedAt,
      columns,
      ...packed,
      ranks,
      orders: arranged.orders,
      removals: packRemovals(rows.removals, arranged),
      search,
      technologies,
      unrecordedRemovals: rows.unrecordedRemovals,
      identity: digestOfIdentity(rows.identity),
      own: rows.own,
      bytes: bytesOf([...buffers]),
      replacedBytes: bytesOf(replaced),
    };
  }
}

/**
 * The words of an edition, made of those of the earlier one; if no texts have changed, the same.
 *
 * @param index makes the words of the records at some positions, by default all.
 */
function updatedWords(
  before: WordIndex | undefined,
  changes: TextChanges | undefined,
  index: (positions?: Uint32Array) => WordIndex,
): WordIndex {
  if (before === undefined || changes === undefined) {
    return index();
  }
  const { moved, changed } = changes;
  const isSameIndex = changed.length === 0 && moved.every((position, earlier) => position === earlier);
  return isSameIndex ? before : mergeWords(before, moved, index(changed));
}

/** Which records of an earlier edition have the same texts as now, and which records have others. */
interface TextChanges {
  /** By earlier position: the position now, or {@link GONE}. */
  readonly moved: Int32Array;
  /** Positions now, ascending. */
  readonly changed: Uint32Array;
}

function textChanges(before: Columns, now: StoredColumns, packed: 'texts' | 'details'): TextChanges {
  const { id, [packed]: units } = now;
  const unitsBefore = before[packed];
  const moved = new Int32Array(before.id.length).fill(GONE);
  const changed: number[] = [];
  let earlier = 0;
  for (let position = 0; position < id.length; position += 1) {
    while (earlier < moved.length && (before.id[earlier] as number) < (id[position] as number)) {
      earlier += 1;
    }
    if (before.id[earlier] === id[position] && unitsBefore[earlier] === units[position]) {
      moved[earlier] = position;
    } else {
      changed.push(position);
    }
  }
  return { moved, changed: Uint32Array.from(changed) };
}

/** Whether an edition has the records of the earlier one, with the names that they had. */
function hasSameNames(
  before: Edition,
  texts: PackedTexts,
  columns: StoredColumns,
  changed: Uint32Array,
): boolean {
  const nameAt = (from: PackedTexts, units: Uint32Array, position: number) =>
    from.foldedName(units[position] as number);
  return (
    before.columns.id.length === columns.id.length &&
    changed.every(
      (position) =>
        before.columns.id[position] === columns.id[position] &&
        nameAt(before.texts, before.columns.texts, position) === nameAt(texts, columns.texts, position),
    )
  );
}

function dataOf({ chunks, chunkBytes }: WrittenTexts): TextData {
  return { chunks, chunkBytes };
}

function bytesOf(buffers: readonly ArrayBufferLike[]): number {
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** The columns as far as they are filled. */
function cut(columns: StoredColumns, length: number): StoredColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.subarray(0, length)]),
  ) as unknown as StoredColumns;
}
