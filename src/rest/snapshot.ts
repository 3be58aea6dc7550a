import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { values } from '../catalogue/store/codes.ts';
import { type Owner, type Steps, timeSlices } from '../event-loop/time-slices.ts';
import { nestFields, type StartupFieldPath, startupFieldList, startupFields } from '../startups/fields.ts';
import type { StartupRecord } from '../startups/record.ts';

/** What a snapshot costs of the rate limit. */
export const SNAPSHOT_COST = 10;
/** The most snapshots that a node sends at a time. */
export const MOST_SNAPSHOTS = 2;

/** Records of one step: some tenths of a millisecond. */
const STEP = 32;
/** Records of one piece of the stream: some 100 kB. */
const PIECE = 128;

/** All startups of an edition in the format of imports, one a line, in the order in which they were first imported. */
export function snapshotStream(catalogue: Catalogue, owner: Owner, isPacked: boolean): Readable {
  const lines = Readable.from(piecesOf(catalogue, owner), { objectMode: false });
  if (!isPacked) {
    return lines;
  }
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.once('close', () => lines.destroy());
  lines.once('error', (error) => gzip.destroy(error));
  return lines.pipe(gzip);
}

async function* piecesOf(catalogue: Catalogue, owner: Owner): AsyncGenerator<string> {
  for (let start = 0; start < catalogue.size; start += PIECE) {
    // Begins a turn, in which it waits behind all other work.
    timeSlices.hasTime();
    yield await timeSlices.run(writePiece(catalogue, start), owner, false);
  }
}

function* writePiece(catalogue: Catalogue, start: number): Steps<string> {
  let text = '';
  for (let at = start; at < Math.min(start + PIECE, catalogue.size); at += STEP) {
    for (const record of catalogue.range(at, at + STEP, values)) {
      text += `${JSON.stringify(toImport(record))}\n`;
    }
    yield;
  }
  return text;
}

/** The fields of a record in a snapshot: all but the rank, which changes with those of others. */
export const snapshotFields = startupFieldList.filter(({ path }) => path !== 'rank');
const nested = [...nestFields(snapshotFields.map(({ path }) => path))];

/** A record with the fields of an import, those that an import computes or records itself included. */
function toImport(record: StartupRecord): object {
  const read = (from: object, name: string, path: string): unknown => {
    const value: unknown = from[name as never];
    const isDate = value !== null && startupFields[path as StartupFieldPath].kind === 'date';
    return isDate ? new Date(value as number).toISOString() : value;
  };
  const written: Record<string, unknown> = {};
  for (const [name, below] of nested) {
    written[name] =
      below.length === 0
        ? read(record, name, name)
        : Object.fromEntries(below.map((one) => [one, read(record[name as never], one, `${name}.${one}`)]));
  }
  return written;
}
