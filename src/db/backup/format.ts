import * as z from 'zod/mini';
import { OperatorError } from '../../lib/errors.ts';

/*
 * A backup is gzip over lines of JSON: a header; the tables in parts, of each a line that describes it and then its
 * rows, as PostgreSQL's row_to_json has them; and a footer with the SHA-256 of all bytes before it.
 */

/** Increased when an older version can no longer read the format. */
export const BACKUP_FORMAT = 1;

/** Counts of requests, which change constantly. */
export const usageTables = ['key_usage', 'key_durations', 'key_last_uses'] as const;
/** Tables that may have millions of rows. */
export const startupTables = [
  'startups',
  'startup_points',
  'startup_removals',
  'removed_startups',
  'unchanged_startups',
  'market_days',
] as const;
/** Tables that users change, usually small. */
export const otherTables = [
  'accounts',
  'api_keys',
  'documents',
  'policies',
  'account_providers',
  'policy_acceptances',
  'audit_log',
  'imports',
  'operator_tokens',
  'stored_mappings',
  'account_lists',
  'two_factors',
] as const;

/** The tables of a backup, each after those it refers to. A test compares them with the existing tables. */
export const backupTables = [...usageTables, ...startupTables, ...otherTables] as const;
export type BackupTable = (typeof backupTables)[number];

const count = z.int().check(z.nonnegative());

/** Detects any change but of the counts of requests: numbers that only increase, within an epoch. */
const markSchema = z.object({
  dataset: count,
  keys: count,
  imports: count,
  audits: count,
  accounts: count,
  /** Changes with each restore. */
  epoch: count,
});
export type BackupMark = z.infer<typeof markSchema>;

const startSchema = z.object({ kind: z.literal('revgate backup'), format: z.number() });
/** The first line of a backup. */
const headerSchema = z.extend(startSchema, {
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The result of `readMark` when the backup began. */
  mark: markSchema,
});
export type BackupHeader = z.infer<typeof headerSchema>;

/** The line before the rows of a part of a table. */
const tableSchema = z.object({
  table: z.enum(backupTables),
  columns: z.array(z.string()),
  /** The number of rows that follow. */
  rows: count,
  /** The next number of its `id`, if a sequence generates it. */
  nextId: z.optional(count),
});
export type TableHeader = z.infer<typeof tableSchema>;

/** The last line of a backup, with the hash of all bytes before it, in hexadecimal digits. */
const footerSchema = z.object({ kind: z.literal('end'), sha256: z.string() });
export type BackupFooter = z.infer<typeof footerSchema>;

export type BackupCounts = Readonly<Partial<Record<BackupTable, number>>>;

/**
 * Reads the first line of a backup.
 *
 * @throws OperatorError if it is not a backup, or of a version this one cannot read.
 */
export function parseHeader(path: string, line: string): BackupHeader {
  const start = parse(startSchema, line);
  if (start === undefined) {
    throw new OperatorError(
      `${path} is not a backup of revgate: specify a file that "revgate backup" wrote.`,
    );
  }
  if (start.format !== BACKUP_FORMAT) {
    throw new OperatorError(
      `${path} is a backup of format ${start.format}, but this version reads only format ${BACKUP_FORMAT}: use the newer version of revgate that made it.`,
    );
  }
  const header = parse(headerSchema, line);
  if (header === undefined) {
    throw damaged(path, 'its header is incomplete');
  }
  return header;
}

/** Reads the line before a part of a table; undefined if it is another line. */
export const parseTable = (line: string): TableHeader | undefined => parse(tableSchema, line);

/** Reads the last line of a backup; undefined when it is not the last. */
export const parseFooter = (line: string): BackupFooter | undefined => parse(footerSchema, line);

export function damaged(path: string, how: string): OperatorError {
  return new OperatorError(`${path} is damaged (${how}): use another backup. Nothing was changed.`);
}

function parse<T>(schema: z.ZodMiniType<T>, line: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
