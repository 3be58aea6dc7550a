import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { record } from '../../support/records.ts';
import { runBuilt } from './built-command.ts';
import { CREATE_KEY, openServedPlace } from './databases.ts';
import { type Ended, run, start, testDirectory } from './process.ts';

const place = await openServedPlace();

/** Runs a command on a terminal where somebody types this. */
const typed = (args: string[], stdin: string, options: object = place): Promise<Ended> =>
  run(args, { ...options, isTerminal: true, stdin });

const listKeys = (): Promise<{ id: string; state: string; name: string }[]> => place.json('keys', 'list');
const stateOf = async (id: string) => (await listKeys()).find((key) => key.id === id)?.state;
const createKey = async (...more: string[]): Promise<string> => (await place.createKey(...more)).id;

describe('a command that cannot be undone, on a terminal', () => {
  it('says what it would revoke or delete, and does so for a yes only', async () => {
    const create = ['accounts', 'create', '--name', 'Ada', '--email', 'a@example.com'];
    const account = (await place.run(...create)).stdout.trim();
    const [id, other] = [await createKey('--account', account), await createKey('--account', account)];
    for (const [command, question, refusal, done] of [
      [
        ['keys', 'revoke', id],
        `Revoke key ${id} ("a test", standard, Ada <a@example.com>)? This cannot be undone.`,
        `Key ${id} was not revoked.`,
        `Key ${id} ("a test", standard) is revoked.`,
      ],
      [
        ['accounts', 'delete', 'A@example.com'],
        `Delete account ${account} (Ada <a@example.com>)? Its keys end at once, and its personal data and published documents are removed. This cannot be undone.`,
        `Account ${account} was not deleted.`,
        `Deleted account ${account} and revoked 1 key.`,
      ],
    ] as const) {
      const before = await listKeys();
      for (const answer of ['\n', 'n\n', 'yesterday\n', '']) {
        const refused = await typed([...command], answer);
        expect([refused.code, refused.stdout]).toEqual([1, '']);
        expect(refused.stderr.replace(/\n?revgate: /, '|')).toBe(`${question} [y/N] |${refusal}\n`);
      }
      expect(await listKeys()).toEqual(before);
      expect(await typed([...command], 'y\n')).toMatchObject({ code: 0, stdout: `${done}\n` });
    }
    const ended = (await listKeys()).filter((key) => [id, other].includes(key.id));
    expect(ended.map(({ state, name }) => [state, name])).toEqual(Array(2).fill(['revoked', 'deleted']));
    // Nothing is left to be asked.
    expect(await typed(['keys', 'revoke', id], '')).toMatchObject({ code: 0, stderr: '' });
    const unknown = `revgate: No account has the id "${account}". See: revgate accounts list\n`;
    expect(await place.run('accounts', 'delete', account)).toMatchObject({ code: 1, stderr: unknown });
  });

  it('does not ask with --yes, nor where nobody can answer', async () => {
    const [first, second] = [await createKey(), await createKey()];
    expect(await typed(['keys', 'revoke', first, '--yes'], '')).toMatchObject({ code: 0, stderr: '' });
    expect(await place.run('keys', 'revoke', second)).toMatchObject({ code: 0, stderr: '' });
    expect([await stateOf(first), await stateOf(second)]).toEqual(['revoked', 'revoked']);
  });

  it('treats Ctrl-C as no', async () => {
    const id = await createKey();
    const revoke = start(['keys', 'revoke', id], { ...place, isTerminal: true });
    await revoke.wrote('stderr', /\[y\/N\] $/);
    expect(await revoke.stop('SIGINT')).toMatchObject({ code: 130, stdout: '' });
    expect(await stateOf(id)).toBe('active');
  });
});

describe('a command without a database', () => {
  /** A directory without one, with a file of records and a backup. */
  const newPlace = () => {
    const cwd = testDirectory();
    writeFileSync(join(cwd, 'a.ndjson'), `${JSON.stringify(record('a'))}\n`);
    writeFileSync(join(cwd, 'good.backup.gz'), 'a good backup');
    return { cwd, directory: join(cwd, 'data'), env: { DATA_DIR: 'data' } };
  };
  const FILES = ['a.ndjson', 'good.backup.gz'];

  it('that writes creates one on a terminal for a yes only, which --yes does not answer', async () => {
    const { directory, ...options } = newPlace();
    const args = ['import', 'a.ndjson', '--yes'];
    const refused = await typed(args, 'n\n', options);
    const question = `There is no database in ${directory}. Create one there? [y/N] revgate: No `;
    expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(question) });
    expect(readdirSync(options.cwd)).toEqual(FILES);
    const stderr = expect.stringContaining(`Created a new database in ${directory}.\n`);
    expect(await typed(args, 'yes\n', options)).toMatchObject({ code: 0, stderr });
    const silence = expect.not.stringContaining('database');
    expect(await typed(args, '', options)).toMatchObject({ code: 0, stderr: silence });
  });

  it('that writes names the directory and proceeds without a terminal', async () => {
    const { directory, ...options } = newPlace();
    const stderr = `Created a new database in ${directory}.\n`;
    const args = ['accounts', 'create', '--name', 'Ada', '--json'];
    expect(await run(args, options)).toMatchObject({ code: 0, stderr });
    expect(await run(args, options)).toMatchObject({ code: 0, stderr: '' });
  });

  const missing = (directory: string) =>
    `There is no database in ${directory}: check DATA_DIR or --data-dir, and that its disk is mounted. Only serve, migrate, import, restore, keys create and accounts create can create a database.`;
  const noFile = 'No such file: none. Check its path and the current directory.';
  const NO_EMAIL = '--operator needs --email: an operator signs in with an email address.';
  // What needs the file system is no invalid command line.
  it.each([
    ['import none', 1, noFile],
    ['import .', 1, '. is a directory: specify a file in it.'],
    ['import --rejects r.ndjson a.ndjson', 1, '--rejects is for --skip-invalid only: add --skip-invalid.'],
    ['keys create --name a --tier x --accept-policy', 2, 'Tier: got "x", allowed: standard or premium.'],
    ['accounts create --name a --operator', 2, NO_EMAIL],
    ['documents publish none --key k', 1, noFile],
    ['keys list', 1, missing],
    ['accounts delete ada@example.com', 1, missing],
    ['backup good.backup.gz --yes', 1, missing],
  ] as const)('creates none, and asks for none, where it fails: %s', async (command, code, error) => {
    const { directory, ...options } = newPlace();
    const stderr = `revgate: ${typeof error === 'string' ? error : error(directory)}\n`;
    for (const isTerminal of [false, true]) {
      const ended = await run(command.split(' '), { ...options, isTerminal, stdin: 'y\n' });
      expect(ended).toEqual({ code, stdout: '', stderr });
    }
    expect(readdirSync(options.cwd)).toEqual(FILES);
    expect(readFileSync(join(options.cwd, 'good.backup.gz'), 'utf8')).toBe('a good backup');
  });

  it('that only tries an import creates none, asks for none, and assumes an empty one', async () => {
    const { directory, ...options } = newPlace();
    const none = `There is no database in ${directory} yet. Nothing is created; this assumes an empty one.\n`;
    for (const isTerminal of [false, true]) {
      const ended = await run(['import', '--dry-run', 'a.ndjson'], { ...options, isTerminal, stdin: 'y\n' });
      const stdout = expect.stringMatching(/^Would import 1 startup in .+: 1 created, 0 updated/);
      expect(ended).toMatchObject({ code: 0, stdout, stderr: expect.stringContaining(none) });
    }
    expect(readdirSync(options.cwd)).toEqual(FILES);
  });
});

describe('a new key that cannot be written', () => {
  it('is not created, and the key that it was to replace stays as it was', async () => {
    const rotate = ['keys', 'rotate', await createKey(), '--overlap', '0'];
    const before = await listKeys();
    for (const [command, outputError] of [
      [[...CREATE_KEY, '--json'], 'EPIPE'],
      [rotate, 'ENOSPC'],
    ] as const) {
      const stderr = `revgate: Cannot write the new key (${outputError}), so none was created.\n`;
      expect(await run([...command], { ...place, outputError })).toEqual({ code: 1, stdout: '', stderr });
      const discarded = await run([...command], { ...place, isDiscarded: true });
      expect(discarded).toMatchObject({ code: 1, stderr: expect.stringMatching(/ No key was created\./) });
    }
    expect(await listKeys()).toEqual(before);
    expect(await run(rotate, place)).toMatchObject({ code: 0 });
  });

  it('is not created by the command itself when its output is closed', async () => {
    const { env, cwd } = place;
    const stderr = expect.stringMatching(/revgate: Standard output is closed or discarded, .+\n$/);
    expect(await runBuilt(CREATE_KEY, { env, cwd, closesOutput: true })).toMatchObject({ code: 1, stderr });
  });
});
