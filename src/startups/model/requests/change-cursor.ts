import { createHash } from 'node:crypto';

/** A place among all changes: removals have the negative of the id that the startup had. */
export interface ChangePlace {
  readonly revision: number;
  readonly id: number;
}

/** How far a client has read the changes. */
export interface ChangeCursor extends ChangePlace {
  /** The digest of the data's identity: revisions are comparable only if it is the same. */
  readonly identity: string;
  /**
   * For a client that began without a cursor: the revision at its first read. Removals up to it
   * are of startups that the client never saw. 0 once it has read up to it.
   */
  readonly from: number;
}

/** Negative where `a` comes before `b`. */
export function comparePlaces(a: ChangePlace, b: ChangePlace): number {
  return a.revision - b.revision || a.id - b.id;
}

const IDENTITY_BYTES = 8;
const CURSOR_BYTES = IDENTITY_BYTES + 8 + 4 + 8;
const SEAL_BYTES = 8;
/** Both together leave no unused bits, so that each cursor has only one encoding. */
const CURSOR = new RegExp(`^[\\w-]{${((CURSOR_BYTES + SEAL_BYTES) * 8) / 6}}$`);

/** The identity of the data as stored in cursors. */
export function digestOfIdentity(identity: string): string {
  return createHash('sha256').update(identity).digest().subarray(0, IDENTITY_BYTES).toString('hex');
}

/** The text of a cursor. */
export function writeChangeCursor({ identity, revision, id, from }: ChangeCursor): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.write(identity, 'hex');
  bytes.writeDoubleBE(revision, 8);
  bytes.writeInt32BE(id, 16);
  bytes.writeDoubleBE(from > revision ? from : 0, 20);
  return Buffer.concat([bytes, seal(bytes)]).toString('base64url');
}

/** The cursor that a text encodes; undefined for a text that no list of changes has returned. */
export function readChangeCursor(text: string): ChangeCursor | undefined {
  if (!CURSOR.test(text)) {
    return undefined;
  }
  const bytes = Buffer.from(text, 'base64url');
  const cursor = bytes.subarray(0, CURSOR_BYTES);
  // The seal contains no secret; it detects texts that are not cursors.
  if (!seal(cursor).equals(bytes.subarray(CURSOR_BYTES))) {
    return undefined;
  }
  const [revision, from] = [cursor.readDoubleBE(8), cursor.readDoubleBE(20)];
  return Number.isSafeInteger(revision) && Number.isSafeInteger(from)
    ? { identity: cursor.toString('hex', 0, IDENTITY_BYTES), revision, id: cursor.readInt32BE(16), from }
    : undefined;
}

function seal(bytes: Buffer): Buffer {
  return createHash('sha256').update('change ').update(bytes).digest().subarray(0, SEAL_BYTES);
}
