import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServedPlace, type ServedPlace } from './databases.ts';
import { type Ended, run, start, testDirectory } from './process.ts';

let place: ServedPlace;
beforeAll(async () => {
  place = await openServedPlace();
});
afterAll(() => place?.close());

const CREATE = ['keys', 'create', '--name', 'a test', '--tier', 'premium', '--accept-policy'];

/** Runs a command on a terminal where somebody types this. */
const typed = (args: string[], stdin: string, options: object = place): Promise<Ended> =>
  run(args, { ...options, isTerminal: true, stdin });

async function listKeys(): Promise<{ id: string; state: string; name: string }[]> {
  return JSON.parse((await run(['keys', 'list', '--json'], place)).stdout);
}

async function stateOf(id: string): Promise<string | undefined> {
  return (await listKeys()).find((key) => key.id === id)?.state;
}

async function createKey(...more: string[]): Promise<string> {
  return JSON.parse((await run([...CREATE, '--json', ...more], place)).stdout).id;
}

describe('keys revoke on a terminal', () => {
  it('says what it would revoke, and revokes it for a yes only', async () => {
    const account = await run(['accounts', 'create', '--name', 'Ada', '--email', 'a@example.com'], place);
    const id = await createKey('--account', account.stdout.trim());
    for (const answer of ['\n', 'n\n', 'yesterday\n', '']) {
      const refused = await typed(['keys', 'revoke', id], answer);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(
        `Revoke key ${id} ("a test", premium, held by Ada <a@example.com>)? This cannot be undone. [y/N] `,
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
    expect(await run(['keys', 'revoke', second], place)).toMatchObject({ code: 0, stderr: '' });
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
  it('creates one on a terminal for a yes only', async () => {
    const cwd = testDirectory();
    const directory = join(cwd, 'data');
    const options = { env: { DATA_DIR: 'data' }, cwd };
    const refused = await typed(['keys', 'list'], 'n\n', options);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      new RegExp(
        `^There is no database in ${directory}\\. Create one there\\? \\[y/N\\] revgate: No database was created\\. .+\n$`,
      ),
    );
    expect(existsSync(directory)).toBe(false);
    expect(await typed(['keys', 'list'], 'yes\n', options)).toMatchObject({ code: 0 });
    expect(await typed(['keys', 'list'], '', options)).toMatchObject({ code: 0, stderr: '' });
  });

  it('without a terminal names the directory and proceeds', async () => {
    const cwd = testDirectory();
    const options = { env: { DATA_DIR: 'data' }, cwd };
    const stderr = `Created a new database in ${join(cwd, 'data')}.\n`;
    expect(await run(['accounts', 'list', '--json'], options)).toEqual({ code: 0, stdout: '[]\n', stderr });
  });
});

describe('a new key that cannot be written', () => {
  /** Runs a command that creates a key, and returns the state of that key, which the error names. */
  async function makeUnwritten(args: string[], outputError: string): Promise<string | undefined> {
    const { code, stderr } = await run(args, { ...place, outputError });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot write the new key (${outputError})`)]);
    const [, id = ''] = /Key (\w+) was revoked: create another\.\n$/.exec(stderr) ?? [];
    return stateOf(id);
  }

  it.each([['EPIPE'], ['ENOSPC']])('is revoked (%s)', async (outputError) => {
    expect(await makeUnwritten(CREATE, outputError)).toBe('revoked');
    expect(await makeUnwritten([...CREATE, '--json'], outputError)).toBe('revoked');
  });

  it('is revoked when it was to replace another key, which stays active during the overlap', async () => {
    const id = await createKey();
    expect(await makeUnwritten(['keys', 'rotate', id, '--overlap', '1h'], 'EPIPE')).toBe('revoked');
    expect(await stateOf(id)).toBe('active');
  });
});
