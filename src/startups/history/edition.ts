import type { PrismaClient } from '../../db/generated/client/client.ts';
import { ApiError } from '../../lib/errors.ts';
import { digestOfIdentity } from '../model/requests/change-cursor.ts';

/** Where the history of an edition's startups is read. */
export interface HistorySource {
  readonly prisma: Pick<PrismaClient, '$queryRaw'>;
  /** The identity of the edition, see `EditionData`. */
  readonly identity: string;
}

/** A row of a statement that also reads the identity of the database. Without a day, it says that no other was found. */
export type Found<Row extends { readonly day: Date }> = { readonly identity: string } & (
  | Row
  | { readonly day: null }
);

/**
 * The rows that were found, if they are of the same database as the edition. After a restore or a failover, ids may belong
 * to other startups than in an edition from before.
 *
 * @throws ApiError SERVICE_UNAVAILABLE if they are of another database, whose edition is being built.
 */
export function rowsOfEdition<Row extends { readonly day: Date }>(
  { identity }: HistorySource,
  found: readonly Found<Row>[],
): Row[] {
  if (digestOfIdentity(found[0]?.identity ?? '') !== identity) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'The database was replaced. Its new data is being read.');
  }
  return found.filter((row) => row.day !== null) as Row[];
}
