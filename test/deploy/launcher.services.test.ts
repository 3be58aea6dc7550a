import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LAUNCHER, serveBuilt, servingProcess } from '../main/commands/built-command.ts';
import { testDirectory } from '../main/commands/process.ts';
import { only } from '../support/only.ts';

only(process.platform === 'linux', '/proc').describe(
  'a server where Node cannot replace the launcher',
  () => {
    /** A server whose launcher cannot replace itself. */
    const serve = async (detached = false) => {
      const server = await serveBuilt(
        { DATA_DIR: testDirectory(), DRAIN_DELAY: '1', NODE_OPTIONS: `--require ${withoutExecve}` },
        { program: LAUNCHER, detached },
      );
      return { ...server, pid: servingProcess(server.child.pid) };
    };
    const withoutExecve = join(testDirectory(), 'preload.cjs');
    writeFileSync(withoutExecve, 'delete process.execve;');

    it('is a child with the options of Node, which stops with the same signal and exit code', async () => {
      const { child, exit, pid } = await serve();
      expect(pid).not.toBe(child.pid);
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      expect(command).toEqual(expect.arrayContaining(['--max-semi-space-size=8', '--v8-pool-size=1']));
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });

    // timeout, foreman and the init of some containers send it to both processes.
    it.each([
      { signals: 1, code: 0 },
      { signals: 2, code: 143 },
    ])('counts a SIGTERM to the process group once: ends with $code after $signals', async (expected) => {
      const { child, exit, stdout } = await serve(true);
      process.kill(-child.pid, 'SIGTERM');
      await expect.poll(stdout).toContain('Stopping in 1 seconds');
      if (expected.signals === 2) {
        process.kill(-child.pid, 'SIGTERM');
      }
      expect(await exit).toBe(expected.code);
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
