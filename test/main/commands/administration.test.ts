import { describe, expect, it } from 'vitest';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import { USER } from './process.ts';

const place = await openServedPlace();

const status = async (key: string): Promise<number> => (await place.get(key)).status;

describe('keys rotate', () => {
  it('with an overlap of 0 ends the old key at once, and prints the new one alone', async () => {
    const { id, key } = await place.createKey();
    expect(await status(key)).toBe(200);
    const { code, stdout, stderr } = await place.run('keys', 'rotate', id, '--overlap', '0');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rvg_[0-9A-Za-z]{38}\n$/);
    expect(stderr).toMatch(
      new RegExp(
        `^Created key key_\\w+\\. It is shown only once\\. It replaces key ${id}, which ended at once\\.\n$`,
      ),
    );
    expect(await status(stdout.trim())).toBe(200);
    await place.clock.advance(1_000);
    expect(await status(key)).toBe(401);
  });

  it('lets both work for 24 hours by default, and prints JSON as creating does', async () => {
    const { id, key } = await place.createKey();
    const next = await place.json('keys', 'rotate', id);
    expect(Object.keys(next)).toEqual(['id', 'key', 'tier', 'name']);
    expect([await status(key), await status(next.key)]).toEqual([200, 200]);
    const old = (await place.json('keys', 'list')).find((one: { id: string }) => one.id === id);
    expect(Date.parse(old.expiresAt) - place.clock.now()).toBe(24 * 3_600_000);
    const again = await place.run('keys', 'rotate', next.id, '--overlap', '1h');
    expect(again.stderr).toMatch(
      new RegExp(
        `It replaces key ${next.id}, which works until .+Z; to end it now: npx revgate keys revoke ${next.id}\\.\n$`,
      ),
    );
  });
});

describe('keys limit', () => {
  it('applies within a second, and says so in headers and cost errors', async () => {
    const { id, key } = await place.createKey();
    const limited = await place.run('keys', 'limit', id, '3');
    expect(limited.stdout).toBe(
      `Key ${id} ("a test", standard) is active. Its own limit is 3 requests a minute.\n`,
    );
    await place.clock.advance(1_000);
    const { headers } = await place.get(key);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['3', '2']);
    const list = (await place.run('keys', 'list')).stdout.split('\n').find((row) => row.startsWith(id));
    expect(list).toContain('standard, 3/min');
    expect(await place.json('keys', 'limit', id, 'default')).toMatchObject({ rateLimit: null });
    await place.clock.advance(1_000);
    expect((await place.get(key)).headers.get('x-ratelimit-limit')).toBe('10');
    expect(await place.run('keys', 'limit', id, '0')).toMatchObject({ code: 2 });
  });
});

describe('accounts', () => {
  it('are created, given keys, disabled with a reason and enabled', async () => {
    const made = await place.run('accounts', 'create', '--name', 'Ada', '--email', 'Ada@example.com');
    expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^acc_\w{12}\n$/), stderr: '' });
    const id = made.stdout.trim();
    const { key } = await place.createKey('--account', id);
    expect(await status(key)).toBe(200);
    expect((await place.run('accounts', 'disable', id, '--reason', 'sold the data')).stdout).toBe(
      `Account ${id} is disabled.\n`,
    );
    await place.clock.advance(1_000);
    expect(await status(key)).toBe(403);
    const table = (await place.run('accounts', 'list')).stdout.trimEnd().split('\n');
    expect(table[0]).toMatch(/^ID +STATE +ROLE +KEYS +ACCOUNT$/);
    expect(table.find((line) => line.startsWith(id))?.split(/ {2,}/)).toEqual([
      id,
      'disabled',
      '–',
      '1',
      'Ada <ada@example.com>',
    ]);
    expect((await place.run('accounts', 'enable', id)).stdout).toBe(`Account ${id} is active.\n`);
    await place.clock.advance(1_000);
    expect(await status(key)).toBe(200);
  });

  it('are created as operators, with a link to set the password', async () => {
    const create = ['accounts', 'create', '--name', 'Olga', '--email', 'Olga@example.com', '--operator'];
    const made = await place.json(...create);
    expect(made).toMatchObject({ email: 'olga@example.com', emailVerified: true, operator: true });
    expect(made.passwordUrl).toMatch(
      /^http:\/\/localhost:\d+\/dashboard\/reset-password\?token=\w{32}&next=\/dashboard\/second-factor$/,
    );
    const [token = ''] = /\w{32}/.exec(made.passwordUrl) ?? [];
    const log = await place.json('audit');
    expect(log.filter(({ subject }: { subject: string }) => subject === made.id)).toMatchObject([
      { action: 'account.link' },
      { action: 'account.promote' },
      { action: 'account.create' },
    ]);
    expect(JSON.stringify(log)).not.toContain(token);
    expect((await place.run(...create)).code).toBe(1);
  });

  it('become operators when their address is confirmed, and only then', async () => {
    const { stdout } = await place.run('accounts', 'create', '--name', 'Bob', '--email', 'bob@example.com');
    const id = stdout.trim();
    expect(await place.run('accounts', 'promote', 'Bob@example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr: `revgate: The email address of account ${id} is not confirmed: its user must first sign up or reset the password.\n`,
    });
    expect(await place.run('accounts', 'promote', 'nobody@example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'revgate: No account has the email address "nobody@example.com". See: revgate accounts list\n',
    });
    expect((await place.run('accounts', 'reset-2fa', 'bob@example.com')).stdout).toBe(
      `Account ${id} has no second factor any more.\n`,
    );
    expect((await place.json('audit'))[0]).toMatchObject({ action: 'account.factor-reset', subject: id });
    expect((await place.run('accounts', 'demote', id)).stdout).toBe(`Account ${id} is not an operator.\n`);
  });
});

describe('audit', () => {
  it('lists actor, action, subject and reason, the latest action first', async () => {
    const { id } = await place.createKey();
    const file = place.write('audited.ndjson', `${JSON.stringify(record('audited'))}\n`);
    expect(await place.run('import', file)).toMatchObject({ code: 0 });
    await place.run('keys', 'disable', id, '--reason', 'cloned a business');
    const entries = await place.json('audit');
    const [last, imported, first] = entries;
    expect(last).toMatchObject({
      actor: USER,
      action: 'key.disable',
      subject: id,
      details: { reason: 'cloned a business' },
    });
    expect(imported).toMatchObject({
      actor: USER,
      action: 'startups.import',
      subject: expect.stringMatching(/^\d+$/),
      details: { created: 1, updated: 0, unchanged: 0, rejected: 0 },
    });
    expect(first).toMatchObject({ actor: USER, action: 'key.create', subject: id });
    expect(entries.at(-1)).toMatchObject({ actor: 'revgate serve', action: 'policy.publish' });
    const { stdout } = await place.run('audit', '--limit', '1');
    const [header, row] = stdout.split('\n');
    expect(header).toMatch(/^TIME +ACTOR +ACTION +SUBJECT +DETAILS$/);
    expect(row).toContain(`${USER}  key.disable  ${id}  reason="cloned a business"`);
  });
});
