import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupTables } from '../../../src/db/backup/read-file.ts';
import { keepSnapshots } from '../../../src/db/backup/snapshots.ts';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { run, serve, testDirectory } from './process.ts';

const snapshotsIn = (directory: string): string[] => {
  const folder = join(directory, 'snapshots');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

it('snapshots are made after a change, only then, and the last two are kept', async () => {
  const database = await openTestDatabase();
  const directory = testDirectory();
  const clock = createTestClock(Date.parse('2026-01-01T00:00:00Z'));
  const errors: unknown[] = [];
  const options = { database, directory, intervalMs: 60_000, ...clock, onError: errors.push.bind(errors) };
  const snapshots = await keepSnapshots(options);
  /** The times of those that are there after the next interval. */
  const next = async (): Promise<string[]> => {
    await clock.advance(60_000);
    return snapshotsIn(directory).map((name) => name.replace(/Z-[0-9a-f]{8}\.backup\.gz$/, ''));
  };
  const change = (): Promise<unknown> =>
    database.pool.query("UPDATE revisions SET value = value + 1 WHERE name = 'dataset'");

  expect(await next()).toEqual(['2026-01-01T00-01-00']);
  const folder = join(directory, 'snapshots');
  const [first = ''] = snapshotsIn(directory);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, first)).mode & 0o777).toBe(0o600);
  expect(await next()).toEqual(['2026-01-01T00-01-00']);
  await change();
  expect(await next()).toEqual(['2026-01-01T00-01-00', '2026-01-01T00-03-00']);
  await change();
  expect(await next()).toEqual(['2026-01-01T00-03-00', '2026-01-01T00-04-00']);
  const lastTwo = snapshotsIn(directory);
  await clock.advance(10_000);
  await snapshots.close();
  expect(snapshotsIn(directory)).toEqual(lastTwo);
  // Nor does a next life make one of what it finds.
  await (await keepSnapshots(options)).close();
  expect(snapshotsIn(directory)).toEqual(lastTwo);
  expect(errors).toEqual([]);
});

// One story: each test continues where the last one ended.
describe('the snapshots of an embedded database that is served', { shuffle: false }, async () => {
  const path = testDirectory();
  // A name that a shell would take apart.
  const NAME = "o'clock data";
  const clock = createTestClock();
  const options = { env: { DATA_DIR: NAME, SNAPSHOT_INTERVAL: '60' }, cwd: path, ...clock };
  const directory = join(path, NAME);
  const served = await serve(options.env, options);

  it('are made at the interval of the settings', async () => {
    await clock.advance(59_999);
    expect(snapshotsIn(directory)).toEqual([]);
    await clock.advance(1);
    expect(snapshotsIn(directory)).toEqual([expect.stringMatching(/Z-[0-9a-f]{8}\.backup\.gz$/)]);
  });

  it('contain the last change before the server stops', async () => {
    writeFileSync(join(path, 'own.ndjson'), [...sampleNdjson({ count: 300, seed: 1 })].join(''));
    expect(await run(['import', 'own.ndjson'], options)).toMatchObject({ code: 0 });
    await run(['keys', 'create', '--name', 'last', '--tier', 'standard', '--accept-policy'], options);
    await clock.advance(5_000);
    expect(await served.stop()).toBe(0);
    expect(snapshotsIn(directory)).toHaveLength(2);
  });

  /** A copy of the directory, damaged, and what is told of it. */
  async function tryDamaged(damage: (pg: string) => unknown) {
    const copy = join(testDirectory(), NAME);
    cpSync(directory, copy, { recursive: true });
    const pg = join(copy, 'pg');
    damage(pg);
    const files = readdirSync(pg, { recursive: true }).length;
    const { code, stdout, stderr } = await run(['serve'], { env: { DATA_DIR: copy, PORT: '0' } });
    expect([code, stdout]).toEqual([1, '']);
    // But for a lock of the engine's own.
    expect(readdirSync(pg, { recursive: true }).length).toBeGreaterThanOrEqual(files - 1);
    const [first, second, ...commands] = stderr.trimEnd().split('\n');
    const newest = join(copy, 'snapshots', snapshotsIn(directory).at(-1) ?? '');
    expect(first).toMatch(
      /^revgate: The embedded database in .+ does not open \(.+\)\. Nothing in it was rem/,
    );
    expect(second).toBe(`revgate: Its newest snapshot is ${newest}. To go back to that:`);
    return { copy, pg, newest, commands: commands.map((text) => text.replace(/^revgate: {3}/, '')) };
  }

  it.each([
    ['a control file cut short', (pg: string) => truncateSync(join(pg, 'global/pg_control'), 100)],
    ['a missing version file', (pg: string) => rmSync(join(pg, 'PG_VERSION'))],
    [
      'an empty directory',
      (pg: string) => readdirSync(pg).map((name) => rmSync(join(pg, name), { recursive: true })),
    ],
  ])('are named with the commands that lead back from %s', async (_, damage) => {
    const { pg, newest, commands, copy } = await tryDamaged(damage);
    // As a shell takes them.
    const script = `mv() { printf '%s\\n' mv "$@"; }\nnpx() { shift; printf '%s\\n' "$DATA_DIR" "$@"; }`;
    expect(runInShell([script, ...commands])).toEqual(['mv', pg, `${pg}.damaged`, copy, 'restore', newest]);
  });

  it('can be restored after tables were lost', async () => {
    const { copy, pg, commands } = await tryDamaged((pg) => rmSync(join(pg, 'base'), { recursive: true }));
    const env = { DATA_DIR: copy };
    const revgate = `npx() { shift; printf '%s\\n' "$@"; }`;
    const stdout = expect.stringContaining('Restored 300 startups and 2 keys');
    expect(await run(runInShell([revgate, ...commands]), { env })).toMatchObject({ code: 0, stdout });
    // It is no first start, and a database of its own.
    const again = await serve(env);
    expect(again.stdout()).not.toContain('Demo key');
    expect(await again.stop()).toBe(0);
    // What was damaged is still there, and so are the snapshots of it.
    expect(existsSync(`${pg}.damaged`)).toBe(true);
    expect(snapshotsIn(copy)).toEqual(expect.arrayContaining(snapshotsIn(directory)));
    expect(snapshotsIn(copy)).toHaveLength(2 + 1);
  });
});

/** The lines that a shell script writes. */
const runInShell = (lines: string[]): string[] =>
  execFileSync('/bin/bash', ['-c', lines.join('\n')], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

it('a backup contains every table', async () => {
  const database = await openTestDatabase();
  const sql = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()';
  const { rows } = await database.pool.query<{ tablename: string }>(sql);
  // Migrations and revisions are in its header. Who is signed in, what waits for a link, which requests failed, how many
  // emails an address got, what imports replaced, and which files were uploaded is no matter of a backup.
  const others =
    '_prisma_migrations idempotent_imports kept_pieces kept_uploads key_busy_minutes key_failures mail_runs revisions sessions told_figures unconfirmed_mails undo_log verifications';
  const names = rows.map(({ tablename }) => tablename);
  expect(names.sort()).toEqual([...backupTables, ...others.split(' ')].sort());
});
