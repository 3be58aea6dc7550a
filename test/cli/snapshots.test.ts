import { execSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { backupTables } from '../../src/backup/format.ts';
import { readConfig } from '../../src/config.ts';
import { sampleNdjson } from '../../src/startups/sample.ts';
import { openTestDatabase } from '../support/database.ts';
import { run, type Served, serve, stop, temporaryDirectory, testDirectory } from './process.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

describe('the snapshots of an embedded database', () => {
  const { path, remove } = temporaryDirectory();
  // A name that a shell would take apart.
  const env = { DATA_DIR: join(path, "o'clock data"), SNAPSHOT_INTERVAL: '1' };
  const folder = join(env.DATA_DIR, 'snapshots');
  const snapshots = (): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
  let served: Served;
  beforeAll(async () => {
    served = await serve(env);
  });
  afterAll(async () => {
    await stop(served);
    remove();
  });

  it('are made after a change, only then, and the last two are kept', { timeout: 120_000 }, async () => {
    // Two, where one was due in the midst of the first start.
    await expect.poll(() => snapshots().length, { timeout: 10_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const settled = snapshots();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(snapshots()).toEqual(settled);
    const [first = ''] = settled;
    expect(first).toMatch(/Z-[0-9a-f]{8}\.backup\.gz$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, first)).mode & 0o777).toBe(0o600);
    for (const seed of [1, 2, 3]) {
      const known = snapshots().at(-1);
      const file = join(path, `${seed}.ndjson`);
      writeFileSync(file, [...sampleNdjson({ count: 300, seed })].join(''));
      expect(await run(['import', '--replace', '--yes', file], { env })).toMatchObject({ code: 0 });
      await expect
        .poll(
          () =>
            snapshots()
              .filter((name) => name.endsWith('.gz'))
              .at(-1),
          { timeout: 10_000 },
        )
        .not.toBe(known);
    }
    await expect.poll(() => snapshots().length).toBe(2);
    expect(snapshots()).not.toContain(first);
  });

  it('hold what was changed last when the server is stopped', async () => {
    await run(['keys', 'create', '--name', 'last', '--tier', 'standard', '--accept-policy'], { env });
    served.child.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    expect(snapshots()).toHaveLength(2);
  });

  it.each([
    ['a control file cut short', (pg: string) => truncateSync(join(pg, 'global/pg_control'), 100)],
    ['a missing version file', (pg: string) => rmSync(join(pg, 'PG_VERSION'))],
    ['missing tables', (pg: string) => rmSync(join(pg, 'base'), { recursive: true })],
    [
      'an empty directory',
      (pg: string) => {
        rmSync(pg, { recursive: true });
        mkdirSync(pg);
      },
    ],
  ])('lead back from %s', { timeout: 120_000 }, async (_, damage) => {
    const directory = join(testDirectory(), 'data');
    cpSync(env.DATA_DIR, directory, { recursive: true });
    const pg = join(directory, 'pg');
    damage(pg);
    const files = readdirSync(pg, { recursive: true }).length;

    const failed = await run(['serve'], { env: { DATA_DIR: directory, PORT: '0' } });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    const lines = failed.stderr.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^revgate: The embedded database in .+ does not open \(.+\)\. Nothing in it was removed\.$/,
    );
    expect(lines[1]).toContain(join(directory, 'snapshots', snapshots().at(-1) ?? ''));
    expect(readdirSync(pg, { recursive: true }).length).toBeGreaterThanOrEqual(files - 1);

    const commands = lines.slice(2).map((text) => text.replace(/^revgate: {3}/, ''));
    expect(commands).toHaveLength(2);
    const script = `revgate() { '${process.execPath}' '${MAIN}' "$@"; }\n${commands.join('\n')}`;
    expect(
      execSync(script, { shell: '/bin/bash', env: { PATH: process.env.PATH }, encoding: 'utf8' }),
    ).toContain('Restored 300 startups and 2 keys');
    const again = await serve({ DATA_DIR: directory });
    onTestFinished(() => stop(again));
    expect(again.stdout()).not.toContain('Demo key');
    // What was damaged is still there, and so are the snapshots of it.
    expect(existsSync(`${pg}.damaged`)).toBe(true);
    expect(readdirSync(join(directory, 'snapshots'))).toEqual(expect.arrayContaining(snapshots()));
  });

  it('prints commands that a shell takes as they are meant', async () => {
    truncateSync(join(env.DATA_DIR, 'pg/global/pg_control'), 100);
    const { stderr } = await run(['keys', 'list'], { env });
    const [, , move = ''] = stderr.split('\n').map((text) => text.replace(/^revgate: {3}/, ''));
    execSync(move, { shell: '/bin/bash' });
    expect(readdirSync(env.DATA_DIR)).toContain('pg.damaged');
  });
});

it('without a snapshot, says how to go back to a backup', async () => {
  const directory = join(testDirectory(), 'data');
  mkdirSync(join(directory, 'pg'), { recursive: true });
  const { code, stderr } = await run(['keys', 'list'], { env: { DATA_DIR: directory } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/There is no snapshot of it in .+\n.+ {2}mv .+\n.+revgate restore FILE\n$/);
  expect(readdirSync(join(directory, 'pg'))).toEqual([]);
});

it('the interval is a number of seconds, 300 if none is set, 0 for none', () => {
  expect(readConfig({}).snapshotInterval).toBe(300);
  expect(readConfig({ SNAPSHOT_INTERVAL: '0' }).snapshotInterval).toBe(0);
  expect(() => readConfig({ SNAPSHOT_INTERVAL: '5m', PORT: 'x' })).toThrow(
    /PORT: .+\nSNAPSHOT_INTERVAL: got "5m", allowed: an integer from 0 to 86400/,
  );
});

it('a backup holds every table there is', async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const { rows } = await database.pool.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  expect(rows.map(({ tablename }) => tablename).sort()).toEqual(
    // Migrations and revisions are in its header.
    // Who is signed in, and what waits for a link, is no matter of a backup.
    [...backupTables, '_prisma_migrations', 'revisions', 'sessions', 'verifications'].sort(),
  );
});
