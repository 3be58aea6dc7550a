import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDisk } from '../../../src/main/commands/doctor.ts';
import { createTestDatabase } from '../../support/database.ts';
import { only, onPostgres } from '../../support/only.ts';
import { openServedPlace } from './databases.ts';
import { type RunOptions, run, testDirectory } from './process.ts';

const { TEST_REDIS_URL } = process.env;

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

describe('doctor', () => {
  it('finds a new directory in order, and creates nothing', async () => {
    const cwd = testDirectory();
    const options = { env: { DATA_DIR: 'data' }, cwd };
    const report = await examine(options);
    expect(report.verdict).toBe('ok');
    expect(report.checks.map(({ check }) => check)).toEqual([
      'versions',
      'settings',
      'database',
      'redis',
      'disk',
    ]);
    expect(find(report, 'database')[0]?.message).toBe(
      `The embedded database in ${join(cwd, 'data')} does not exist yet; serve creates it.`,
    );
    expect(existsSync(join(cwd, 'data'))).toBe(false);
    const { code, stdout } = await run(['doctor'], options);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ok {7}versions {2}revgate \S+ on Node \S+\nok {7}settings {2}All .+\nok {7}database/,
    );
  });

  it('looks at an embedded database that nobody serves, and at a damaged one', async () => {
    const cwd = testDirectory();
    const options = { env: { DATA_DIR: 'data' }, cwd };
    await run(['accounts', 'create', '--name', 'Ada'], options);
    const files = readdirSync(join(cwd, 'data'));
    const [found] = find(await examine(options), 'database');
    expect(found?.message).toMatch(/PostgreSQL 1\d\.\d+, is up to date\.$/);
    expect(readdirSync(join(cwd, 'data'))).toEqual(files);

    mkdirSync(join(cwd, 'damaged', 'pg'), { recursive: true });
    const [damaged] = find(await examine({ env: { DATA_DIR: 'damaged' }, cwd }), 'database');
    expect(damaged).toMatchObject({
      verdict: 'error',
      message: expect.stringContaining('does not open'),
      fix: expect.stringContaining('revgate restore'),
    });
  });

  it('looks at a database while it is served', async () => {
    const place = await openServedPlace();
    const [found] = find(await examine({ env: place.env, cwd: place.cwd }), 'database');
    expect(found).toMatchObject({ verdict: 'ok', message: expect.stringMatching(/, is up to date\.$/) });
  });

  const secrets = {
    DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/none',
    REDIS_URL: 'redis://someone:hunter2@127.0.0.1:1',
    SMTP_URL: 'smtp://someone:hunter2@127.0.0.1:1',
    AUTH_SECRET: 'hunter2-hunter2-hunter2-hunter2-hunter2',
    METRICS_TOKEN: 'hunter2-hunter2-hunter2',
  };

  it('finds services that do not answer, and prints no secret', async () => {
    const report = await examine({ env: secrets });
    expect(find(report, 'database')).toEqual([
      {
        check: 'database',
        verdict: 'error',
        message: expect.stringContaining('ECONNREFUSED'),
        fix: 'Start it, or correct the address.',
      },
    ]);
    expect(find(report, 'redis')[0]).toMatchObject({
      verdict: 'error',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(find(report, 'mail')).toMatchObject([
      { verdict: 'error', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });

  it('signs in to the mail server, and sends nothing', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: ({ password }, _session, done) =>
        password === 'hunter2' ? done(null, { user: 'someone' }) : done(new Error('wrong password')),
      onMailFrom: () => expect.unreachable(),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
    const { port } = server.server.address() as AddressInfo;
    const mailOf = async (account: string) => {
      const env = { DATA_DIR: 'data', SMTP_URL: `smtp://${account}@127.0.0.1:${port}` };
      return find(await examine({ env, cwd: testDirectory() }), 'mail');
    };
    expect(await mailOf('someone:hunter2')).toMatchObject([
      { verdict: 'ok', message: expect.stringContaining('signed in') },
    ]);
    const refused = await mailOf('someone:hunter3');
    expect(refused).toMatchObject([{ verdict: 'error', message: expect.stringContaining('wrong password') }]);
    expect(JSON.stringify(refused)).not.toContain('hunter3');
  });

  it('names a misspelt setting', async () => {
    const env = { DATA_DIR: 'data', DATABSE_URL: secrets.DATABASE_URL };
    expect(find(await examine({ env, cwd: testDirectory() }), 'settings')).toEqual([
      {
        check: 'settings',
        verdict: 'warning',
        message: 'DATABSE_URL is not a setting: did you mean DATABASE_URL?',
        fix: 'Rename or remove the variable.',
      },
    ]);
  });

  it('is not alone in that: every command that reads settings warns', async () => {
    const env = { DATA_DIR: 'data', DATABSE_URL: secrets.DATABASE_URL };
    const { code, stderr } = await run(['keys', 'list'], { env, cwd: testDirectory() });
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      'Warning: DATABSE_URL is not a setting: did you mean DATABASE_URL?',
    ]);
  });

  it('names every invalid setting, and checks the rest all the same', async () => {
    const env = {
      ...secrets,
      DATABASE_URL: 'mysql://hunter2',
      PORT: 'x',
      HOST: '0.0.0.0',
      TRUST_PROXY: '-1',
    };
    const report = await examine({ env });
    expect(find(report, 'settings').map(({ message }) => message.split(':', 1)[0])).toEqual([
      'PORT',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'DATABASE_URL',
    ]);
    expect(report.checks.map(({ check }) => check)).toContain('redis');
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });

  it.each([
    [
      { HOST: '0.0.0.0', PUBLIC_URL: 'http://api.example.com', SMTP_URL: 'smtp://127.0.0.1:1' },
      /is not https/,
    ],
    [{ PUBLIC_URL: 'https://api.example.com', SMTP_URL: 'smtp://127.0.0.1:1' }, /^TRUST_PROXY is 0/],
    [{ PUBLIC_URL: 'https://api.example.com', TRUST_PROXY: '1' }, /^SMTP_URL is not set/],
  ])('warns of %j', async (env, message) => {
    const cwd = testDirectory();
    const settings = find(await examine({ env: { ...env, DATA_DIR: 'data' }, cwd }), 'settings');
    expect(settings).toMatchObject([{ verdict: 'warning', message: expect.stringMatching(message) }]);
  });

  onPostgres.it('reports PostgreSQL', async () => {
    const url = await createTestDatabase();
    const report = await examine({ env: { DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(32) } });
    expect(find(report, 'database')[0]?.message).toMatch(
      /^PostgreSQL \d+\.\d+, schema Gate, is up to date\.$/,
    );
  });

  only(TEST_REDIS_URL !== undefined, 'Redis: npm run test:services').it('reports Redis', async () => {
    const cwd = testDirectory();
    const report = await examine({ env: { DATA_DIR: 'data', REDIS_URL: TEST_REDIS_URL as string }, cwd });
    expect(find(report, 'redis')[0]).toMatchObject({
      verdict: 'ok',
      message: expect.stringMatching(/^Redis \d+\.\d+\.\d+, without TLS, can count requests\.$/),
    });
  });

  it.each([
    [2e9, 'ok'],
    [5e8, 'warning'],
  ])('takes %d free bytes for %s', (bytes, verdict) => {
    expect(checkDisk({ kind: 'embedded', directory: 'data' }, () => bytes)).toMatchObject({ verdict });
  });
});
