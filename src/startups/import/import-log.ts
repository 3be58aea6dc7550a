import type { PrismaClient } from '../../db/generated/client/client.ts';
import { UnknownError } from '../../lib/errors.ts';
import { type ImportOptions, importStartups } from './import.ts';
import type { ImportClient } from './staging.ts';
import { type ImportReport, type ImportSummary, toReport } from './summary.ts';

/** How an import was run. */
export const importVias = ['command', 'http', 'dashboard'] as const;
export type ImportVia = (typeof importVias)[number];

/** One import as it was recorded. */
export interface ImportEntry {
  readonly id: number;
  readonly finishedAt: Date;
  /** The names of its files as given; `-` is standard input. */
  readonly sources: readonly string[];
  /** Who ran it: the id of an account, or the name of the operating system's user. */
  readonly importedBy: string;
  /** The email address of that account; null for another user, or if the account has none or was deleted. */
  readonly email: string | null;
  readonly via: ImportVia;
  readonly durationMs: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Startups removed by --replace, and those of the sample. */
  readonly removed: number;
  /** The past day as of which it was applied, `YYYY-MM-DD`; null for the day on which it ran. */
  readonly asOf: string | null;
}

/** The action in the audit log. */
const ACTION = 'startups.import';

/**
 * Records an import in the transaction that applies it, so that exactly the applied imports are recorded.
 * It is an administrative action, too.
 */
export async function recordImport(
  client: ImportClient,
  entry: Pick<ImportEntry, 'sources' | 'importedBy' | 'via' | 'durationMs' | 'asOf'> & {
    /** The id of the token that was used. */
    token?: string | undefined;
    summary: ImportSummary;
  },
): Promise<number> {
  const { created, updated, unchanged, rejected, removed, removedSample } = entry.summary;
  const { asOf, via, token } = entry;
  const counts = { created, updated, unchanged, rejected, removed: removed + removedSample };
  const { rows } = await client.query(
    `WITH recorded AS (
       INSERT INTO imports (finished_at, sources, imported_by, via, duration_ms, created, updated, unchanged, rejected, removed, as_of)
       VALUES (clock_timestamp(), $1, $2, $12, $3, $4, $5, $6, $7, $8, $9) RETURNING id, finished_at, imported_by
     ), logged AS (
       INSERT INTO audit_log (at, actor, action, subject, details)
       SELECT finished_at, imported_by, $10, id::text, $11::jsonb FROM recorded
     )
     SELECT id FROM recorded`,
    [
      entry.sources,
      entry.importedBy,
      Math.round(entry.durationMs),
      ...Object.values(counts),
      asOf,
      ACTION,
      JSON.stringify({ ...counts, ...(asOf !== null && { asOf }), ...(token !== undefined && { token }) }),
      via,
    ],
  );
  // Nodes must notice the import even if no startup has changed.
  await client.query("UPDATE revisions SET value = value + 1 WHERE name = 'dataset'");
  return rows[0]?.id as number;
}

/** An import that is listed with who ran it. */
export interface RecordedImport extends Omit<ImportOptions, 'beforeCommit'> {
  /** The id of an account, or a user of the operating system. */
  readonly user: string;
  readonly via: ImportVia;
  /** The id of the token that was used. */
  readonly token?: string | undefined;
  readonly now: () => number;
  /** When it began, in ms since 1970. */
  readonly startedAt: number;
  /** Run in the transaction that applies, after everything else. */
  readonly beforeCommit?: ((report: ImportReport) => Promise<void>) | undefined;
}

/** Imports startups, and records that in the same transaction: what the command, the path and the dashboard call. */
export async function importAndRecord({
  user,
  via,
  token,
  now,
  startedAt,
  beforeCommit,
  ...options
}: RecordedImport): Promise<{ readonly summary: ImportSummary; readonly id: number | undefined }> {
  const { client, inputs, asOf } = options;
  let id: number | undefined;
  const result = await importStartups({
    ...options,
    async beforeCommit(summary) {
      const durationMs = now() - startedAt;
      id = await recordImport(client, {
        sources: inputs.map(({ name }) => name),
        importedBy: user,
        via,
        token,
        durationMs,
        asOf: asOf?.day ?? null,
        summary,
      });
      await beforeCommit?.(toReport(summary, { dryRun: false, durationMs }));
    },
  });
  return { summary: result, id };
}

type Client = Pick<PrismaClient, 'import' | 'account'>;

/**
 * The imports of this database, the latest first.
 *
 * @param limit the most imports to return.
 * @param skip how many of the last ones to leave out.
 */
export async function listImports(prisma: Client, limit: number, skip = 0): Promise<ImportEntry[]> {
  return withEmails(prisma, await prisma.import.findMany({ orderBy: { id: 'desc' }, take: limit, skip }));
}

/** @throws UnknownError if no import has the id. */
export async function getImport(prisma: Client, id: number): Promise<ImportEntry> {
  const [entry] = await withEmails(prisma, await prisma.import.findMany({ where: { id } }));
  if (entry === undefined) {
    throw new UnknownError(`No import has the id ${id}.`);
  }
  return entry;
}

async function withEmails(
  prisma: Client,
  found: Awaited<ReturnType<Client['import']['findMany']>>,
): Promise<ImportEntry[]> {
  const accounts = await prisma.account.findMany({
    where: { id: { in: [...new Set(found.map(({ importedBy }) => importedBy))] } },
    select: { id: true, email: true },
  });
  const emails = new Map(accounts.map(({ id, email }) => [id, email]));
  return found.map(({ via, ...entry }) => ({
    ...entry,
    email: emails.get(entry.importedBy) ?? null,
    via: via as ImportVia,
    asOf: entry.asOf?.toISOString().slice(0, 10) ?? null,
  }));
}
