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

/** One of the audit's actions. */
const ACTION = 'startups.import';

/**
 * Records an import, in the transaction that applies it: an import that is there is recorded, and no other.
 * It is an administrative act, too.
 */
export async function recordImport(
  client: ImportClient,
  entry: Pick<ImportEntry, 'sources' | 'importedBy' | 'durationMs'> & { summary: ImportSummary },
): Promise<void> {
  const { created, updated, unchanged, rejected, removed, removedSample } = entry.summary;
  const counts = { created, updated, unchanged, rejected, removed: removed + removedSample };
  await client.query(
    `WITH recorded AS (
       INSERT INTO imports (finished_at, sources, imported_by, duration_ms, created, updated, unchanged, rejected, removed)
       VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8) RETURNING id, finished_at, imported_by
     )
     INSERT INTO audit_log (at, actor, action, subject, details)
     SELECT finished_at, imported_by, $9, id::text, $10::jsonb FROM recorded`,
    [
      entry.sources,
      entry.importedBy,
      Math.round(entry.durationMs),
      ...Object.values(counts),
      ACTION,
      JSON.stringify(counts),
    ],
  );
  // Nodes are to notice it, also where no startup has changed.
  await client.query("UPDATE revisions SET value = value + 1 WHERE name = 'dataset'");
}

/**
 * The imports of this database, the last one first.
 *
 * @param limit how many at most.
 * @param skip how many of the last ones to leave out.
 */
export async function listImports(
  prisma: Pick<PrismaClient, 'import'>,
  limit: number,
  skip = 0,
): Promise<ImportEntry[]> {
  return prisma.import.findMany({ orderBy: { id: 'desc' }, take: limit, skip, omit: { id: true } });
}
