import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { ImportSummary } from './import.ts';
import type { ImportClient } from './staging.ts';

/** One import as it was recorded. */
export interface ImportEntry {
  readonly finishedAt: Date;
  /** The names of its files as given; `-` is standard input. */
  readonly sources: readonly string[];
  /** Who ran it, as the operating system names them. */
  readonly importedBy: string;
  readonly durationMs: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** What a replacing import removed, and the sample. */
  readonly removed: number;
}

/** Records an import, in the transaction that applies it: an import that is there is recorded, and no other. */
export async function recordImport(
  client: ImportClient,
  entry: Pick<ImportEntry, 'sources' | 'importedBy' | 'durationMs'> & { summary: ImportSummary },
): Promise<void> {
  const { created, updated, unchanged, rejected, removed, removedSample } = entry.summary;
  await client.query(
    `INSERT INTO imports (finished_at, sources, imported_by, duration_ms, created, updated, unchanged, rejected, removed)
     VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      entry.sources,
      entry.importedBy,
      Math.round(entry.durationMs),
      created,
      updated,
      unchanged,
      rejected,
      removed + removedSample,
    ],
  );
}

/**
 * The imports of this database, the last one first.
 *
 * @param limit how many at most.
 */
export async function listImports(prisma: PrismaClient, limit: number): Promise<ImportEntry[]> {
  return prisma.import.findMany({ orderBy: { id: 'desc' }, take: limit, omit: { id: true } });
}
