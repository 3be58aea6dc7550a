import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type BackupTable,
  backupTables,
  parseTable,
  type TableHeader,
} from '../../../src/db/backup/read-file.ts';
import { restoreBackup } from '../../../src/db/backup/restore.ts';
import { writeBackup } from '../../../src/db/backup/write-file.ts';
import type { Database } from '../../../src/db/open.ts';
import { testDirectory } from '../../main/commands/process.ts';

/** When backups are made and restored. */
export const NOW = Date.parse('2026-11-22T12:00:00Z');

/** Writes a backup, and gives its path. */
export async function backUp(database: Database): Promise<string> {
  const path = join(testDirectory(), `${randomBytes(4).toString('hex')}.gz`);
  const client = await database.connect();
  await writeBackup({ client, kind: database.kind, path, replace: true, now: () => NOW }).finally(() =>
    client.end(),
  );
  return path;
}

export async function restore(database: Database, path: string): Promise<void> {
  const client = await database.connect();
  const options = { client, kind: database.kind, path, actor: 'x', now: () => NOW, yes: true };
  await restoreBackup(options).finally(() => client.end());
}

export function readText(path: string): string {
  return gunzipSync(readFileSync(path)).toString('utf8');
}

/** Changes the text of a backup, and corrects its checksum. */
export function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, gzipSync(seal(change(readText(path)))));
}

/** A text whose checksum is right again after a change. */
export function seal(text: string): string {
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const body = text.slice(0, end);
  return `${body}{"kind":"end","sha256":"${createHash('sha256').update(body).digest('hex')}"}\n`;
}

/** The parts of all tables, in their order. */
export function readParts(text: string): { header: TableHeader; rows: string[] }[] {
  const parts: { header: TableHeader; rows: string[] }[] = [];
  const lines = text.split('\n');
  for (let at = 1; ; ) {
    const header = parseTable(lines[at] ?? '');
    if (header === undefined) {
      return parts;
    }
    parts.push({ header, rows: lines.slice(at + 1, at + 1 + header.rows) });
    at += 1 + header.rows;
  }
}

export type Rows = { readonly [table in BackupTable]?: readonly string[] };

/** All rows of all tables, but for what a restore itself changes. */
export async function readRows({ pool }: Database): Promise<Rows> {
  const rows: { [table in BackupTable]?: string[] } = {};
  for (const table of backupTables) {
    // Behind a pooler, a session may have another time zone.
    const results = await pool.query(
      `BEGIN; SET LOCAL TIME ZONE 'UTC';
       SELECT (to_jsonb(t) - 'revision')::text AS row FROM ${table} AS t
         WHERE to_jsonb(t) ->> 'action' IS DISTINCT FROM 'data.restore' ORDER BY 1;
       COMMIT`,
    );
    const found = (results as unknown as { rows: { row: string }[] }[])[2];
    rows[table] = found?.rows.map(({ row }) => row) ?? [];
  }
  return rows;
}
