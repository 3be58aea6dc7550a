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

/** The first line of a backup. */
export interface BackupHeader {
  readonly kind: 'revgate backup';
  readonly format: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
  /** The result of {@link readMark} when the backup began. */
  readonly mark: BackupMark;
}

/** Detects any change but of the counts of requests: numbers that only increase, within an epoch. */
export interface BackupMark {
  readonly dataset: number;
  readonly keys: number;
  readonly imports: number;
  readonly audits: number;
  readonly accounts: number;
  /** Changes with each restore. */
  readonly epoch: number;
}

/** The line before the rows of a part of a table. */
export interface TableHeader {
  readonly table: BackupTable;
  readonly columns: readonly string[];
  /** The number of rows that follow. */
  readonly rows: number;
  /** The next number of its `id`, if a sequence generates it. */
  readonly nextId?: number;
}

/** The last line of a backup. */
export interface BackupFooter {
  readonly kind: 'end';
  /** Of all bytes before this line, in hexadecimal digits. */
  readonly sha256: string;
}

/** How many rows of each table a backup holds. */
export type BackupCounts = Readonly<Partial<Record<BackupTable, number>>>;

/**
 * Reads the first line of a backup.
 *
 * @throws OperatorError if it is not a backup, or of a version this one cannot read.
 */
export function parseHeader(path: string, line: string): BackupHeader {
  const header = parse(line) as Partial<BackupHeader> | undefined;
  if (header?.kind !== 'revgate backup') {
    throw new OperatorError(
      `${path} is not a backup of revgate: specify a file that "revgate backup" wrote.`,
    );
  }
  if (header.format !== BACKUP_FORMAT) {
    throw new OperatorError(
      `${path} is a backup of format ${header.format}, but this version reads only format ${BACKUP_FORMAT}: use the newer version of revgate that made it.`,
    );
  }
  if (!isHeader(header)) {
    throw damaged(path, 'its header is incomplete');
  }
  return header;
}

/** Reads the line before a part of a table; undefined if it is another line. */
export function parseTable(line: string): TableHeader | undefined {
  const { table, columns, rows, nextId } = (parse(line) ?? {}) as Partial<TableHeader>;
  return backupTables.some((name) => name === table) &&
    Array.isArray(columns) &&
    columns.every(isText) &&
    isCount(rows) &&
    (nextId === undefined || isCount(nextId))
    ? { table: table as BackupTable, columns, rows, ...(nextId === undefined ? {} : { nextId }) }
    : undefined;
}

/** Reads the last line of a backup; undefined when it is not the last. */
export function parseFooter(line: string): BackupFooter | undefined {
  const footer = parse(line) as Partial<BackupFooter> | undefined;
  return footer?.kind === 'end' && typeof footer.sha256 === 'string' ? (footer as BackupFooter) : undefined;
}

/** The error of a damaged backup. */
export function damaged(path: string, how: string): OperatorError {
  return new OperatorError(`${path} is damaged (${how}): use another backup. Nothing was changed.`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) ?? undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isHeader(header: Partial<BackupHeader>): header is BackupHeader {
  const { createdAt, migrations, mark } = header;
  return (
    isText(createdAt) &&
    Array.isArray(migrations) &&
    migrations.every(({ name, checksum }) => isText(name) && isText(checksum)) &&
    [mark?.dataset, mark?.keys, mark?.imports, mark?.audits, mark?.accounts, mark?.epoch].every(isCount)
  );
}
