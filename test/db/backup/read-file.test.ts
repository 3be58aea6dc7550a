import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readBackup } from '../../../src/db/backup/read-file.ts';
import { testDirectory } from '../../main/commands/process.ts';

async function readAll(content: string, level: number): Promise<void> {
  const path = join(testDirectory(), 'a.backup.gz');
  writeFileSync(path, gzipSync(content, { level }));
  for await (const _part of readBackup(path));
}

const HEADER = JSON.stringify({
  kind: 'revgate backup',
  format: 1,
  createdAt: '2026-11-22T00:00:00.000Z',
  migrations: [],
  mark: { dataset: 1, keys: 1, accounts: 1, imports: 1, audits: 1, epoch: 1 },
});
const table = (rows: number): string => JSON.stringify({ table: 'startups', columns: ['id'], rows });

it('a file that expands to far more than its size is rejected before it fills memory or disk', async () => {
  const row = JSON.stringify({ id: 1, name: 'x'.repeat(10_000) });
  const bomb = `${HEADER}\n${table(8_000)}\n${`${row}\n`.repeat(8_000)}`;
  await expect(readAll(bomb, 6)).rejects.toThrow('it expands to more than 200 times its size');
});

it('a line that is longer than any row is refused', async () => {
  const content = `${HEADER}\n${table(1)}\n${'x'.repeat(17_000_000)}`;
  // Not packed: packed, it would expand too much.
  await expect(readAll(content, 0)).rejects.toThrow('a line is too long');
});
