import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { readText, seal } from '../../db/backup/backup-file.ts';
import { MAIN } from './built-command.ts';
import { everything, openServedPlace, twoInputs } from './databases.ts';
import { run } from './process.ts';

const { first, second } = twoInputs(300);

async function revisions({
  pool,
}: Database): Promise<Record<'dataset' | 'keys' | 'epoch' | 'newest', number>> {
  const newest = "jsonb_build_object('newest', (SELECT max(revision) FROM startups))";
  const sql = `SELECT json_object_agg(name, value)::jsonb || ${newest} AS found FROM revisions`;
  return (await pool.query(sql)).rows[0].found;
}

// One story: each test continues where the last one ended.
describe('backup and restore', { shuffle: false }, async () => {
  const place = await openServedPlace({ RATE_LIMIT_PREMIUM: '1000' });
  const backup = join(place.cwd, 'a.backup.gz');
  let saved = '';
  const importText = async (text: string): Promise<void> => {
    expect(await place.run('import', place.write('input.ndjson', text))).toMatchObject({ code: 0 });
  };
  /** The status of a list, and how many startups it has. */
  const list = async () => {
    const answer = await place.get(key);
    return [answer.status, ((await answer.json()) as { meta?: { total: number } }).meta?.total];
  };
  await importText(first);
  const { id, key } = await place.createKey('--tier', 'premium');
  const manifest = place.write('documents.json', '["query Total { dataset { total } }"]');
  expect((await place.run('documents', 'publish', manifest, '--key', id)).code).toBe(0);

  // Without it, commands would open the directory by themselves.
  afterEach(() => {
    expect(place.served.hasEnded(), place.served.stderr()).toBe(false);
  });

  it('backs up everything, never the keys themselves, and replaces a file only with --yes', async () => {
    const made = await place.run('backup', backup);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Backed up 300 startups and \d keys? to \/.*\.gz in /);
    expect(readdirSync(place.cwd).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
    expect(gunzipSync(readFileSync(backup)).includes(key)).toBe(false);
    saved = await place.use(everything);
    const before = readFileSync(backup);
    const stderr = `revgate: ${backup} already exists: nothing was written. Add --yes to replace it.\n`;
    expect(await place.run('backup', backup)).toEqual({ code: 1, stdout: '', stderr });
    expect(readFileSync(backup)).toEqual(before);
    const counts = { startups: 300, keys: expect.any(Number), durationMs: expect.any(Number) };
    expect(await place.json('backup', backup, '--yes')).toEqual({ file: backup, ...counts });
  });

  it('restores everything, and running nodes notice within a second', async () => {
    await importText(second);
    await place.run('keys', 'revoke', id);
    const before = await place.use(revisions);
    await place.clock.advance(1_000);
    expect(await list()).toEqual([401, undefined]);
    const refused = await place.run('restore', backup);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^revgate: The database is not empty: restoring .+ would replace 390 startups and \d keys?\. .+--yes.+\n$/,
    );
    const restored = await place.run('restore', backup, '--yes');
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    // The next look at the database is a second later for as long as an edition is being built.
    const listLater = async () => {
      await place.clock.advance(1_000);
      return list();
    };
    await expect.poll(listLater, { interval: 100 }).toEqual([200, 300]);
    expect(await place.use(everything)).toBe(saved);
    const after = await place.use(revisions);
    expect(after.dataset).toBeGreaterThan(before.dataset);
    expect(after.keys).toBeGreaterThan(before.keys);
    // Rows keep their revisions: a catalogue of an earlier epoch is not compared with them.
    expect(after.epoch).not.toBe(before.epoch);
    expect(after.newest).toBeLessThan(after.dataset);
  });

  it('writes to standard output, but no terminal, and restores from standard input', async () => {
    const [before, files] = [await place.use(everything), readdirSync(place.cwd)];
    const { env, cwd } = place;
    const options = { env: { PATH: process.env.PATH, ...env }, cwd, encoding: 'buffer' } as const;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, 'backup', '-'], options);
    expect(String(stderr)).toMatch(/^Backed up 300 startups and \d keys? to standard output in /);
    expect(await place.run('restore', '-')).toMatchObject({ code: 1 });
    await importText(second);
    const restored = await run(['restore', '-', '--yes'], { env, cwd, stdin: stdout });
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored 300 startups/) });
    expect(await place.use(everything)).toBe(before);
    expect(readdirSync(place.cwd).sort()).toEqual([...new Set([...files, 'input.ndjson'])].sort());
    const refused = await run(['backup', '-'], { env, cwd, isTerminal: true });
    expect(refused.stderr).toMatch(/^revgate: A backup is no text for a terminal: redirect standard/);
    expect(await run(['backup', '-', '--json'], { env, cwd })).toMatchObject({ code: 1, stdout: '' });
  });

  it('never reuses an id that a client may have seen', async () => {
    const newIds = async (): Promise<number[]> => {
      await importText(second);
      const { rows } = await place.use(({ pool }) =>
        pool.query<{ id: number }>('SELECT id FROM startups ORDER BY id OFFSET 300'),
      );
      expect(await place.run('restore', backup, '--yes')).toMatchObject({ code: 0 });
      return rows.map(({ id }) => id);
    };
    const [before, after] = [await newIds(), await newIds()];
    expect([before.length, after.length]).toEqual([90, 90]);
    expect(Math.min(...after)).toBeGreaterThan(Math.max(...before));
  });

  it('refuses a file that is damaged, truncated, of another version or something else, or fails at its last row', async () => {
    const bytes = readFileSync(backup);
    const text = readText(backup);
    const cut = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    const golden = text.replaceAll('"tier":"premium"', '"tier":"golden"');
    const change = (from: string | RegExp, to: string): Buffer => gzipSync(text.replace(from, to));
    const errors: [name: string, content: Buffer | string, error: RegExp][] = [
      ['cut', bytes.subarray(0, bytes.length - 100), /is damaged \(it is truncated\)/],
      ['cut between lines', gzipSync(cut), /truncated/],
      ['a changed row', change('"customers":', '"customers":9'), /its checksum does not/],
      ['a row less', change(/\n\{"id":.*?\n/, '\n'), /it has a row in place of a table/],
      ['broken gzip', Buffer.from(bytes).fill(0x55, 2000, 2100), /is damaged \(/],
      ['more after its end', gzipSync(`${text}{}\n`), /there is data after its end/],
      ['format', change('"format":1', '"format":2'), /format 2, but this version reads only/],
      ['parts that differ', gzipSync(seal(differing(text))), /parts of startups differ/],
      ['migration', gzipSync(seal(text.replace('0001_tables', '9999_later'))), /migration 9999_later/],
      ['columns', gzipSync(seal(text.replaceAll('"slug",', '"slug; --",'))), /no startups\.slug; --/],
      ['records', first, /is not a backup of revgate/],
      ['empty', '', /is damaged/],
      ['a row that no constraint allows', gzipSync(seal(golden)), /api_keys_tier_check/],
    ];
    for (const [name, content, error] of errors) {
      const ended = await place.run('restore', place.write('invalid.gz', content), '--yes');
      const stderr = expect.stringMatching(new RegExp(`^revgate: .*${error.source}.*\n$`));
      expect(ended, name).toEqual({ code: 1, stdout: '', stderr });
    }
    expect(await place.use(everything)).toBe(saved);
  });
});

/** With other columns in the last part of the startups. */
function differing(text: string): string {
  const at = text.lastIndexOf('{"table":"startups"');
  return `${text.slice(0, at)}${text.slice(at).replace('"slug",', '')}`;
}

describe('a restore into another database', { shuffle: false }, async () => {
  const original = await openServedPlace({ PUBLIC_URL: 'https://api.example.com' }, 0);
  const copy = await openServedPlace({ PUBLIC_URL: 'https://api.example.com' }, 0);
  const backup = join(original.cwd, 'mails.backup.gz');

  it('says that emails are held, and one into the same database does not', async () => {
    expect((await original.run('backup', backup)).code).toBe(0);
    const again = await original.run('restore', backup, '--yes');
    expect(again.stdout).toMatch(/^Restored 0 startups and \d keys?, .+\n$/);
    const { code, stdout } = await copy.run('restore', backup, '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Restored .+\nThis database is now a copy of another one, so emails .+ are held\. /,
    );
    expect(stdout).toContain('npx revgate mails release\n');
  });

  it('holds them until a command releases them, once', async () => {
    expect(await original.json('mails', 'release')).toEqual({ released: false, waiting: 0, dropped: 0 });
    await copy.use(({ prisma }) =>
      prisma.sentMail.create({
        data: {
          kind: 'saved',
          accountId: 'acc_1',
          subject: 'daily',
          occasion: 'x',
          recordedAt: new Date(),
          content: {},
        },
      }),
    );
    expect(await copy.run('mails', 'release')).toMatchObject({
      code: 0,
      stdout: 'Released. 0 emails about keys can be sent; 1 email about what accounts saved was dropped.\n',
    });
    expect(await copy.use(({ prisma }) => prisma.sentMail.count())).toBe(0);
    expect(await copy.run('mails', 'release')).toMatchObject({
      code: 0,
      stdout: 'No emails are held. Nothing was changed.\n',
    });
    const [entry] = await copy.json('audit', '--limit', '1');
    expect(entry).toMatchObject({ action: 'mails.release', details: { waiting: 0, dropped: 1 } });
  });
});
