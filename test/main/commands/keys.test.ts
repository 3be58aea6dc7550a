import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { only } from '../../support/only.ts';
import { isRoot, runBuilt } from './built-command.ts';
import { CREATE_KEY, openServedPlace } from './databases.ts';
import { run, testDirectory } from './process.ts';

const KEY = /^rvg_[0-9A-Za-z]{38}$/;

// All from a second terminal while a server holds the database. The directory is given as a relative path,
// as the default is.
const place = await openServedPlace();

const keys = (...args: string[]) => place.run('keys', ...args);
const ids = async () => (await place.json('keys', 'list')).map(({ id }: { id: string }) => id);

describe('keys create', () => {
  it('without --accept-policy says so first, and shows what the policy forbids', async () => {
    const before = await ids();
    const { code, stdout, stderr } = await keys('create', '--name', 'n', '--tier', 'standard', '--json');
    expect([code, stdout]).toEqual([1, '']);
    const [error, policy, ...more] = stderr.trimEnd().split('\n');
    expect(error).toBe(
      'revgate: --accept-policy: missing option. To create a key, you must accept the acceptable-use policy.',
    );
    expect(policy).toMatch(
      /^revgate: The policy does not allow you to clone businesses, (?:[^,]+, ){5}evade access controls\.$/,
    );
    expect(more).toEqual([
      expect.stringMatching(
        /^revgate: Read version \d{4}-\d\d-\d\d in docs\/policy\.md or at \/policy of the server, then add --accept-policy\.$/,
      ),
    ]);
    expect(await ids()).toEqual(before);
  });

  it('prints the key alone on standard output, and what it is on standard error', async () => {
    const { code, stdout, stderr } = await place.run(...CREATE_KEY, '--name', 'mine', '--tier', 'premium');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^.+\n$/);
    expect(stdout.trimEnd()).toMatch(KEY);
    expect(stderr).toMatch(/^Created key key_\w+ \(premium, "mine"\)\. It is shown only once\.\n$/);
    expect((await place.get(stdout.trimEnd())).headers.get('x-ratelimit-limit')).toBe('60');
  });

  // Containers run under numbers that have no name.
  only(isRoot, 'root').it('works for a user without a name', async () => {
    const directory = testDirectory();
    const uid = 54_321;
    chmodSync(directory, 0o700);
    chownSync(directory, uid, uid);
    const options = { env: { DATA_DIR: 'data' }, cwd: directory };
    expect(await runBuilt([...CREATE_KEY, '--json'], { ...options, uid })).toMatchObject({
      code: 0,
      stderr: `Created a new database in ${join(directory, 'data')}.\n`,
    });
    const [key] = JSON.parse((await run(['keys', 'list', '--json'], options)).stdout);
    expect(key.policyAcceptedBy).toBe(`user ${uid}`);
  });
});

it('an empty list says so on standard error', async () => {
  // Only on loopback does a first start create a key.
  const empty = await openServedPlace({ HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1', DRAIN_DELAY: '0' });
  for (const [command, message] of [
    [
      'keys list',
      /^There are no keys yet\. Create one: npx revgate keys create --name NAME --tier standard --accept-policy\n$/,
    ],
    ['accounts list', /^There are no accounts yet\. .+\n$/],
    ['imports', /^There are no imports yet\. .+\n$/],
  ] as const) {
    const args = command.split(' ');
    expect(await empty.run(...args)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(await empty.json(...args)).toEqual([]);
  }
});

describe('keys list', () => {
  it('shows each key by its first 8 characters and never the key', async () => {
    const { id, key } = await place.createKey('--expires', '2099-01-01');
    const table = await keys('list');
    expect(table).toMatchObject({ code: 0, stderr: '' });
    const [header, ...rows] = table.stdout.trimEnd().split('\n');
    expect(header).toMatch(/^ID +KEY +TIER +STATE +LAST USE +NAME$/);
    expect(rows.find((row) => row.startsWith(id))?.split(/ {2,}/)).toEqual([
      id,
      `${key.slice(0, 8)}…`,
      'standard',
      'expires 2099-01-01',
      '–',
      'a test',
    ]);
    const json = await keys('list', '--json');
    expect(JSON.parse(json.stdout)).toContainEqual(
      expect.objectContaining({
        id,
        prefix: key.slice(0, 8),
        state: 'active',
        expiresAt: '2099-01-01T00:00:00.000Z',
      }),
    );
    for (const text of [table.stdout, json.stdout]) {
      expect(text).not.toContain(key.slice(0, 9));
      expect(text).not.toContain('hash');
    }
  });
});
