import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ended, run, start, testDirectory } from './process.ts';

interface CommandHelp {
  /** The words of the command, without its arguments. */
  readonly words: readonly string[];
  /** What its --help prints on a terminal. */
  readonly help: Ended;
  /** Whether it only has other commands. */
  readonly isGroup: boolean;
}

/** Every command there is. */
async function allCommands(words: readonly string[] = []): Promise<CommandHelp[]> {
  const help = await run([...words, '--help'], { isTerminal: true });
  const list = /^Commands:\n([\s\S]+?)\n\n/m.exec(help.stdout)?.[1] ?? '';
  const names = [...list.matchAll(/^ {2}([a-z0-9-]+)/gm)].map(([, name = '']) => name);
  const children = names.filter((name) => name !== 'help').map((name) => [...words, name]);
  const below = await Promise.all(children.map((child) => allCommands(child)));
  return [{ words, help, isGroup: children.length > 0 }, ...below.flat()];
}

const commands = await allCommands();

/** Without the examples, which are to be copied. */
const longestLine = ({ stdout }: Ended): number =>
  Math.max(...(stdout.split('\nExample')[0] ?? '').split('\n').map(({ length }) => length));

/** The words of a help text, without those that only lay it out. */
const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '\\' && word !== 'variable' && word !== 'meaning')
    .sort();

describe('the help', () => {
  it.each(commands)('of `$words` has examples and fits a terminal', async ({ words, help }) => {
    const stdout = expect.stringMatching(/\nExamples?:\n {2}\S/);
    expect(help).toEqual({ code: 0, stdout, stderr: '' });
    expect(longestLine(help)).toBeLessThanOrEqual(80);
    const narrow = await run(['help', ...words], { isTerminal: true, columns: 60 });
    expect(longestLine(narrow)).toBeLessThanOrEqual(60);
    // No word was broken or lost.
    expect(wordsOf(narrow.stdout)).toEqual(wordsOf(help.stdout));
  });

  it('of a command never runs it, and every command that uses a database has --data-dir', async () => {
    const { code, stdout } = await run(['help', 'import', 'none.ndjson']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: revgate import /)]);
    expect(commands.length).toBeGreaterThan(25);
    const without = commands.filter(
      ({ isGroup, help }) => !isGroup && !help.stdout.includes('--data-dir <dir'),
    );
    expect(without).toMatchObject([{ words: ['sample'] }]);
  });
});

describe('a mistake on the command line', () => {
  it.each([
    ['impor', "unknown command 'impor' (Did you mean import?) See: npx revgate help"],
    ['help impor', "unknown command 'impor' (Did you mean import?) See: npx revgate help"],
    ['keys creat', "unknown command 'creat' (Did you mean create?) See: npx revgate help keys"],
    ['keys list --jsn', "unknown option '--jsn' (Did you mean --json?) See: npx revgate help keys list"],
    ['import', "missing required argument 'file'. See: npx revgate help import"],
    ['keys create --tier x', "required option '--name <name>' not specified. See: npx revgate help keys"],
    ['keys list x', "too many arguments for 'list'. Expected 0 arguments but got 1. See: npx revgate help"],
    ['serve --port x', "'--port <n>' argument 'x' is invalid. Allowed: an integer from 0 to 65535. See: "],
    [
      'import --decimal dot a',
      "'--decimal <mark>' argument 'dot' is invalid. Allowed: one of point, comma. See: ",
    ],
    ['import --as-of may a', "argument 'may' is invalid. Allowed: a day in UTC such as 2026-05-31. See: "],
    ['import a.csv --map =name', "argument '=name' is invalid. Allowed: a name and a value joined by =."],
    ['mcp', 'mcp was removed: connect agents to /mcp'],
    ['documents publish x --key k --tool', '--tool was removed: agents have the tools of the server'],
    ['import --errors=a.json a.csv', 'import --errors was removed: import prints the first 100 errors, and'],
  ])('is one line that says what to do next: %s', async (line, message) => {
    const { code, stdout, stderr } = await run(line.split(' '));
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toMatch(/^revgate: /);
    expect(stderr).toContain(message);
  });
});

describe('serve', () => {
  it('takes port, host and directory from options before the environment, and ends with 0 after SIGINT', async () => {
    const cwd = testDirectory();
    const env = { PORT: '1', HOST: '192.0.2.1', DATA_DIR: 'other', LOG_LEVEL: 'warn' };
    const args = ['serve', '--port', '0', '--host', 'localhost', '--data-dir', 'mine'];
    const started = start(args, { cwd, env });
    onTestFinished(async () => void (await started.stop()));
    await started.wrote('stdout', /Listening on http:\/\/localhost:\d+\. /);
    expect(started.stdout()).toContain(`the embedded database in ${join(cwd, 'mine')}\n`);
    // As other commands do.
    const options = { cwd, env: { DATA_DIR: 'other' } };
    const create = ['accounts', 'create', '--name', 'Ada', '--data-dir', 'mine'];
    expect(await run(create, options)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['accounts', 'list'], options)).toMatchObject({ code: 1 });
    const { stdout } = await run(['doctor', '--data-dir', 'mine'], options);
    expect(stdout).toContain(`The embedded database in ${join(cwd, 'mine')}, PostgreSQL`);
    const ended = expect.stringMatching(/Stopped\.\n$/);
    expect(await started.stop('SIGINT')).toMatchObject({ code: 0, stdout: ended });
  });

  it('rejects --data-dir when DATABASE_URL is set', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const stderr =
      'revgate: --data-dir is for the embedded database, but DATABASE_URL is set: use only one of them.\n';
    expect(await run(['serve', '--data-dir', 'mine'], { env })).toEqual({ code: 1, stdout: '', stderr });
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

  it.each(['sample', '--help'])('says when the output of %s cannot be written', async (command) => {
    const stderr = 'revgate: Cannot write to standard output (ENOSPC).\n';
    expect(await run([command], { outputError: 'ENOSPC' })).toMatchObject({ code: 1, stderr });
  });

  it('says nothing when the reader of its output has seen enough', async () => {
    expect(await run(['sample'], { outputError: 'EPIPE' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
