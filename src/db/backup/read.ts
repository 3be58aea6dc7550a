import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cannotRead, OperatorError } from '../../lib/errors.ts';
import { inflate } from '../../lib/files/inflate.ts';
import {
  type BackupHeader,
  damaged,
  parseFooter,
  parseHeader,
  parseTable,
  type TableHeader,
} from './format.ts';

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
      ? new OperatorError(`${path} is not a backup of revgate: specify a file that "revgate backup" wrote.`)
      : damaged(path, 'its gzip data is broken');
  }
  return cannotRead(path, error);
}
