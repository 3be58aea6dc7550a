import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testDirectory } from '../main/commands/process.ts';
import { root } from './suites.ts';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('ends what tests started together with a worker that is ended before its hooks', async () => {
  const directory = testDirectory();
  const [script, pidFile] = [join(directory, 'endless.mjs'), join(directory, 'pid')];
  writeFileSync(script, 'setInterval(() => {}, 60_000);');
  writeFileSync(
    join(directory, 'stopped.test.mjs'),
    `import { writeFileSync } from 'node:fs';
     import { startScript } from ${JSON.stringify(join(root, 'test/main/commands/built-command.ts'))};
     writeFileSync(${JSON.stringify(pidFile)}, String(startScript(${JSON.stringify(script)}, []).pid));
     // As Vitest does when a run is stopped.
     process.kill(process.pid, 'SIGTERM');
     await new Promise(() => {});`,
  );
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = promisify(execFile)(process.execPath, [vitest, 'run', '--root', directory], { cwd: directory });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Worker') });
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});
