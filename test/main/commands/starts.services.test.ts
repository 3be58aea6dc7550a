import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { createTestDatabase } from '../../support/database.ts';
import { record } from '../../support/records.ts';
import { SCHEMA } from '../../support/servers/postgres.ts';
import { using } from './databases.ts';
import { run, serve, testDirectory } from './process.ts';

const fields = { email: 'ada@example.com', password: 'correct horse battery' };

async function post(url: string, path: string, form: Record<string, string>): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams(form),
  });
}

it('on loopback without a mail server, links are printed, and a session outlives a restart', async () => {
  const options = { env: { DATA_DIR: 'data' }, cwd: testDirectory() };
  const first = await serve(options.env, options);
  expect((await post(first.url, '/dashboard/sign-up', fields)).status).toBe(200);
  await expect.poll(first.stdout).toContain(`${first.url}/dashboard/reset-password?token=`);
  const token = /reset-password\?token=(\S+)/.exec(first.stdout())?.[1] ?? '';
  const verified = await post(first.url, '/dashboard/reset-password', { token, password: fields.password });
  expect(verified.status).toBe(303);
  const cookie = verified.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(cookie).toMatch(/^revgate\.session_token=/);
  // What is logged holds neither.
  expect(first.stderr()).not.toContain(token.slice(-20));
  expect(await first.stop()).toBe(0);

  const second = await serve(options.env, options);
  const page = await fetch(`${second.url}/dashboard/keys`, { headers: { cookie }, redirect: 'manual' });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('ada@example.com');
});

it('a first start on PostgreSQL makes neither key nor sample', async () => {
  const url = await createTestDatabase();
  const directory = join(testDirectory(), 'unused');
  const { stdout, stop } = await serve({ DATABASE_URL: url, DATA_DIR: directory }, { sampleCount: 3 });
  expect(stdout()).toContain('on PostgreSQL');
  // Nothing that the cookies of a dashboard could be signed with.
  expect(stdout()).not.toMatch(/rvg_|Loaded|\/dashboard/);
  expect(stdout()).toContain('There is no dashboard, because AUTH_SECRET is not set.');
  expect(stdout()).toMatch(/ npx revgate import FILE\n[\s\S]+ npx revgate keys create --name NAME .+\n$/);
  expect(existsSync(directory)).toBe(false);
  const count = ({ prisma }: Database) => Promise.all([prisma.startup.count(), prisma.apiKey.count()]);
  expect(await using({ kind: 'server', url }, count)).toEqual([0, 0]);
  expect(await stop()).toBe(0);
});

it('a command on a server without tables fails, unless it writes', async () => {
  const url = await createTestDatabase();
  const env = { DATABASE_URL: url };
  await using({ kind: 'server', url }, ({ pool }) =>
    pool.query(`DROP SCHEMA ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}`),
  );
  const stdin = `${JSON.stringify(record('a'))}\n`;
  const noTables = 'has no tables of revgate';
  for (const [command, code, stderr] of [
    ['backup a.gz', 1, `revgate: The database of DATABASE_URL ${noTables}: check `],
    ['import --dry-run -', 0, `${noTables} yet. Nothing is created; this assumes an empty`],
    ['accounts create --name Ada', 0, 'Created the tables of revgate in the database of '],
    ['accounts list', 0, ''],
  ] as const) {
    const ended = await run(command.split(' '), { env, stdin });
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(stderr) });
    expect(ended.stderr === '').toBe(stderr === '');
  }
});
