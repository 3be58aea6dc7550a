import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../support/only.ts';
import { runBuilt } from './built-command.ts';
import { openServedPlace, type ServedPlace } from './databases.ts';
import { type Ended, run, testDirectory } from './process.ts';

const KEY = /^rvg_[0-9A-Za-z]{38}$/;

// All from a second terminal while a server holds the database. The directory is given as a relative path,
// as the default is.
let place: ServedPlace;
beforeAll(async () => {
  place = await openServedPlace();
});
afterAll(() => place?.close());

const keys = (...args: string[]): Promise<Ended> => run(['keys', ...args], place);

async function createKey(
  ...more: string[]
): Promise<{ id: string; key: string; tier: string; name: string }> {
  const made = await keys(
    'create',
    '--name',
    'a test',
    '--tier',
    'standard',
    '--accept-policy',
    '--json',
    ...more,
  );
  expect([made.code, made.stderr]).toEqual([0, '']);
  return JSON.parse(made.stdout);
}

async function ids(): Promise<string[]> {
  return JSON.parse((await keys('list', '--json')).stdout).map(({ id }: { id: string }) => id);
}

async function request(key: string): Promise<Response> {
  return fetch(`${place.served.url}/api/v1/startups`, { headers: { Authorization: `Bearer ${key}` } });
}

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

  it('of an embed key without --origin says what is missing', async () => {
    const line = ['create', '--name', 'n', '--tier', 'standard', '--accept-policy', '--embed'];
    expect(await keys(...line)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'revgate: --origin: missing option. An embed key needs the origins of its pages, such as https://example.com.\n',
    });
  });

  it('prints the key alone on standard output, and what it is on standard error', async () => {
    const { code, stdout, stderr } = await keys(
      'create',
      '--name',
      'mine',
      '--tier',
      'premium',
      '--accept-policy',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^.+\n$/);
    expect(stdout.trimEnd()).toMatch(KEY);
    expect(stderr).toMatch(/^Created key key_\w+ \(premium, "mine"\)\. It is shown only once\.\n$/);
    expect((await request(stdout.trimEnd())).headers.get('x-ratelimit-limit')).toBe('60');
  });

  it('with --json prints one object of id, key, tier and name', async () => {
    const made = await createKey();
    expect(Object.keys(made)).toEqual(['id', 'key', 'tier', 'name']);
    expect(made).toMatchObject({ tier: 'standard', name: 'a test', key: expect.stringMatching(KEY) });
    expect((await request(made.key)).status).toBe(200);
  });

  it('reports every error of the request, one line each, and creates nothing', async () => {
    const before = await ids();
    const invalid = [
      'create',
      '--name',
      'two\nlines',
      '--tier',
      'gold',
      '--accept-policy',
      '--expires',
      'tomorrow',
    ];
    const { code, stdout, stderr } = await keys(...invalid);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^revgate: Name: got "two\\nlines", allowed: /),
      expect.stringMatching(/^revgate: Tier: got "gold", allowed: /),
      expect.stringMatching(/^revgate: Expiry: got "tomorrow", allowed: /),
    ]);
    expect(await ids()).toEqual(before);
  });

  // Containers run under numbers that have no name.
  only(process.getuid?.() === 0, 'root').it('works for a user without a name', async () => {
    const directory = testDirectory();
    const uid = 54_321;
    chmodSync(directory, 0o700);
    chownSync(directory, uid, uid);
    const args = ['keys', 'create', '--name', 'n', '--tier', 'standard', '--accept-policy', '--json'];
    const options = { env: { DATA_DIR: 'data' }, cwd: directory };
    expect(await runBuilt(args, { ...options, uid })).toMatchObject({
      code: 0,
      stderr: `Created a new database in ${join(directory, 'data')}.\n`,
    });
    const [key] = JSON.parse((await run(['keys', 'list', '--json'], options)).stdout);
    expect(key.policyAcceptedBy).toBe(`user ${uid}`);
  });
});

describe('an empty list', () => {
  it.each([
    ['keys list', /^There are no keys yet\. Create one: revgate keys create\n$/],
    ['accounts list', /^There are no accounts yet\. .+\n$/],
    ['imports', /^There are no imports yet\. .+\n$/],
  ])('says so on standard error: %s', async (command, message) => {
    const options = { cwd: testDirectory(), env: { DATA_DIR: 'data' } };
    expect(await run(['import', '--dry-run', '-'], { ...options, stdin: '{}' })).toMatchObject({ code: 1 });
    expect(await run(command.split(' '), options)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect((await run([...command.split(' '), '--json'], options)).stdout).toBe('[]\n');
  });
});

describe('keys list', () => {
  it('shows each key by its first 8 characters and never the key', async () => {
    const { id, key } = await createKey('--expires', '2099-01-01');
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

describe('keys revoke, disable, enable and tier', () => {
  it('act on a running server within a second', async () => {
    const { id, key } = await createKey();
    expect((await request(key)).status).toBe(200);
    const within = async (
      change: string[],
      reported: RegExp,
      check: () => Promise<unknown>,
      expected: unknown,
    ) => {
      expect(await keys(...change)).toEqual({ code: 0, stdout: expect.stringMatching(reported), stderr: '' });
      await place.clock.advance(1_000);
      expect(await check()).toBe(expected);
    };
    const status = async () => (await request(key)).status;
    const limit = async () => (await request(key)).headers.get('x-ratelimit-limit');
    await within(['tier', id, 'premium'], /^Key \S+ \("a test", premium\) is active\.\n$/, limit, '60');
    await within(['disable', id], /is disabled\.\n$/, status, 403);
    await within(['enable', id], /is active\.\n$/, status, 200);
    await within(['revoke', id], /is revoked\.\n$/, status, 401);
    // For good.
    expect((await keys('enable', id)).stdout).toMatch(/is revoked\.\n$/);
    expect(await status()).toBe(401);
  });

  it.each([
    [['revoke', 'key_unknown']],
    [['disable', 'key_unknown']],
    [['enable', 'key_unknown']],
    [['tier', 'key_unknown', 'premium']],
  ])('%j reports that there is no such key', async (args) => {
    expect(await keys(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'revgate: No key has the id "key_unknown". See: revgate keys list\n',
    });
  });
});
