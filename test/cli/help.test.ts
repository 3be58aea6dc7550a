import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run, serve, start, testDirectory } from './process.ts';

/** The words of a command, without its arguments, for every command there is. */
async function allCommands(parent: readonly string[] = []): Promise<string[][]> {
  const { stdout } = await run([...parent, '--help']);
  const list = /^Commands:\n([\s\S]+?)\n\n/m.exec(stdout)?.[1] ?? '';
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  const children = names.filter((name) => name !== 'help').map((name) => [...parent, name]);
  const below = await Promise.all(children.map((child) => allCommands(child)));
  return [[...parent], ...below.flat()];
}

const commands = await allCommands();

describe('the help', () => {
  it('knows every command', () => {
    expect(commands.length).toBeGreaterThan(25);
  });

  it.each(commands)('of `%s %s %s` has examples and fits a terminal', async (...words) => {
    const args = words.filter(Boolean);
    const { code, stdout, stderr } = await run([...args, '--help'], { isTerminal: true });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nExamples?:\n {2}\S/);
    for (const line of stdout.split('\n')) {
      expect(line.length, line).toBeLessThanOrEqual(80);
    }
    expect(await run(['help', ...args], { isTerminal: true })).toEqual({ code, stdout, stderr });
  });

  it.each([['impor'], ['keys', 'creat'], ['--nothing']])(
    'of an unknown command is an error: %s %s',
    async (...words) => {
      const { code, stdout, stderr } = await run(['help', ...words.filter(Boolean)]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^revgate: unknown (command|option) .+\n$/);
    },
  );

  it('of a command never runs it', async () => {
    const { code, stdout } = await run(['help', 'import', 'none.ndjson']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: revgate import /)]);
  });
});

describe('serve', () => {
  it('takes port, host and directory from options before the environment', async () => {
    const cwd = testDirectory();
    const env = { PORT: '1', HOST: '192.0.2.1', DATA_DIR: 'other', LOG_LEVEL: 'warn' };
    const args = ['serve', '--port', '0', '--host', 'localhost', '--data-dir', 'mine'];
    const started = start(args, { cwd, env });
    onTestFinished(async () => void (await started.stop()));
    await started.wrote('stdout', /Listening on http:\/\/localhost:\d+\. /);
    expect(started.stdout()).toContain(`the embedded database in ${join(cwd, 'mine')}\n`);
  });

  it('rejects --data-dir when DATABASE_URL is set', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect(await run(['serve', '--data-dir', 'mine'], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'revgate: --data-dir is for the embedded database, but DATABASE_URL is set: use only one of them.\n',
    });
  });
});

describe('a command that is stopped', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s exits with %d', async (signal, code) => {
    const sample = start(['sample', '--count', '100000000']);
    await sample.wrote('stdout', /\n/);
    const ended = await sample.stop(signal);
    expect([ended.code, ended.stderr]).toEqual([code, 'revgate: Stopped.\n']);
  });

  it('is no error when it was serve and SIGTERM stopped it', async () => {
    const served = await serve({ DATA_DIR: testDirectory() });
    expect(await served.stop()).toBe(0);
    const again = start(['serve', '--port', '0'], { env: { DATA_DIR: testDirectory() } });
    await again.wrote('stdout', /Listening/);
    expect(await again.stop('SIGINT')).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/Stopped\.\n$/),
    });
  });

  it('says when its output cannot be written, unless its reader has seen enough', async () => {
    expect(await run(['sample'], { outputError: 'ENOSPC' })).toMatchObject({
      code: 1,
      stderr: 'revgate: Cannot write to standard output (ENOSPC).\n',
    });
    expect(await run(['sample'], { outputError: 'EPIPE' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
