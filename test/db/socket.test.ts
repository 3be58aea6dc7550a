import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openEngineSocket } from '../../src/db/socket.ts';
import { temporaryDirectory } from '../cli/process.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('is made for this user alone, while other files are made as ever', async () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const mask = process.umask(0o022);
  onTestFinished(() => void process.umask(mask));
  const opening = openEngineSocket(path, () => new MessageChannel().port1);
  writeFileSync(join(path, 'other'), '');
  const socket = await opening;
  onTestFinished(() => socket.close());
  expect(modeOf(join(path, '.s.PGSQL.5432'))).toBe(0o600);
  expect(modeOf(join(path, 'other'))).toBe(0o644);
});
