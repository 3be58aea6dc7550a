import { copyOf, createByteStore, type Room } from '../byte-store.ts';
import { DIGEST_LENGTH } from '../digest.ts';
import { prepare } from '../graphql/prepare.ts';
import type { Catalogue } from '../startups/catalogue/catalogue.ts';
import type { StartupRecord } from '../startups/record.ts';
import { knownOrRead, type ReadRecord, type RecordReader } from '../startups/rows.ts';
import type { Startups } from '../startups/startups.ts';
import { RECORDS_DOCUMENT } from './documents.ts';
import { RANK, RecordText, writeText } from './record-text.ts';

/** A record as REST gives it. */
export interface RestRecord extends ReadRecord {
  readonly text: RecordText;
  /** What the text was written from, where it was not kept. */
  readonly source?: StartupRecord;
}

/** The record of a detail in JSON, between two other texts of ASCII. */
export function detailJson(before: string, record: RestRecord, after: string): Buffer {
  const { text } = record;
  const json = Buffer.allocUnsafe(before.length + roomOf(record, text.end) + after.length);
  const begin = json.write(before, 'latin1');
  const end = writeRecord(json, begin, record, text.end);
  return json.subarray(0, end + json.write(after, end, 'latin1'));
}

/** The records of a list in JSON, between two other texts, the first of ASCII. */
export function listJson(before: string, records: readonly RestRecord[], after: string): Buffer {
  const rooms = records.map((record) => roomOf(record, record.text.detailsAt));
  const size = rooms.reduce((sum, one) => sum + one, before.length + Buffer.byteLength(after));
  // Not from the pool of small buffers, in which an answer that is kept would keep what is not.
  const json = Buffer.allocUnsafeSlow(size);
  let end = json.write(before, 'latin1');
  for (const [index, record] of records.entries()) {
    end += index === 0 ? 0 : json.write(',', end, 'latin1');
    end = writeRecord(json, end, record, record.text.detailsAt);
  }
  end += json.write(after, end);
  return json.subarray(0, end);
}

/** What a record takes in JSON, at most: the name of the rank, a brace and a comma are shorter than the digest. */
function roomOf({ text, rank }: RestRecord, end: number): number {
  return end - text.start + String(rank).length;
}

/** Writes a record, of its text what comes before `end`; returns where it ends in the JSON. */
function writeRecord(json: Buffer, begin: number, { text, rank }: RestRecord, end: number): number {
  const { bytes, start, rankAt } = text;
  let at = begin + bytes.copy(json, begin, start + DIGEST_LENGTH, rankAt);
  at += json.write(`${RANK}${rank}`, at, 'latin1');
  at += bytes.copy(json, at, rankAt, end);
  return at + json.write('}', at, 'latin1');
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
  const texts = createByteStore({ capacity, onDrop: forgetSlug });

  function forgetSlug(id: number, room: Room): void {
    const { slug } = new RecordText(room);
    if (ids.get(slug) === id) {
      ids.delete(slug);
    }
  }

  function find(id: number | undefined, catalogue: Catalogue): RestRecord | undefined {
    const room = id === undefined ? undefined : texts.find(id);
    if (id === undefined || room === undefined) {
      return undefined;
    }
    const { revision, size } = new RecordText(room);
    return revision === catalogue.revisionOf(id)
      ? { id, revision, rank: catalogue.rank(id), text: new RecordText(copyOf(room, size)) }
      : undefined;
  }

  async function write(sources: readonly (StartupRecord | undefined)[]): Promise<(RestRecord | undefined)[]> {
    const written = await writeRecords(sources);
    return sources.map((source, index) => {
      if (source === undefined) {
        return undefined;
      }
      const { id, revision, rank } = source;
      return { id, revision, rank, text: toText(source, written[index] as string), source };
    });
  }

  /** The text of a record, kept where there is room. */
  function toText({ id, slug, revision }: StartupRecord, json: string): RecordText {
    const known = texts.find(id);
    if (known !== undefined) {
      const text = new RecordText(known);
      if (text.revision === Number(revision)) {
        // Another request has written it meanwhile.
        return new RecordText(copyOf(known, text.size));
      }
      forgetSlug(id, known);
    }
    const text = writeText(json, Number(revision));
    if (texts.put(id, text.room, text.size)) {
      ids.set(slug, id);
    }
    return text;
  }

  return {
    byIds: (wanted, catalogue) =>
      knownOrRead(
        wanted,
        (id) => find(id, catalogue),
        async (missing) => write(await rows.byIds(missing, catalogue)),
      ),
    bySlugs: (wanted, catalogue) =>
      knownOrRead(
        wanted,
        (slug) => find(ids.get(slug), catalogue),
        async (missing) => write(await rows.bySlugs(missing, catalogue)),
      ),
    // A text that was kept is never newer than its catalogue.
    passes: ({ source }, filter) => source !== undefined && rows.passes(source, filter),
    rankedAs: (record, rank) => ({ ...record, rank }),
  };
}

const execute = prepare(RECORDS_DOCUMENT);

/** Detail records in JSON; null in JSON for each that is gone. */
async function writeRecords(sources: readonly (StartupRecord | undefined)[]): Promise<string[]> {
  // It gives what was read, whatever slugs it is asked for.
  const getBySlugs = async () => sources.map((source) => source ?? null);
  const startups = { getBySlugs } as Partial<Startups> as Startups;
  const data = await execute({ slugs: [] }, { requestId: '', startups });
  return (data.startupsBySlug as unknown[]).map((record) => JSON.stringify(record));
}
