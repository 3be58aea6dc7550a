import { DIGEST_LENGTH, digestOf } from '../digest.ts';
import { prepare } from '../graphql/prepare.ts';
import type { Catalogue } from '../startups/catalogue/catalogue.ts';
import { startupFieldList } from '../startups/fields.ts';
import type { StartupRecord } from '../startups/record.ts';
import type { ReadRecord, RecordReader } from '../startups/rows.ts';
import type { Startups } from '../startups/startups.ts';
import { RECORDS_DOCUMENT } from './documents.ts';
import { choiceFields, restNames } from './spelling.ts';
import { createTextStore, type StoredText } from './text-store.ts';

/** A record as REST gives it. */
export interface RestRecord extends ReadRecord {
  readonly text: RecordText;
  /** What the text was written from, as long as the text is not kept. */
  readonly source?: StartupRecord;
}

/**
 * A record in JSON, written once: its digest, then the record without its rank, which changes with other
 * records, and without its last brace.
 */
interface RecordText extends StoredText {
  readonly id: number;
  readonly slug: string;
  readonly revision: number;
  /** Where the digest begins in the bytes. */
  readonly start: number;
  /** Where the rank belongs. */
  readonly rankAt: number;
  /** Where what only a detail record has begins and ends. */
  readonly detailsAt: number;
  readonly end: number;
}

/** The record of a detail in JSON. */
export function detailJson({ text, rank }: RestRecord): string {
  const { bytes, start, rankAt, end } = text;
  return `${bytes.toString('utf8', start + DIGEST_LENGTH, rankAt)}${rank}${bytes.toString('utf8', rankAt, end)}}`;
}

/** The records of a list in JSON, between two other texts. */
export function listJson(before: string, records: readonly RestRecord[], after: string): Buffer {
  const sizes = records.map(({ text, rank }) => text.detailsAt - text.start + String(rank).length);
  // There is room: a brace and a comma are shorter than the digest.
  const size = sizes.reduce((sum, one) => sum + one, before.length + Buffer.byteLength(after));
  // Not from the pool of small buffers, in which an answer that is kept would keep what is not.
  const json = Buffer.allocUnsafeSlow(size);
  let end = json.write(before, 'latin1');
  for (const [index, { text, rank }] of records.entries()) {
    const { bytes, start, rankAt, detailsAt } = text;
    end += index === 0 ? 0 : json.write(',', end, 'latin1');
    end += bytes.copy(json, end, start + DIGEST_LENGTH, rankAt);
    end += json.write(String(rank), end, 'latin1');
    end += bytes.copy(json, end, rankAt, detailsAt);
    end += json.write('}', end, 'latin1');
  }
  end += json.write(after, end);
  return json.subarray(0, end);
}

/** The entity tag of a record. */
export function tagOf({ text: { bytes, start }, rank }: RestRecord): string {
  return `${bytes.toString('latin1', start, start + DIGEST_LENGTH)}-${rank}`;
}

/**
 * Creates a reader of records in JSON, most of them from memory. What is not is executed by GraphQL: what
 * was read is handed to its resolvers.
 *
 * @param options.capacity in bytes of JSON; 0: nothing is kept.
 */
export function createRestRecords(options: {
  readonly rows: RecordReader;
  readonly capacity: number;
}): RecordReader<RestRecord> {
  const { rows, capacity } = options;
  /** Ids by the slugs of the texts that are kept. */
  const ids = new Map<string, number>();
  const texts = createTextStore<RecordText>({ capacity, onDrop: forgetSlug });

  function forgetSlug({ id, slug }: RecordText): void {
    if (ids.get(slug) === id) {
      ids.delete(slug);
    }
  }

  function find(id: number | undefined, catalogue: Catalogue): RestRecord | undefined {
    const text = id === undefined ? undefined : texts.get(id);
    return text !== undefined && text.revision === catalogue.revisionOf(text.id)
      ? { id: text.id, revision: text.revision, rank: catalogue.rank(text.id), text }
      : undefined;
  }

  async function readAll<K extends number | string>(
    keys: readonly K[],
    toId: (key: K) => number | undefined,
    read: (missing: K[]) => Promise<(StartupRecord | undefined)[]>,
    catalogue: Catalogue,
  ): Promise<(RestRecord | undefined)[]> {
    const records = keys.map((key) => find(toId(key), catalogue));
    if (!records.includes(undefined)) {
      return records;
    }
    const places = [...records.keys()].filter((place) => records[place] === undefined);
    const found = await read(places.map((place) => keys[place] as K));
    const written = await writeRecords(found);
    for (const [index, place] of places.entries()) {
      const source = found[index];
      if (source !== undefined) {
        const { id, revision, rank } = source;
        records[place] = { id, revision, rank, text: toText(source, written[index] as string), source };
      }
    }
    return records;
  }

  /** The text of a record, kept where there is room. */
  function toText({ id, slug, revision, rank }: StartupRecord, json: string): RecordText {
    const known = texts.get(id);
    if (known !== undefined && known.revision === Number(revision)) {
      // Another request has written it meanwhile.
      return known;
    }
    const rankAt = json.indexOf(RANK) + RANK.length;
    const afterRankAt = rankAt + String(rank).length;
    const detailsAt = json.indexOf(DETAILS, afterRankAt);
    const beforeRank = json.slice(0, rankAt);
    const afterRank = json.slice(afterRankAt, detailsAt);
    const withoutRank = `${beforeRank}${afterRank}${json.slice(detailsAt, -1)}`;
    const text = texts.add(id, `${digestOf(withoutRank)}${withoutRank}`, (bytes, start) => {
      const rankStart = start + DIGEST_LENGTH + Buffer.byteLength(beforeRank);
      return {
        bytes,
        id,
        slug,
        revision: Number(revision),
        start,
        rankAt: rankStart,
        detailsAt: rankStart + Buffer.byteLength(afterRank),
        end: start + DIGEST_LENGTH + Buffer.byteLength(withoutRank),
      };
    });
    if (texts.get(id) === text) {
      if (known !== undefined) {
        forgetSlug(known);
      }
      ids.set(slug, id);
    }
    return text;
  }

  return {
    byIds: (wanted, catalogue) =>
      readAll(
        wanted,
        (id) => id,
        (missing) => rows.byIds(missing, catalogue),
        catalogue,
      ),
    bySlugs: (wanted, catalogue) =>
      readAll(
        wanted,
        (slug) => ids.get(slug),
        (missing) => rows.bySlugs(missing, catalogue),
        catalogue,
      ),
    // A text that was kept is never newer than its catalogue.
    passes: ({ source }, filter) => source !== undefined && rows.passes(source, filter),
  };
}

const execute = prepare(RECORDS_DOCUMENT);
const [firstDetail] = startupFieldList.filter(({ shape }) => shape === 'detail');
// Names of fields: in the text of a value their quotes would be escaped.
const RANK = '"rank":';
const DETAILS = `,"${firstDetail?.path}":`;

/** Detail records in JSON; null in JSON for each that is gone. */
async function writeRecords(sources: readonly (StartupRecord | undefined)[]): Promise<string[]> {
  // It gives what was read, whatever slugs it is asked for.
  const getBySlugs = async () => sources.map((source) => source ?? null);
  const startups = { getBySlugs } as Partial<Startups> as Startups;
  const { startupsBySlug } = await execute({ slugs: [] }, { requestId: '', startups });
  const records = startupsBySlug as ({ [field: string]: unknown } | null)[];
  for (const record of records.filter((one) => one !== null)) {
    // The result is ours to change.
    for (const field of choiceFields) {
      const value = record[field];
      if (typeof value === 'string') {
        record[field] = restNames.get(value);
      }
    }
  }
  return records.map((record) => JSON.stringify(record));
}
