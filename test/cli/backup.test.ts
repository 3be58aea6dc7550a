import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/open.ts';
import { type OpenPlace, randomPart, testPlaces, twoInputs } from './databases.ts';
import { run, start } from './process.ts';

const { first, second } = twoInputs(2500);

/** All rows of all tables, numbers included; revisions apart, which only ever rise. */
async function everything({ pool }: Database) {
  const { rows } = await pool.query<{ content: string }>(
    `SELECT (SELECT md5(string_agg((to_jsonb(s) - 'revision')::text, ',' ORDER BY id)) FROM startups AS s)
       || (SELECT coalesce(json_agg(k ORDER BY id), '[]')::text FROM api_keys AS k)
       || (SELECT coalesce(json_agg(d ORDER BY family_id, hash), '[]')::text FROM documents AS d)
       || (SELECT coalesce(json_agg(i ORDER BY id), '[]')::text FROM imports AS i) AS content`,
  );
  return rows[0]?.content;
}

async function revisions({ pool }: Database) {
  const { rows } = await pool.query<{ dataset: number; keys: number; newest: number; oldest: number }>(
    `SELECT (SELECT value::float8 FROM revisions WHERE name = 'dataset') AS dataset,
       (SELECT value::float8 FROM revisions WHERE name = 'keys') AS keys,
       (SELECT max(revision)::float8 FROM startups) AS newest,
       (SELECT min(revision)::float8 FROM startups) AS oldest`,
  );
  return rows[0] ?? { dataset: 0, keys: 0, newest: 0, oldest: 0 };
}

// One story; each test goes on where the last one ended.
describe.each(testPlaces)('backup and restore on $name', ({ open }) => {
  let place: OpenPlace;
  let backup = '';
  let saved: string | undefined;
  let key = '';
  const importText = async (text: string): Promise<void> => {
    const file = join(place.directory, 'input.ndjson');
    writeFileSync(file, text);
    expect(await run(['import', file], place)).toMatchObject({ code: 0 });
  };
  const list = async (): Promise<{ status: number; total?: number }> => {
    const answer = await fetch(`${place.served?.url}/api/v1/startups`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const { meta } = (await answer.json()) as { meta?: { total: number } };
    return meta === undefined ? { status: answer.status } : { status: answer.status, total: meta.total };
  };
  beforeAll(async () => {
    place = await open();
    backup = join(place.directory, 'a.backup.gz');
    await importText(first);
    const made = await run(['keys', 'create', '--name', 'n', '--tier', 'premium', '--accept-policy'], place);
    key = made.stdout.trim();
    const id = /key_\w{12}/.exec(made.stderr)?.[0] ?? '';
    const manifest = join(place.directory, 'documents.json');
    writeFileSync(manifest, JSON.stringify({ total: 'query Total { dataset { total } }' }));
    const published = await run(['documents', 'publish', manifest, '--key', id], place);
    expect(published).toMatchObject({ code: 0, stdout: expect.stringContaining('sha256:') });
  });
  // Without it, commands would open the directory by themselves.
  afterEach(() => {
    expect(place.served?.child.exitCode ?? null, place.served?.stderr()).toBeNull();
  });
  afterAll(() => place?.close());

  it('backs up everything, and never the keys themselves', async () => {
    const made = await run(['backup', backup], place);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Backed up 2,500 startups and \d keys? to /);
    expect(existsSync(`${backup}.unfinished`)).toBe(false);
    expect(gunzipSync(readFileSync(backup)).includes(key)).toBe(false);
    saved = await place.use(everything);
  });

  it('replaces an existing file only with --yes', async () => {
    const before = readFileSync(backup);
    expect(await run(['backup', backup], place)).toEqual({
      code: 1,
      stdout: '',
      stderr: `revgate: ${backup} exists: nothing was written. Use --yes if it is to be replaced.\n`,
    });
    expect(readFileSync(backup)).toEqual(before);
    expect(await run(['backup', backup, '--yes'], place)).toMatchObject({ code: 0 });
  });

  it('restores everything, and running nodes notice within a second', { timeout: 120_000 }, async () => {
    await importText(second);
    expect(await run(['keys', 'list', '--json'], place)).toMatchObject({ code: 0 });
    const [id] = JSON.parse((await run(['keys', 'list', '--json'], place)).stdout)
      .map((summary: { id: string; name: string }) => (summary.name === 'n' ? summary.id : undefined))
      .filter(Boolean);
    await run(['keys', 'revoke', id], place);
    const before = await place.use(revisions);
    if (place.served !== undefined) {
      await expect.poll(list).toEqual({ status: 401 });
    }
    const refused = await run(['restore', backup], place);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^revgate: The database is not empty: 3,250 startups and \d keys? would .+--yes.+\n$/,
    );
    const restored = await run(['restore', backup, '--yes'], place);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const at = Date.now();
    if (place.served !== undefined) {
      await expect.poll(list, { timeout: 3000, interval: 50 }).toEqual({ status: 200, total: 2500 });
      expect(Date.now() - at).toBeLessThan(1500);
    }
    expect(await place.use(everything)).toBe(saved);
    const after = await place.use(revisions);
    expect(after.dataset).toBeGreaterThan(before.dataset);
    expect(after.keys).toBeGreaterThan(before.keys);
    // A catalogue of an earlier revision must take every row for a newer one.
    expect(after.oldest).toBeGreaterThan(before.dataset);
    expect(after.newest).toBe(after.dataset);
  });

  it('numbers new records from where the backup would have', async () => {
    await importText(second);
    const { rows } = await place.use(({ pool }) =>
      pool.query('SELECT max(id) AS last, count(*)::int AS count FROM startups'),
    );
    expect(rows[0].last).toBeGreaterThanOrEqual(rows[0].count);
    expect(await run(['restore', backup, '--yes'], place)).toMatchObject({ code: 0 });
  });

  it('refuses a file that is damaged, cut short, of another version or something else', {
    timeout: 120_000,
  }, async () => {
    const bytes = readFileSync(backup);
    const text = gunzipSync(bytes).toString('utf8');
    const faults: [name: string, content: Buffer | string, fault: RegExp][] = [
      ['cut', bytes.subarray(0, bytes.length - 100), /is damaged \(it is cut short\)/],
      [
        'cut between lines',
        gzipSync(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)),
        /cut short/,
      ],
      ['a changed row', gzipSync(text.replace('"customers":', '"customers":9')), /its checksum differs/],
      ['a row less', gzipSync(text.replace(/\n\{.*?\n/, '\n')), /a row stands where a table should/],
      ['broken gzip', Buffer.from(bytes).fill(0x55, 2000, 2100), /is damaged \(/],
      ['more after its end', gzipSync(`${text}{}\n`), /something follows its end/],
      ['format', gzipSync(text.replace('"format":1', '"format":2')), /format 2, this version reads 1/],
      ['migration', gzipSync(seal(text.replace('0001_init', '9999_later'))), /migration 9999_later/],
      ['columns', gzipSync(seal(text.replace('"slug"', '"slug; --"'))), /no startups\.slug; --/],
      ['records', first, /is not a backup that revgate made/],
      ['empty', '', /is damaged/],
    ];
    for (const [name, content, fault] of faults) {
      const file = join(place.directory, 'faulty.gz');
      writeFileSync(file, content);
      const ended = await run(['restore', file, '--yes'], place);
      expect(ended, name).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr, name).toMatch(new RegExp(`^revgate: .*${fault.source}.*\n$`));
    }
    const missing = await run(['restore', join(place.directory, 'missing.gz'), '--yes'], place);
    expect(missing.stderr).toMatch(/^revgate: Cannot read .+missing\.gz \(ENOENT\)\.\n$/);
    expect(await place.use(everything)).toBe(saved);
  });

  it('a restore that fails at its last row changes nothing', async () => {
    const text = gunzipSync(readFileSync(backup)).toString('utf8');
    const file = join(place.directory, 'violating.gz');
    writeFileSync(file, gzipSync(seal(text.replaceAll('"tier":"premium"', '"tier":"golden"'))));
    const ended = await run(['restore', file, '--yes'], place);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('api_keys_tier_check') });
    expect(await place.use(everything)).toBe(saved);
  });

  it('a restore killed at any moment leaves the old data or all of the new', {
    timeout: 120_000,
  }, async () => {
    await importText(second);
    const other = await place.use(everything);
    const startedAt = Date.now();
    expect(await run(['restore', backup, '--yes'], place)).toMatchObject({ code: 0 });
    const durationMs = Date.now() - startedAt;
    for (let kill = 0; kill < 5; kill += 1) {
      await importText(second);
      const before = await place.use(everything);
      const child = start(['restore', backup, '--yes'], place);
      const closed = once(child, 'close');
      await new Promise((resolve) => setTimeout(resolve, ((kill + randomPart()) / 5) * durationMs));
      child.kill('SIGKILL');
      await closed;
      expect([before, saved]).toContain(await place.use(everything));
    }
    expect(other).not.toBe(saved);
    expect(await run(['restore', backup, '--yes'], place)).toMatchObject({ code: 0 });
    expect(await place.use(everything)).toBe(saved);
  });

  it('a backup is whole while others write', { timeout: 120_000 }, async () => {
    const writing = importText(second);
    for (let turn = 0; turn < 3 && place.served !== undefined; turn += 1) {
      const file = join(place.directory, `busy-${turn}.gz`);
      expect(await run(['backup', file], place)).toMatchObject({ code: 0, stderr: '' });
      const [header = '', ...rows] = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
      expect(JSON.parse(header)).toMatchObject({ format: 1 });
      const table = JSON.parse(rows[0] ?? '');
      // Wholly of before or wholly of after.
      const all = rows.slice(1, table.rows + 1).map((row) => JSON.parse(row));
      const changed = all.filter(({ customers }) => String(customers).startsWith('1')).length;
      expect([2500, 3250]).toContain(table.rows);
      expect(changed === 3250).toBe(table.rows === 3250);
    }
    await writing;
  });
});

/** A text whose checksum is right again after a change. */
function seal(text: string): string {
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const body = text.slice(0, end);
  return `${body}{"kind":"end","sha256":"${createHash('sha256').update(body).digest('hex')}"}\n`;
}
