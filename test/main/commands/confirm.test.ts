import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { onPostgres } from '../../support/only.ts';
import { SCHEMA } from '../../support/postgres.ts';
import { record } from '../../support/records.ts';
import { runBuilt } from './built-command.ts';
import { CREATE_KEY, openServedPlace } from './databases.ts';
import { type Ended, run, start, testDirectory } from './process.ts';

const place = await openServedPlace();

const CREATE = [...CREATE_KEY, '--tier', 'premium'];

/** Runs a command on a terminal where somebody types this. */
const typed = (args: string[], stdin: string, options: object = place): Promise<Ended> =>
  run(args, { ...options, isTerminal: true, stdin });

const listKeys = (): Promise<{ id: string; state: string; name: string }[]> => place.json('keys', 'list');
const stateOf = async (id: string) => (await listKeys()).find((key) => key.id === id)?.state;
const createKey = async (...more: string[]): Promise<string> =>
  (await place.createKey('--tier', 'premium', ...more)).id;

describe('keys revoke on a terminal', () => {
  it('says what it would revoke, and revokes it for a yes only', async () => {
    const account = await place.run('accounts', 'create', '--name', 'Ada', '--email', 'a@example.com');
    const id = await createKey('--account', account.stdout.trim());
    for (const answer of ['\n', 'n\n', 'yesterday\n', '']) {
      const refused = await typed(['keys', 'revoke', id], answer);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(
        `Revoke key ${id} ("a test", premium, Ada <a@example.com>)? This cannot be undone. [y/N] `,
      );
      expect(refused.stderr).toMatch(/revgate: Key \S+ was not revoked\.\n$/);
    }
    expect(await stateOf(id)).toBe('active');
    expect(await typed(['keys', 'revoke', id], 'y\n')).toMatchObject({
      code: 0,
      stdout: `Key ${id} ("a test", premium) is revoked.\n`,
    });
    expect(await stateOf(id)).toBe('revoked');
    // Nothing is left to be asked.
    expect(await typed(['keys', 'revoke', id], '')).toMatchObject({ code: 0, stderr: '' });
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

describe('accounts delete', () => {
  it('says what it would delete, and deletes it for a yes only', async () => {
    const create = ['accounts', 'create', '--name', 'Bob', '--email', 'bob@example.com'];
    const account = (await run(create, place)).stdout.trim();
    const key = await createKey('--account', account);
    const refused = await typed(['accounts', 'delete', 'Bob@example.com'], 'n\n');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`Delete account ${account} (Bob <bob@example.com>)? `);
    expect(refused.stderr).toMatch(
      /This cannot be undone\. \[y\/N\] revgate: Account \S+ was not deleted\.\n$/,
    );
    expect(await stateOf(key)).toBe('active');
    expect(await typed(['accounts', 'delete', account], 'y\n')).toMatchObject({
      code: 0,
      stdout: `Deleted account ${account} and revoked 1 key.\n`,
    });
    expect((await listKeys()).find(({ id }) => id === key)).toMatchObject({
      state: 'revoked',
      name: 'deleted',
    });
    expect(await place.run('accounts', 'delete', account)).toMatchObject({
      code: 1,
      stderr: `revgate: No account has the id "${account}". See: revgate accounts list\n`,
    });
  });
});

describe('a command without a database', () => {
  const newDirectory = (): { cwd: string; directory: string; env: { DATA_DIR: string } } => {
    const cwd = testDirectory();
    return { cwd, directory: join(cwd, 'data'), env: { DATA_DIR: 'data' } };
  };

  it('that writes creates one on a terminal for a yes only, which --yes does not answer', async () => {
    const { directory, ...options } = newDirectory();
    writeFileSync(join(options.cwd, 'a.ndjson'), `${JSON.stringify(record('a'))}\n`);
    const args = ['import', 'a.ndjson', '--yes'];
    const refused = await typed(args, 'n\n', options);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      new RegExp(
        `^There is no database in ${directory}\\. Create one there\\? \\[y/N\\] revgate: No database was created\\. .+\n$`,
      ),
    );
    expect(existsSync(directory)).toBe(false);
    const created = await typed(args, 'yes\n', options);
    expect(created.code).toBe(0);
    expect(created.stderr).toContain(`Created a new database in ${directory}.\n`);
    const again = await typed(args, '', options);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('database')]);
  });

  it.each([
    ['import none.ndjson', 'No such file: none.ndjson. Check its path and the current directory.'],
    ['import --rejects rejects.ndjson a.ndjson', '--rejects is for --skip-invalid only: add --skip-invalid.'],
    [
      'keys create --name a --tier standard --accept-policy --origin https://example.com',
      '--origin is for embed keys only: add --embed.',
    ],
    ['keys create --name a --tier gold --accept-policy', 'Tier: got "gold", allowed: standard or premium.'],
    [
      'accounts create --name a --operator',
      '--operator needs --email: an operator signs in with an email address.',
    ],
    [
      'documents publish none.json --key key_0123456789AB',
      'No such file: none.json. Check its path and the current directory.',
    ],
  ])(
    'that writes creates none, and asks for none, before it has checked its options and files: %s',
    async (command, error) => {
      const { directory, ...options } = newDirectory();
      writeFileSync(join(options.cwd, 'a.ndjson'), `${JSON.stringify(record('a'))}\n`);
      for (const isTerminal of [false, true]) {
        expect(await run(command.split(' '), { ...options, isTerminal, stdin: 'y\n' })).toEqual({
          // An invalid value is an invalid command line; what needs the file system is not known from it.
          code: /: got |--email/.test(error) ? 2 : 1,
          stdout: '',
          stderr: `revgate: ${error}\n`,
        });
      }
      expect(existsSync(directory)).toBe(false);
    },
  );

  it('that only tries an import creates none, asks for none, and reports what it would do with an empty one', async () => {
    const { directory, ...options } = newDirectory();
    writeFileSync(join(options.cwd, 'a.ndjson'), `${JSON.stringify(record('a'))}\n`);
    for (const isTerminal of [false, true]) {
      const { code, stdout, stderr } = await run(['import', '--dry-run', 'a.ndjson'], {
        ...options,
        isTerminal,
        stdin: 'y\n',
      });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^Would import 1 startup in .+: 1 created, 0 updated/),
      ]);
      expect(stderr).toContain(
        `There is no database in ${directory} yet. Nothing is created; this assumes an empty one.\n`,
      );
    }
    expect(readdirSync(options.cwd)).toEqual(['a.ndjson']);
  });

  it('that writes names the directory and proceeds without a terminal', async () => {
    const { directory, ...options } = newDirectory();
    const stderr = `Created a new database in ${directory}.\n`;
    const args = ['accounts', 'create', '--name', 'Ada', '--json'];
    expect(await run(args, options)).toMatchObject({ code: 0, stderr });
    expect(await run(args, options)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['keys list'],
    ['keys rotate key_0123456789AB'],
    ['accounts delete ada@example.com'],
    ['backup good.backup.gz --yes'],
  ])('that reads or changes rows fails, and creates none: %s', async (command) => {
    const { directory, ...options } = newDirectory();
    const backup = join(options.cwd, 'good.backup.gz');
    writeFileSync(backup, 'a good backup');
    for (const isTerminal of [false, true]) {
      expect(await run(command.split(' '), { ...options, isTerminal, stdin: 'y\n' })).toEqual({
        code: 1,
        stdout: '',
        stderr: `revgate: There is no database in ${directory}: check DATA_DIR or --data-dir, and that its disk is mounted. Only serve, import, restore, keys create and accounts create can create a database.\n`,
      });
    }
    expect(readdirSync(options.cwd)).toEqual(['good.backup.gz']);
    expect(readFileSync(backup, 'utf8')).toBe('a good backup');
  });

  onPostgres.it('fails as well on a server, unless it writes', async () => {
    const url = await createTestDatabase();
    const env = { DATABASE_URL: url };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`DROP SCHEMA ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}`);
    await client.end();
    expect(await run(['backup', 'a.gz'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^revgate: The database of DATABASE_URL has no tables of revgate: check .+\n$/,
      ),
    });
    const input = `${JSON.stringify(record('a'))}\n`;
    expect(await run(['import', '--dry-run', '-'], { env, stdin: input })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 created'),
      stderr:
        'The database of DATABASE_URL has no tables of revgate yet. Nothing is created; this assumes an empty one.\n',
    });
    const args = ['accounts', 'create', '--name', 'Ada', '--json'];
    expect(await run(args, { env })).toMatchObject({
      code: 0,
      stderr: 'Created the tables of revgate in the database of DATABASE_URL.\n',
    });
    expect(await run(['accounts', 'list'], { env })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a new key that cannot be written', () => {
  it('is not created, and the key that it was to replace stays as it was', async () => {
    const id = await createKey();
    const rotate = ['keys', 'rotate', id, '--overlap', '0'];
    const before = await listKeys();
    for (const [command, outputError] of [
      [[...CREATE, '--json'], 'EPIPE'],
      [rotate, 'ENOSPC'],
    ] as const) {
      expect(await run([...command], { ...place, outputError })).toEqual({
        code: 1,
        stdout: '',
        stderr: `revgate: Cannot write the new key (${outputError}), so none was created.\n`,
      });
      expect(await run([...command], { ...place, isDiscarded: true })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'revgate: Standard output is closed or discarded, so nobody could read the new key. No key was created. Print it to a terminal, a file or another program.\n',
      });
    }
    expect(await listKeys()).toEqual(before);
    expect(await run(rotate, place)).toMatchObject({ code: 0 });
  });

  it('is not created by the command itself when its output is closed', async () => {
    const { env, cwd } = place;
    expect(await runBuilt(CREATE, { env, cwd, closesOutput: true })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/revgate: Standard output is closed or discarded, .+\n$/),
    });
  });
});
