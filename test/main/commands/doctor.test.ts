import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDisk } from '../../../src/main/commands/doctor.ts';
import { createTestDatabase } from '../../support/database.ts';
import { onPostgres, onRedis } from '../../support/only.ts';
import { openSmtpServer } from '../../support/servers/smtp.ts';
import { openServedPlace } from './databases.ts';
import { type RunOptions, run, testDirectory } from './process.ts';

type Found = { check: string; verdict: string; message: string; fix: string | null };

/** What the doctor finds; its exit code goes by the worst verdict. */
async function examine(options: RunOptions): Promise<{ verdict: string; checks: Found[] }> {
  const { code, stdout, stderr } = await run(['doctor', '--json'], options);
  const report = JSON.parse(stdout);
  const errors = report.checks.filter(({ verdict }: Found) => verdict === 'error').length;
  expect([code, stderr]).toEqual(
    errors === 0 ? [0, ''] : [1, expect.stringMatching(`^revgate: ${errors} checks? failed\\.\n$`)],
  );
  for (const { verdict, fix } of report.checks) {
    expect(fix === null).toBe(verdict === 'ok');
  }
  return report;
}

const find = ({ checks }: { checks: Found[] }, name: string): Found[] =>
  checks.filter(({ check }) => check === name);

/** What one check finds in a directory without a database. */
const examineAt = async (env: Record<string, string>, name: string): Promise<Found[]> =>
  find(await examine({ env: { DATA_DIR: 'data', ...env }, cwd: testDirectory() }), name);

it('finds a new directory in order, and creates nothing', async () => {
  const cwd = testDirectory();
  const options = { env: { DATA_DIR: 'data' }, cwd };
  const report = await examine(options);
  const checks = ['versions', 'package', 'settings', 'database', 'redis', 'disk'];
  expect([report.verdict, report.checks.map(({ check }) => check)]).toEqual(['ok', checks]);
  expect(find(report, 'database')[0]?.message).toBe(
    `The embedded database in ${join(cwd, 'data')} does not exist yet; serve creates it.`,
  );
  expect(existsSync(join(cwd, 'data'))).toBe(false);
  const table =
    /^ok {7}versions {2}revgate \S+ on Node \S+\nok {7}package {3}All .+\nok {7}settings {2}All .+\nok {7}database/;
  expect((await run(['doctor'], options)).stdout).toMatch(table);
});

it('looks at an embedded database that nobody serves, at one that is served, and at a damaged one', async () => {
  const cwd = testDirectory();
  const options = { env: { DATA_DIR: 'data' }, cwd };
  await run(['accounts', 'create', '--name', 'Ada'], options);
  const files = readdirSync(join(cwd, 'data'));
  const message = expect.stringMatching(/PostgreSQL 1\d\.\d+, .*is up to date\.$/);
  const upToDate = [{ verdict: 'ok', message }];
  expect(find(await examine(options), 'database')).toMatchObject(upToDate);
  expect(readdirSync(join(cwd, 'data'))).toEqual(files);
  expect(find(await examine(await openServedPlace()), 'database')).toMatchObject(upToDate);
  mkdirSync(join(cwd, 'damaged', 'pg'), { recursive: true });
  const [damaged] = find(await examine({ env: { DATA_DIR: 'damaged' }, cwd }), 'database');
  const fix = expect.stringContaining('revgate restore');
  expect(damaged).toMatchObject({ verdict: 'error', message: expect.stringContaining('does not open'), fix });
});

const secrets = {
  DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/none',
  REDIS_URL: 'redis://someone:hunter2@127.0.0.1:1',
  SMTP_URL: 'smtp://someone:hunter2@127.0.0.1:1',
  AUTH_SECRET: 'hunter2-hunter2-hunter2-hunter2-hunter2',
  METRICS_TOKEN: 'hunter2-hunter2-hunter2',
};

it('finds services that do not answer, and every invalid setting, and prints no secret', async () => {
  const report = await examine({ env: secrets });
  for (const name of ['database', 'redis', 'mail']) {
    const message = expect.stringContaining('ECONNREFUSED');
    expect(find(report, name)).toMatchObject([{ verdict: 'error', message }]);
  }
  expect(find(report, 'database')[0]?.fix).toBe('Start it, or correct the address.');
  const invalid = { DATABASE_URL: 'mysql://hunter2', PORT: 'x', HOST: '0.0.0.0', TRUST_PROXY: '-1' };
  const other = await examine({ env: { ...secrets, ...invalid } });
  const names = find(other, 'settings').map(({ message }) => message.split(':', 1)[0]);
  expect(names).toEqual(['PORT', 'PUBLIC_URL', 'TRUST_PROXY', 'DATABASE_URL']);
  expect(other.checks.map(({ check }) => check)).toContain('redis');
  expect(JSON.stringify([report, other])).not.toContain('hunter2');
});

it('signs in to the mail server, and sends nothing', async () => {
  const { host, received } = await openSmtpServer();
  for (const [password, verdict, message] of [
    ['hunter2', 'ok', 'signed in'],
    ['hunter3', 'error', 'wrong password'],
  ] as const) {
    const found = await examineAt({ SMTP_URL: `smtp://someone:${password}@${host}` }, 'mail');
    expect(found).toMatchObject([{ verdict, message: expect.stringContaining(message) }]);
    expect(JSON.stringify(found)).not.toContain(password);
  }
  expect(received).toEqual([]);
});

it('names a misspelt setting, as every command that reads settings does', async () => {
  const misspelt = { DATABSE_URL: secrets.DATABASE_URL };
  const message = 'DATABSE_URL is not a setting: did you mean DATABASE_URL?';
  const fix = 'Rename or remove the variable.';
  const found = { check: 'settings', verdict: 'warning', message, fix };
  expect(await examineAt(misspelt, 'settings')).toEqual([found]);
  const env = { DATA_DIR: 'data', ...misspelt };
  const { code, stderr } = await run(['keys', 'list'], { env, cwd: testDirectory() });
  expect([code, stderr.split('\n')[0]]).toEqual([1, `Warning: ${message}`]);
});

const PUBLIC_URL = 'https://api.example.com';
const SMTP_URL = 'smtp://127.0.0.1:1';
it.each([
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://api.example.com', SMTP_URL }, /is not https/],
  [{ PUBLIC_URL, SMTP_URL }, /^TRUST_PROXY is 0/],
  [{ PUBLIC_URL, TRUST_PROXY: '1' }, /^SMTP_URL is not set/],
])('warns of %j', async (env, message) => {
  expect(await examineAt(env as Record<string, string>, 'settings')).toMatchObject([
    { verdict: 'warning', message: expect.stringMatching(message) },
  ]);
});

onPostgres.it('reports PostgreSQL', async () => {
  const DATABASE_URL = await createTestDatabase();
  const report = await examine({ env: { DATABASE_URL, AUTH_SECRET: 'x'.repeat(32) } });
  expect(find(report, 'database')[0]?.message).toMatch(/^PostgreSQL \d+\.\d+, schema Gate, is up to date\.$/);
});

onRedis.it('reports Redis', async () => {
  const [found] = await examineAt({ REDIS_URL: process.env.TEST_REDIS_URL as string }, 'redis');
  expect(found?.message).toMatch(/^Redis \d+\.\d+\.\d+, without TLS, can count requests\.$/);
});

it('warns of a disk that is nearly full', () => {
  const verdictOf = (bytes: number) =>
    checkDisk({ kind: 'embedded', directory: 'data' }, () => bytes).verdict;
  expect([2e9, 5e8].map(verdictOf)).toEqual(['ok', 'warning']);
});
