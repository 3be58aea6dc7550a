import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openEngineSocket } from '../../src/db/socket.ts';
import { temporaryDirectory } from '../cli/process.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('is made for this user alone, while other files are made as ever', async () => {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  const makeFile = (name: string): number => {
    writeFileSync(join(path, name), '');
    return modeOf(join(path, name));
  };
  const usual = makeFile('before');
  const opening = openEngineSocket(path, () => new MessageChannel().port1);
  expect(makeFile('meanwhile')).toBe(usual);
  const socket = await opening;
  expect(modeOf(join(path, '.s.PGSQL.5432'))).toBe(0o600);
  expect(makeFile('after')).toBe(usual);
  await socket.close();
  expect(readdirSync(path).sort()).toEqual(['after', 'before', 'meanwhile']);
});
