import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LAUNCHER, serveBuilt, servingProcess } from '../cli/built-command.ts';
import { testDirectory } from '../cli/process.ts';
import { only } from '../support/only.ts';

only(process.platform === 'linux', '/proc').describe(
  'a server where Node cannot replace the launcher',
  () => {
    /** A server whose launcher cannot replace itself. */
    const serve = async () => {
      const server = await serveBuilt(
        { DATA_DIR: testDirectory(), NODE_OPTIONS: `--require ${withoutExecve}` },
        { program: LAUNCHER },
      );
      return { ...server, pid: servingProcess(server.child.pid) };
    };
    const withoutExecve = join(testDirectory(), 'preload.cjs');
    writeFileSync(withoutExecve, 'delete process.execve;');

    it('is a child with the options of Node, which stops with the same signal and exit code', async () => {
      const { child, exit, pid } = await serve();
      expect(pid).not.toBe(child.pid);
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      expect(command).toEqual(expect.arrayContaining(['--max-semi-space-size=16', '--v8-pool-size=1']));
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });

    it('stops when the launcher is killed', async () => {
      const { child, pid } = await serve();
      child.kill('SIGKILL');
      await expect.poll(() => isRunning(pid)).toBe(false);
    });
  },
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
