import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../support/suites.ts';

const run = promisify(execFile);

it('says how many open files it needs where a process may open fewer', async () => {
  const limited = run('sh', ['-c', 'ulimit -n 160 && exec bin/revgate serve'], { cwd: root });
  await expect(limited).rejects.toMatchObject({
    code: 1,
    stderr:
      'revgate: Only 160 files and connections may be open at a time, needed: at least 512. ' +
      'Raise the limit with ulimit -n, or LimitNOFILE under systemd.\n',
  });
});

it('is what npm start, npx, the container and the service file start', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const { bin, scripts } = JSON.parse(read('package.json'));
  expect([bin.revgate, scripts.start]).toEqual(['bin/revgate', 'bin/revgate serve']);
  for (const file of ['package.json', 'Dockerfile', 'deploy/revgate.service']) {
    expect(read(file)).not.toContain('--max-semi-space-size');
  }
});

it('starts the command with its arguments', async () => {
  const { stdout } = await run(join(root, 'bin/revgate'), ['--version']);
  expect(`${stdout}`.trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
});

it('says what to do in a directory that was removed', async () => {
  const script = 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$0" keys list';
  // The shell may complain about it too.
  await expect(run('sh', ['-c', script, join(root, 'bin/revgate')])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /(^|\n)revgate: The working directory no longer exists: change to another one with cd\.\n$/,
    ),
  });
});
