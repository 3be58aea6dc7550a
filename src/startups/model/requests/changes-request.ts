import { createHash } from 'node:crypto';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { integerParameter, type QueryParameter, RECORDS_PER_READ, type ValuesOf } from './list-parameters.ts';
import { allowedValues, parameterError, readInteger } from './list-request.ts';

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
/** The cursor's own; with its seal, they are a multiple of three. */
const CURSOR_BYTES = IDENTITY_BYTES + 8 + 4 + 8;
const CONTEXT = 'change ';

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
  return sealCursor(bytes, CONTEXT);
}

/** The cursor that a text encodes; undefined for a text that no list of changes has returned. */
export function readChangeCursor(text: string): ChangeCursor | undefined {
  const cursor = openCursor(text, CONTEXT);
  if (cursor?.length !== CURSOR_BYTES) {
    return undefined;
  }
  const [revision, from] = [cursor.readDoubleBE(8), cursor.readDoubleBE(20)];
  return Number.isSafeInteger(revision) && Number.isSafeInteger(from)
    ? { identity: cursor.toString('hex', 0, IDENTITY_BYTES), revision, id: cursor.readInt32BE(16), from }
    : undefined;
}

/** What the changes are. */
export const CHANGES_TEXT = 'The latest change of each startup, oldest first.';

/** The most changes in one response. */
const MAX_CHANGES = 100;

/** In place of a cursor: as without one. A document of examples, which no data is known to, needs a cursor that always works. */
export const FROM_THE_START = 'start';

/** The parameters of changes, as REST names them. GraphQL has `first` for `limit`. */
export const changesParameters = {
  since: {
    kind: 'cursor',
    givenBy: 'changes',
    description:
      'Only changes after this cursor: the value of next in an earlier response. Without it, or with start, the latest change of every startup is returned.',
  },
  limit: integerParameter(MAX_CHANGES, RECORDS_PER_READ, 'Maximum number of changes.'),
} as const satisfies Record<string, QueryParameter>;

/** The requested changes, from any surface. Null is the same as absent. */
export type ChangesArguments = ValuesOf<
  Pick<typeof changesParameters, 'since'> & { first: typeof changesParameters.limit },
  null
>;

/** A validated request for changes. */
export interface ChangesRequest {
  /** Only changes after this cursor; null for all changes. */
  readonly since: ChangeCursor | null;
  /** The most changes to return. */
  readonly first: number;
}

/**
 * Checks what types alone cannot: the range of `first`, and that `since` is a cursor. Whether it has expired depends on
 * the data.
 */
export function readChangesArguments(
  args: ChangesArguments,
): { request: ChangesRequest } | { details: ErrorDetail[] } {
  const details: ErrorDetail[] = [];
  const first = readInteger('first', args.first, changesParameters.limit, details);
  const text = args.since === FROM_THE_START ? undefined : (args.since ?? undefined);
  const since = text === undefined ? null : readChangeCursor(text);
  if (since === undefined) {
    details.push(parameterError('since', text, allowedValues(changesParameters.since, 'url')));
  }
  return details.length > 0 || since === undefined ? { details } : { request: { since, first } };
}
