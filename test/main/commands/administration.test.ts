import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { only } from '../../support/only.ts';
import { record } from '../../support/records.ts';
import { isRoot, runBuilt } from './built-command.ts';
import { CREATE_KEY, openServedPlace } from './databases.ts';
import { run, testDirectory, USER } from './process.ts';

// All from a second terminal while a server holds the database, whose directory is given as a relative path, as the
// default is.
// On PostgreSQL, the dashboard needs a secret; the embedded database has one of its own.
const place = await openServedPlace({ AUTH_SECRET: 'x'.repeat(32) });
const { json, createKey } = place;

const status = async (key: string): Promise<number> => (await place.get(key)).status;
const listed = async (id: string) =>
  (await json('keys', 'list')).find((one: { id: string }) => one.id === id);

describe('keys create', () => {
  it('without --accept-policy says so first, and shows what the policy forbids', async () => {
    const listIds = async () => (await json('keys', 'list')).map(({ id }: { id: string }) => id);
    const before = await listIds();
    const { code, stdout, stderr } = await place.run('keys', 'create', '--name', 'n', '--tier', 'standard');
    expect([code, stdout]).toEqual([1, '']);
    const lines = [
      /^--accept-policy: missing option\. To create a key, you must accept the acceptable-use policy\.$/,
      /^The policy does not allow you to clone businesses, ([^,]+, ){5}evade access/,
      /^Read version \d{4}-\d\d-\d\d in docs\/policy\.md or at \/policy /,
    ];
    const said = stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^revgate: /, ''));
    expect(said).toEqual(lines.map((line) => expect.stringMatching(line)));
    expect(await listIds()).toEqual(before);
  });

  it('prints the key alone on standard output, and what it is on standard error', async () => {
    const { code, stdout, stderr } = await place.run(...CREATE_KEY, '--name', 'mine', '--tier', 'premium');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^rvg_[0-9A-Za-z]{38}\n$/)]);
    expect(stderr).toMatch(/^Created key key_\w+ \(premium, "mine"\)\. It is shown only once\.\n$/);
    expect((await place.get(stdout.trimEnd())).headers.get('x-ratelimit-limit')).toBe('60');
  });

  it('may allow snapshots, and embed keys need origins, which others have not', async () => {
    expect(await listed((await createKey('--snapshot')).id)).toMatchObject({ snapshot: true });
    const origin = ['--origin', 'https://example.com'];
    for (const [options, error] of [
      [['--embed'], /^revgate: --origin: missing option\. An embed key needs the origins of its pages/],
      [origin, /^revgate: --origin is for embed keys only: add --embed\.\n$/],
    ] as const) {
      const stderr = expect.stringMatching(error);
      expect(await place.run(...CREATE_KEY, ...options)).toEqual({ code: 1, stdout: '', stderr });
    }
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

describe('keys list', () => {
  it('shows each key by its first 8 characters and never the key', async () => {
    const { id, key } = await createKey('--expires', '2099-01-01');
    const table = await place.run('keys', 'list');
    const [header, ...rows] = table.stdout.trimEnd().split('\n');
    expect(header).toMatch(/^ID +KEY +TIER +STATE +LAST USE +NAME$/);
    const cells = [id, `${key.slice(0, 8)}…`, 'standard', 'expires 2099-01-01', '–', 'a test'];
    expect(rows.find((row) => row.startsWith(id))?.split(/ {2,}/)).toEqual(cells);
    const found = await listed(id);
    const expiresAt = '2099-01-01T00:00:00.000Z';
    expect(found).toMatchObject({ prefix: key.slice(0, 8), state: 'active', expiresAt });
    for (const text of [table.stdout, JSON.stringify(found)]) {
      expect(text).not.toContain(key.slice(0, 9));
      expect(text).not.toContain('hash');
    }
  });
});

describe('a change of a key', () => {
  it('prints the key as it is then', async () => {
    const { id } = await createKey();
    for (const [words, change] of [
      [['tier', id, 'premium'], { id, tier: 'premium', state: 'active' }],
      [['allow', id, 'snapshot'], { snapshot: true }],
      [['forbid', id, 'snapshot'], { snapshot: false }],
      [['documents', id, 'trusted'], { trustedOnly: true }],
      [['limit', id, '3'], { rateLimit: 3 }],
      [['limit', id, 'default'], { rateLimit: null }],
      [['disable', id, '--reason', 'why'], { state: 'disabled', disabledReason: 'why' }],
      [['enable', id], { state: 'active' }],
      [['revoke', id], { state: 'revoked', revokedAt: expect.any(String) }],
    ] as const) {
      const shown = await json('keys', ...words);
      expect(shown).toMatchObject(change);
      expect(await listed(id)).toMatchObject(shown);
    }
    for (const words of [`allow ${id} all`, `limit ${id} 0`, `tier ${id} gold`]) {
      expect(await place.run('keys', ...words.split(' '))).toMatchObject({ code: 2, stdout: '' });
    }
  });

  it('says in words what the key is then, as lists do', async () => {
    const { id } = await createKey();
    const { stdout } = await place.run('keys', 'limit', id, '3');
    expect(stdout).toBe(`Key ${id} ("a test", standard) is active. Its own limit is 3 requests a minute.\n`);
    expect((await place.run('keys', 'list')).stdout).toMatch(new RegExp(`^${id} .*standard, 3/min`, 'm'));
  });
});

describe('keys rotate', () => {
  it('with an overlap of 0 ends the old key at once, and prints the new one alone', async () => {
    const { id, key } = await createKey();
    expect(await status(key)).toBe(200);
    const { code, stdout, stderr } = await place.run('keys', 'rotate', id, '--overlap', '0');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^rvg_[0-9A-Za-z]{38}\n$/)]);
    const end = ` It is shown only once. It replaces key ${id}, which ended at once.\n`;
    expect(stderr.replace(/^Created key key_\w+\./, '')).toBe(end);
    await place.clock.advance(1_000);
    expect([await status(stdout.trim()), await status(key)]).toEqual([200, 401]);
  });

  it('lets both work for 24 hours by default, and prints JSON as creating does', async () => {
    const { id, key } = await createKey();
    const next = await json('keys', 'rotate', id);
    expect(Object.keys(next)).toEqual(['id', 'key', 'tier', 'name']);
    expect([await status(key), await status(next.key)]).toEqual([200, 200]);
    expect(Date.parse((await listed(id)).expiresAt) - place.clock.now()).toBe(24 * 3_600_000);
    const again = await place.run('keys', 'rotate', next.id, '--overlap', '1h');
    const how = `which works until .+Z; to end it now: npx revgate keys revoke ${next.id}\\.\n$`;
    expect(again.stderr).toMatch(new RegExp(how));
  });
});

describe('accounts', () => {
  it('are created, given keys, disabled with a reason and enabled', async () => {
    const made = await place.run('accounts', 'create', '--name', 'Ada', '--email', 'Ada@example.com');
    expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^acc_\w{12}\n$/), stderr: '' });
    const id = made.stdout.trim();
    const { key } = await createKey('--account', id);
    for (const [command, state, expected] of [
      [['disable', id, '--reason', 'sold the data'], 'disabled', 403],
      [['enable', id], 'active', 200],
    ] as const) {
      expect((await place.run('accounts', ...command)).stdout).toBe(`Account ${id} is ${state}.\n`);
      await place.clock.advance(1_000);
      expect(await status(key)).toBe(expected);
      const table = (await place.run('accounts', 'list')).stdout.trimEnd().split('\n');
      expect(table[0]).toMatch(/^ID +STATE +ROLE +KEYS +ACCOUNT$/);
      const cells = [id, state, '–', '1', 'Ada <ada@example.com>'];
      expect(table.find((line) => line.startsWith(id))?.split(/ {2,}/)).toEqual(cells);
    }
  });

  it('are created as operators, with a link to set the password', async () => {
    const create = ['accounts', 'create', '--name', 'Olga', '--email', 'Olga@example.com', '--operator'];
    const made = await json(...create);
    expect(made).toMatchObject({ email: 'olga@example.com', emailVerified: true, operator: true });
    const reset = '/dashboard/reset-password\\?token=(\\w{32})&next=/dashboard/second-factor$';
    const [, token = ''] = new RegExp(`^http://127.0.0.1:\\d+${reset}`).exec(made.passwordUrl) ?? [];
    expect(token).not.toBe('');
    const log = await json('audit');
    const actions = log.flatMap((one: Record<string, string>) => (one.subject === made.id ? one.action : []));
    expect(actions).toEqual(['account.link', 'account.promote', 'account.create']);
    expect(JSON.stringify(log)).not.toContain(token);
    expect((await place.run(...create)).code).toBe(1);
  });

  it('get a link to set a password, which ends the one before, operators too', async () => {
    const create = ['--name', 'Pia', '--email', 'pia@example.com', '--operator'];
    const { id } = await json('accounts', 'create', ...create);
    const { stdout } = await place.run('accounts', 'password-link', 'Pia@example.com');
    const shown = new RegExp(
      '^(acc_\\w{12})\nTo set the password, open .+:\n {2}(http://127.0.0.1:\\d+)/\\S+\\?token=(\\w{32})\n' +
        'If the server has another address than \\2, put that in its place\\.\n$',
    ).exec(stdout);
    expect(shown?.[1]).toBe(id);
    const { passwordUrl } = await json('accounts', 'password-link', id);
    for (const [token, expected] of [
      [shown?.[3], 400],
      [new URL(passwordUrl).searchParams.get('token'), 200],
    ]) {
      const { status } = await fetch(`${place.served.url}/dashboard/reset-password?token=${token}`);
      expect(status).toBe(expected);
    }
    const nobody = await place.run('accounts', 'create', '--name', 'Nobody');
    expect(await place.run('accounts', 'password-link', nobody.stdout.trim())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no email address'),
    });
  });

  it('get links to the address of the server, whose settings a command need not have', async () => {
    const other = await openServedPlace({ PUBLIC_URL: 'https://gate.example' });
    const options = { ...other, env: { ...other.env, PUBLIC_URL: '' } };
    const create = ['--name', 'Olga', '--email', 'olga@example.com', '--operator'];
    expect((await run(['accounts', 'create', ...create], options)).stdout).toMatch(
      /\n {2}https:\/\/gate\.example\/dashboard\/reset-password\?token=\S+\n$/,
    );
    const env = { ...other.env, PUBLIC_URL: 'https://moved.example' };
    const link = await run(['accounts', 'password-link', 'olga@example.com'], { ...other, env });
    expect(link.stdout).toContain('  https://moved.example/dashboard/');
  });

  it('do not become operators while their address is not confirmed, and may lose their second factor', async () => {
    const { stdout } = await place.run('accounts', 'create', '--name', 'Bob', '--email', 'bob@example.com');
    const id = stdout.trim();
    const stderr = `revgate: The email address of account ${id} is not confirmed: its user must first sign up or reset the password.\n`;
    expect(await place.run('accounts', 'promote', 'Bob@example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr,
    });
    for (const [command, done] of [
      ['reset-2fa', 'has no second factor any more'],
      ['demote', 'is not an operator'],
    ] as const) {
      expect((await place.run('accounts', command, id)).stdout).toBe(`Account ${id} ${done}.\n`);
    }
  });
});

describe('audit', () => {
  it('lists actor, action, subject and reason, the latest action first', async () => {
    const { id } = await createKey();
    const file = place.write('audited.ndjson', `${JSON.stringify(record('audited'))}\n`);
    expect(await place.run('import', file)).toMatchObject({ code: 0 });
    await place.run('keys', 'disable', id, '--reason', 'cloned a business');
    const entries = await json('audit');
    const counts = { created: 1, updated: 0, unchanged: 0, rejected: 0 };
    expect(entries.slice(0, 3)).toMatchObject([
      { actor: USER, action: 'key.disable', subject: id, details: { reason: 'cloned a business' } },
      { actor: USER, action: 'startups.import', subject: expect.stringMatching(/^\d+$/), details: counts },
      { actor: USER, action: 'key.create', subject: id },
    ]);
    const [header, row] = (await place.run('audit', '--limit', '1')).stdout.split('\n');
    expect(header).toMatch(/^TIME +ACTOR +ACTION +SUBJECT +DETAILS$/);
    expect(row).toContain(`${USER}  key.disable  ${id}  reason="cloned a business"`);
    const all = await json('audit', '--limit', '1000');
    expect(all.at(-1)).toMatchObject({ actor: 'revgate serve', action: 'policy.publish' });
  });
});

it('an empty list says so on standard error', async () => {
  // Only on loopback does a first start create a key.
  const empty = await openServedPlace({ HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1', DRAIN_DELAY: '0' });
  for (const [command, message] of [
    ['keys list', /^There are no keys yet\. Create one: npx revgate keys create --name NAME .+\n$/],
    ['accounts list', /^There are no accounts yet\. .+\n$/],
    ['imports', /^There are no imports yet\. .+\n$/],
  ] as const) {
    const args = command.split(' ');
    const stderr = expect.stringMatching(message);
    expect(await empty.run(...args)).toEqual({ code: 0, stdout: '', stderr });
    expect(await empty.json(...args)).toEqual([]);
  }
});

it('tables fit a terminal without truncation, and have one line for each row elsewhere', async () => {
  const name = 'a name as long as one may be, more than a terminal has '.repeat(2).slice(0, 99).trim();
  const { id } = await createKey('--name', name, '--expires', '2099-01-01');
  await place.run(
    'accounts',
    'create',
    '--name',
    name,
    '--email',
    `${'a'.repeat(60)}@${'b'.repeat(40)}.example`,
  );
  await place.run('keys', 'disable', id, '--reason', name.repeat(4));
  for (const args of [['keys', 'list'], ['accounts', 'list'], ['imports'], ['audit']]) {
    const { stdout } = await run(args, { ...place, isTerminal: true });
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const whole = (await run(args, place)).stdout;
    expect(stdout.replace(/\s+/g, '')).toBe(whole.replace(/\s+/g, ''));
    // Only what is longer than a line is broken within.
    const words = whole.split(/\s+/).filter((word) => word.length < 76);
    expect(stdout.split(/\s+/)).toEqual(expect.arrayContaining(words));
  }
  expect((await place.run('keys', 'list')).stdout).toMatch(new RegExp(`^${id} .+ ${name}$`, 'm'));
});
