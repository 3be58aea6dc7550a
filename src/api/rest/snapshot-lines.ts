import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { type Owner, type Steps, timeSlices } from '../../lib/loop/time-slices.ts';
import { writeInstant } from '../../lib/text/days.ts';
import type { Catalogue } from '../../startups/catalogue/catalogue.ts';
import { values } from '../../startups/catalogue/store/codes.ts';
import { type StartupFieldPath, startupFields } from '../../startups/model/fields.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import { copiedMembers, sourceOf } from './copied-record.ts';

/** What a snapshot costs of the rate limit. */
export const SNAPSHOT_COST = 10;
/** The most snapshots that a node sends at a time. */
export const MOST_SNAPSHOTS = 2;

/** Records of one step: some tenths of a millisecond. */
const STEP = 32;
/** Records of one piece of the stream: some 100 kB. */
const PIECE = 64;

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
  const fields = [...written, ...ownFieldOf(catalogue.own)];
  for (let start = 0; start < catalogue.size; start += PIECE) {
    // Begins a turn, in which it waits behind all other work.
    timeSlices.hasTime();
    yield await timeSlices.run(writePiece(catalogue, start, fields), owner, false);
  }
}

function* writePiece(catalogue: Catalogue, start: number, fields: readonly WrittenField[]): Steps<string> {
  let text = '';
  for (let at = start; at < Math.min(start + PIECE, catalogue.size); at += STEP) {
    for (const record of catalogue.range(at, at + STEP, values)) {
      text += `${writeRecord(record, fields)}\n`;
    }
    yield;
  }
  return text;
}

/** A field as it is written: its name in JSON, and the fields below it, if there are any. */
interface WrittenField {
  /** The property of a record. */
  readonly name: string;
  readonly label: string;
  readonly isDate: boolean;
  readonly below: readonly WrittenField[];
}

const toField = (name: string, path: string, below: readonly string[]): WrittenField => ({
  name: sourceOf(name),
  label: `${JSON.stringify(name)}:`,
  isDate: below.length === 0 && startupFields[path as StartupFieldPath].kind === 'date',
  below: below.map((one) => toField(one, `${path}.${one}`, [])),
});
const written = [...copiedMembers].map(([name, below]) => toField(name, name, below));

/** The object of declared fields; nothing if there are none. */
function ownFieldOf(own: readonly OwnField[]): WrittenField[] {
  const below = own.map(({ name, kind }) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    isDate: kind === 'date',
    below: [],
  }));
  return own.length === 0 ? [] : [{ name: 'own', label: '"own":', isDate: false, below }];
}

/** A record as JSON, field by field: to build an object for JSON.stringify takes twice as long. */
function writeRecord(record: object, fields: readonly WrittenField[]): string {
  let text = '';
  for (const { name, label, isDate, below } of fields) {
    const value: unknown = record[name as never];
    text += text === '' ? label : `,${label}`;
    if (value === null || typeof value === 'boolean') {
      text += value;
    } else if (below.length > 0) {
      text += writeRecord(value as object, below);
    } else if (isDate) {
      text += `"${writeInstant(value as number)}"`;
    } else {
      text += typeof value === 'number' ? value : JSON.stringify(value);
    }
  }
  return `{${text}}`;
}
