import type { RunningAction } from '../audit/run-action.ts';
import type { KeySummary } from '../keys/key.ts';
import type { Offers } from './offers.ts';

/** The documents that a key may request. */
interface KnownDocuments {
  readonly hashes: ReadonlySet<string>;
  /** Those that are offered as asked. */
  readonly offered: ReadonlySet<string>;
  /** The names of those that are tools. */
  readonly tools: readonly string[];
}

/** Finds them in one row: Prisma occupies the event loop with each row that it reads. */
export async function findKnown(
  prisma: Pick<RunningAction['prisma'], '$queryRaw'>,
  { familyId }: KeySummary,
  { feed = false, tool = false }: Offers,
): Promise<KnownDocuments> {
  const [row] = await prisma.$queryRaw<{ hashes: string[]; offered: string[]; tools: string[] }[]>`
    SELECT coalesce(array_agg(encode(hash, 'hex')), '{}') AS hashes,
      coalesce(array_agg(encode(hash, 'hex')) FILTER (WHERE feed >= ${feed} AND tool >= ${tool}), '{}') AS offered,
      coalesce(array_agg(operations[1]) FILTER (WHERE tool), '{}') AS tools
    FROM documents WHERE family_id = ${familyId}`;
  return { hashes: new Set(row?.hashes), offered: new Set(row?.offered), tools: row?.tools ?? [] };
}
