import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as z from 'zod/mini';
import { cannotRead, OperatorError } from '../../lib/errors.ts';
import { inflate } from '../../lib/files/inflate.ts';

/** A part of a backup: its header first, then of each table a part without rows, and its rows as JSON. */
type BackupPart =
  | { readonly header: BackupHeader }
  | { readonly table: TableHeader; readonly rows: readonly string[] };

/** Rows in one part: some 10 ms of a database's time. */
const PART_ROWS = 500;
/** Bytes after which a part ends before it has that many rows. */
const PART_BYTES = 4 * 1024 * 1024;
/** No row of ours comes near this size. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Reads a backup in parts. Only one that was read to its end is known to be complete.
 *
 * @param signal stops the reading.
 * @throws OperatorError if it cannot be read, is not a backup, is truncated or is damaged.
 */
export async function* readBackup(path: string, signal?: AbortSignal): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  let header: BackupHeader | undefined;
  let table: TableHeader | undefined;
  let left = 0;
  let rows: string[] = [];
  let bytes = 0;
  let isEnded = false;
  for await (const line of readLines(path, signal)) {
    const text = line.toString('utf8');
    if (isEnded) {
      throw damaged(path, 'there is data after its end');
    }
    if (header === undefined) {
      header = parseHeader(path, text);
      yield { header };
    } else if (table !== undefined && left > 0) {
      rows.push(text);
      bytes += line.length;
      left -= 1;
      if (left === 0 || rows.length === PART_ROWS || bytes > PART_BYTES) {
        yield { table, rows };
        rows = [];
        bytes = 0;
      }
    } else {
      const footer = parseFooter(text);
      if (footer !== undefined) {
        if (footer.sha256 !== hash.digest('hex')) {
          throw damaged(path, 'its checksum does not match');
        }
        isEnded = true;
        continue;
      }
      table = parseTable(text);
      if (table === undefined) {
        throw damaged(path, 'it has a row in place of a table');
      }
      left = table.rows;
      yield { table, rows: [] };
    }
    hash.update(line).update('\n');
  }
  if (!isEnded) {
    throw damaged(path, 'it is truncated');
  }
}

async function* readLines(path: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const file = createReadStream(path, signal === undefined ? {} : { signal });
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of inflate(file, (times) =>
      damaged(path, `it expands to more than ${times} times its size`),
    )) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
        yield bytes.subarray(start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (rest.length > MAX_LINE_BYTES) {
        throw damaged(path, 'a line is too long');
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw readingError(path, error);
  }
  if (rest.length > 0) {
    yield rest;
  }
}

function readingError(path: string, error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (error instanceof OperatorError || typeof code !== 'string') {
    return error;
  }
  if (code === 'Z_BUF_ERROR') {
    return damaged(path, 'it is truncated');
  }
  if (code.startsWith('Z_')) {
    return /incorrect header check/.test(String(error))
      ? noBackup(path)
      : damaged(path, 'its gzip data is broken');
  }
  return cannotRead(path, error);
}

/*
 * A backup is gzip over lines of JSON: a header; the tables in parts, of each a line that describes it and then its
 * rows, as PostgreSQL's row_to_json has them; and a footer with the SHA-256 of all bytes before it.
 */

/** Increased when an older version can no longer read the format. */
export const BACKUP_FORMAT = 1;

/** Counts of requests, which change constantly. */
export const usageTables = ['key_usage', 'key_durations', 'key_last_uses'] as const;
/** What accounts were told by email, so that a restore tells them nothing again, and which database sends emails. */
export const mailTables = ['sent_mails', 'mail_source'] as const;
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
  'own_fields',
] as const;

/** The tables of a backup, each after those it refers to. A test compares them with the existing tables. */
export const backupTables = [...usageTables, ...mailTables, ...startupTables, ...otherTables] as const;
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
function parseHeader(path: string, line: string): BackupHeader {
  const start = parse(startSchema, line);
  if (start === undefined) {
    throw noBackup(path);
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
const parseFooter = (line: string): BackupFooter | undefined => parse(footerSchema, line);

const noBackup = (path: string): OperatorError =>
  new OperatorError(`${path} is not a backup of revgate: specify a file that "revgate backup" wrote.`);

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
