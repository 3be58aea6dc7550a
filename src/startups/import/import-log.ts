import type { PrismaClient } from '../../db/generated/client/client.ts';
import { OperatorError, UnknownError } from '../../lib/errors.ts';
import type { OwnField } from '../model/own-fields.ts';
import { noteText } from './columns/words.ts';
import { type ImportOptions, importStartups } from './import.ts';
import { type ImportSummary, leftOutTexts, toReport } from './values/summary.ts';

/** How an import was run. */
const importVias = ['command', 'http', 'dashboard'] as const;
export type ImportVia = (typeof importVias)[number];

/** One import as it was recorded. */
export type ImportEntry = Awaited<ReturnType<typeof withEmails>>[number];

/** An import that is listed with who ran it. */
export interface RecordedImport extends Omit<ImportOptions, 'beforeCommit'> {
  /** The id of an account, or a user of the operating system. */
  readonly user: string;
  readonly via: ImportVia;
  /** The id of the token that was used. */
  readonly token?: string | undefined;
  /** Stores the result with the import, for a repeated request. */
  readonly once?: OnceKey | undefined;
  /** The uploaded file that it imports, which is removed with it: no file is imported twice. */
  readonly kept?: KeptKey | undefined;
  readonly now: () => number;
}

/** An Idempotency-Key and what it was used for. */
export interface OnceKey {
  readonly token: string;
  readonly key: string;
  /** SHA-256 of the body and the parameters, in hexadecimal digits. */
  readonly digest: string;
}

/** An uploaded file that waits for its import. */
export interface KeptKey {
  readonly accountId: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly digest: string;
}

/** The uploaded file was imported by another request, or removed, before this one had imported it. */
export class UploadGoneError extends OperatorError {
  constructor() {
    super('The file is no longer kept: nothing was imported.');
  }
}

/** What an import did. */
export type ImportResult = Awaited<ReturnType<typeof importAndRecord>>;

/**
 * Imports startups, and records that in the same transaction, so that exactly the applied imports are listed and in the
 * audit log: what the command, the path and the dashboard call.
 *
 * @throws UploadGoneError, and what `importStartups` throws. Nothing was changed then.
 */
export async function importAndRecord({ now, ...options }: RecordedImport) {
  const startedAt = now();
  let id: number | undefined;
  let durationMs: number | undefined;
  const summary = await importStartups({
    ...options,
    isRecorded: true,
    async beforeCommit(result, { importId, declared }) {
      durationMs = Math.round(now() - startedAt);
      id = importId;
      await recordImport(options, result, durationMs, importId as number);
      await recordDeclared(options, declared);
    },
  });
  return {
    summary,
    /** Of the import in the list of imports; undefined for a dry run. */
    id,
    durationMs: durationMs ?? now() - startedAt,
  };
}

async function recordImport(
  { client, inputs, user, via, token, once, kept, asOf }: Omit<RecordedImport, 'now'>,
  summary: ImportSummary,
  durationMs: number,
  id: number,
): Promise<void> {
  if (kept !== undefined) {
    const removed = 'DELETE FROM kept_uploads WHERE account_id = $1 AND digest = $2';
    if ((await client.query(removed, [kept.accountId, kept.digest])).rowCount === 0) {
      throw new UploadGoneError();
    }
  }
  const { created, updated, unchanged, rejected, removed, removedSample } = summary;
  const counts = { created, updated, unchanged, rejected, removed: removed + removedSample };
  const day = asOf?.day ?? null;
  const firstOf = (field: string): string[] =>
    summary.examples.flatMap((record) => record.find(({ path }) => path === field)?.text ?? []);
  const told: Told = {
    notes: summary.notes.map(noteText),
    leftOut: leftOutTexts(summary),
    first: firstOf('slug'),
    // An update in part may have no names.
    names: summary.examples.flatMap(
      (record) =>
        (record.find(({ path }) => path === 'name') ?? record.find(({ path }) => path === 'slug'))?.text ??
        [],
    ),
  };
  const details = {
    ...counts,
    ...(day !== null && { asOf: day }),
    ...(token !== undefined && { token }),
    ...Object.fromEntries(Object.entries(told).filter(([, lines]) => lines.length > 0)),
  };
  await client.query(
    `WITH recorded AS (
       INSERT INTO imports (finished_at, sources, imported_by, via, duration_ms, as_of, created, updated, unchanged, rejected, removed,
         id, revision)
       VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12,
         (SELECT value FROM revisions WHERE name = 'dataset'))
       RETURNING id, finished_at, imported_by
     )
     INSERT INTO audit_log (at, actor, action, subject, details)
     SELECT finished_at, imported_by, 'startups.import', id::text, $11::jsonb FROM recorded`,
    [
      inputs.map(({ name }) => name),
      user,
      via,
      durationMs,
      day,
      ...Object.values(counts),
      JSON.stringify(details),
      id,
    ],
  );
  // Nodes must notice the import even if no startup has changed.
  await client.query("UPDATE revisions SET value = value + 1 WHERE name = 'dataset'");
  if (once !== undefined) {
    await client.query(
      `INSERT INTO idempotent_imports (token_id, key, digest, result, created_at, import_id)
       VALUES ($1, $2, decode($3, 'hex'), $4, clock_timestamp(), $5)
       ON CONFLICT (token_id, key) DO UPDATE SET digest = excluded.digest, result = excluded.result,
         created_at = excluded.created_at, import_id = excluded.import_id`,
      [
        once.token,
        once.key,
        once.digest,
        JSON.stringify(toReport(summary, { dryRun: false, durationMs })),
        id,
      ],
    );
  }
}

/** Records what an import has declared, as if its user had declared it before. */
async function recordDeclared(
  { client, user }: Pick<RecordedImport, 'client' | 'user'>,
  declared: readonly OwnField[],
): Promise<void> {
  for (const { name, kind, label, indexed } of declared) {
    await client.query(
      `INSERT INTO audit_log (at, actor, action, subject, details)
       VALUES (clock_timestamp(), $1, 'field.add', $2, $3::jsonb)`,
      [user, name, JSON.stringify({ kind, label, sortable: indexed })],
    );
  }
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

/** What the summary of an import said, as the audit log has it. */
interface Told {
  /** What was skipped, rounded, or is shown by default, a sentence each. */
  readonly notes: readonly string[];
  /** The columns that were left out, and why. */
  readonly leftOut: readonly string[];
  /** The slugs of the first startups. */
  readonly first: readonly string[];
  /** Their names; none of imports that were recorded without. */
  readonly names: readonly string[];
}

/** An import with what its summary said. */
export interface ImportDetail extends ImportEntry, Told {
  /** Who undid it, as `email` names who ran it; null unless it was undone. */
  readonly undoneByEmail: string | null;
  /** Whether it is the last one that changed something and can be undone. */
  readonly isUndoable: boolean;
}

/** @throws UnknownError if no import has the id. */
export async function getImport(
  prisma: Client & Pick<PrismaClient, 'auditEntry' | 'undoEntry'>,
  id: number,
): Promise<ImportDetail> {
  const [entry] = await withEmails(prisma, await prisma.import.findMany({ where: { id } }));
  if (entry === undefined) {
    throw new UnknownError(`No import has the id ${id}.`);
  }
  const where = { subject: String(id), action: 'startups.import' };
  const { details } = (await prisma.auditEntry.findFirst({ where, select: { details: true } })) ?? {};
  const { _max: last } = await prisma.undoEntry.aggregate({ _max: { importId: true } });
  const { undoneBy } = entry;
  const undoers = undoneBy === null ? [] : [{ undoneBy }];
  return {
    notes: [],
    leftOut: [],
    first: [],
    names: [],
    ...(details as Partial<Told> | undefined),
    ...entry,
    undoneByEmail: (await emailsOf(prisma, undoers, 'undoneBy')).get(undoneBy ?? '') ?? null,
    isUndoable: last.importId === id,
  };
}

async function withEmails(prisma: Client, found: Awaited<ReturnType<Client['import']['findMany']>>) {
  const emails = await emailsOf(prisma, found, 'importedBy');
  return found.map(({ via, asOf, ...entry }) => ({
    ...entry,
    /** The email address of that account; null for another user, or if the account has none or was deleted. */
    email: emails.get(entry.importedBy) ?? null,
    via: via as ImportVia,
    /** The past day as of which it was applied, `YYYY-MM-DD`; null for the day on which it ran. */
    asOf: asOf?.toISOString().slice(0, 10) ?? null,
  }));
}

/** The email addresses of the accounts that rows name, by their ids. */
export async function emailsOf<Key extends string>(
  prisma: Pick<PrismaClient, 'account'>,
  rows: readonly Readonly<Record<Key, string>>[],
  key: Key,
): Promise<ReadonlyMap<string, string | null>> {
  const where = { id: { in: [...new Set(rows.map((row) => row[key]))] } };
  const accounts = await prisma.account.findMany({ where, select: { id: true, email: true } });
  return new Map(accounts.map(({ id, email }) => [id, email]));
}
