import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LAUNCHER } from '../main/commands/built-command.ts';
import { testDirectory } from '../main/commands/process.ts';
import { root } from '../support/suites.ts';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Runs the launcher in a Node that a script has changed before. */
function runIn(script: string, ...args: string[]) {
  const preload = join(testDirectory(), 'preload.cjs');
  writeFileSync(preload, script);
  return run(process.execPath, ['--require', preload, LAUNCHER, ...args]);
}

it('says how many open files it needs where a process may open fewer', async () => {
  const limited = run('sh', ['-c', 'ulimit -n 160 && exec bin/revgate serve'], { cwd: root });
  await expect(limited).rejects.toMatchObject({
    code: 1,
    stderr:
      'revgate: Only 160 files and connections may be open at a time, needed: at least 512. ' +
      'Raise the limit with ulimit -n, or LimitNOFILE under systemd.\n',
  });
});

it.each(['18.20.8', '20.18.3', '9.11.2'])('says in one sentence that Node %s is too old', async (version) => {
  const old = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
  await expect(runIn(old, 'keys', 'list')).rejects.toMatchObject({
    code: 1,
    stderr: `revgate: Node ${version} is too old: install Node 20.19 or newer.\n`,
  });
});

it('can be started by npm and cmd on Windows, where Git may write CRLF', async () => {
  // npm writes a command for cmd that starts the program of this line.
  expect(read('bin/revgate')).toMatch(/^#!\/usr\/bin\/env node\n/);
  const { stdout: attributes } = await run('git', ['check-attr', 'eol', '--', 'bin/revgate'], { cwd: root });
  expect(attributes).toContain('eol: lf');
  const { scripts, version } = JSON.parse(read('package.json'));
  expect(scripts.start).toMatch(/^node /);
  const copy = join(root, 'bin/revgate.crlf');
  writeFileSync(copy, read('bin/revgate').replaceAll('\n', '\r\n'));
  try {
    expect((await run(process.execPath, [copy, '--version'])).stdout).toBe(`${version}\n`);
  } finally {
    rmSync(copy);
  }
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

describe('the options of Node', () => {
  const OPTIONS = [
    '--max-semi-space-size=8',
    '--heap-growing-percent=100',
    '--no-allocation-site-pretenuring',
    '--v8-pool-size=1',
  ];

  it('are those of the process that replaces the launcher, where Node can replace one', async () => {
    const script = `process.execve = (file, args, env) => {
      console.log(JSON.stringify([file, args, env.MALLOC_MMAP_THRESHOLD_]));
      process.exit();
    };`;
    const [file, args, threshold] = JSON.parse((await runIn(script, 'serve', '--port', '0')).stdout);
    expect([file, threshold]).toEqual([process.execPath, '262144']);
    expect(args.slice(-8)).toEqual([...OPTIONS, LAUNCHER, 'serve', '--port', '0']);
  });

  it('are not needed by other commands, which start in one process', async () => {
    const failing = 'process.execve = require("child_process").spawn = () => process.exit(9);';
    expect((await runIn(failing, 'help')).stdout).toContain('Usage: revgate');
  });
});
