import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTable } from '../../../src/main/command-line/table.ts';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import { run } from './process.ts';

const place = await openServedPlace();

const { json, createKey, write } = place;

describe('--json', () => {
  it('prints a key as it is after a change', async () => {
    const { id } = await createKey();
    expect(await json('keys', 'tier', id, 'premium')).toMatchObject({ id, tier: 'premium', state: 'active' });
    expect(await json('keys', 'allow', id, 'snapshot')).toMatchObject({ id, snapshot: true });
    expect(await json('keys', 'forbid', id, 'snapshot')).toMatchObject({ id, snapshot: false });
    const create = [
      'keys',
      'create',
      '--name',
      'copy',
      '--tier',
      'standard',
      '--accept-policy',
      '--snapshot',
    ];
    const created = await json(...create);
    expect((await json('keys', 'list')).find((one: { id: string }) => one.id === created.id)).toMatchObject({
      snapshot: true,
    });
    expect(await place.run(...create, '--embed', '--origin', 'https://example.com')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot download a snapshot/),
    });
    expect(await place.run('keys', 'allow', id, 'all')).toMatchObject({ code: 2 });
    expect(await json('keys', 'documents', id, 'trusted')).toMatchObject({ id, trustedOnly: true });
    const disabled = await json('keys', 'disable', id, '--reason', 'why');
    expect(disabled).toMatchObject({ state: 'disabled', disabledReason: 'why' });
    expect(await json('keys', 'enable', id)).toMatchObject({ state: 'active' });
    const revoked = await json('keys', 'revoke', id);
    expect(revoked).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) });
    expect(Object.keys(revoked).sort()).toEqual(
      Object.keys((await json('keys', 'list'))[0])
        .filter((name) => name !== 'lastUsedAt')
        .sort(),
    );
  });

  it('prints what an import, a backup and a restore did', async () => {
    const counts = { records: 1, created: 1, updated: 0, unchanged: 0, rejected: 0, removed: 0 };
    const input = write('one.ndjson', `${JSON.stringify(record('one'))}\n`);
    const done = {
      ...counts,
      removedSample: expect.any(Number),
      points: 1,
      durationMs: expect.any(Number),
      rejects: null,
      error: null,
      errorCount: 0,
      errors: [],
      notes: [],
    };
    expect(await json('import', '--dry-run', input)).toEqual({ dryRun: true, ...done });
    expect(await json('import', input)).toEqual({ dryRun: false, ...done });
    // Without what other tests imported.
    await json('import', '--replace', '--yes', input);
    const path = join(place.cwd, 'a.gz');
    const saved = { file: path, startups: 1, keys: expect.any(Number), durationMs: expect.any(Number) };
    expect(await json('backup', path)).toEqual(saved);
    expect(await json('restore', path, '--yes')).toEqual({ ...saved, createdAt: expect.any(String) });
  });

  const records = [record('good'), { ...record('bad'), onSale: 'yes' }];
  const invalid = (): string =>
    write('bad.ndjson', records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const error = { file: 'bad.ndjson', line: 2, record: null, slug: null, field: 'onSale', got: '"yes"' };

  it('prints the errors of an import that was refused', async () => {
    const { code, stdout, stderr } = await place.run('import', '--json', invalid());
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^.+\n$/)]);
    expect(JSON.parse(stdout)).toEqual({
      dryRun: false,
      records: 2,
      created: 0,
      updated: 0,
      unchanged: 0,
      rejected: 1,
      removed: 0,
      removedSample: 0,
      points: 0,
      rejects: null,
      durationMs: expect.any(Number),
      error: '1 error in 2 records: nothing was written. To import the valid records, add --skip-invalid.',
      errorCount: 1,
      errors: [{ ...error, allowed: 'true or false', fix: null }],
      notes: [],
    });
    expect(stderr).toContain('onSale: got "yes"');
  });
});

describe('tables', () => {
  const LONG =
    'a name of a hundred characters, which is as long as one may be and more than a line of a terminal has';

  it('fit a terminal without truncation, and have one line for each row elsewhere', async () => {
    const name = LONG.slice(0, 100);
    const key = ['keys', 'create', '--name', name, '--tier', 'standard', '--accept-policy', '--json'];
    const { id } = JSON.parse((await place.run(...key, '--expires', '2099-01-01')).stdout);
    await place.run('accounts', 'create', '--name', name, '--email', `${'a'.repeat(60)}@example.com`);
    await place.run('keys', 'disable', id, '--reason', LONG.repeat(3));
    const manifest = write(
      't.json',
      JSON.stringify({ a: 'query ANameThatIsNotShort { dataset { total } }' }),
    );
    await place.run('documents', 'publish', manifest, '--key', id);
    for (const args of [
      ['keys', 'list'],
      ['accounts', 'list'],
      ['documents', 'list', '--key', id],
      ['documents', 'publish', manifest, '--key', id],
      ['imports'],
      ['audit'],
    ]) {
      const { stdout } = await run(args, { ...place, isTerminal: true });
      for (const text of stdout.split('\n')) {
        expect(text.length, text).toBeLessThanOrEqual(80);
      }
      const whole = (await run(args, place)).stdout;
      expect(stdout.replace(/\s+/g, '')).toBe(whole.replace(/\s+/g, ''));
    }
    expect((await place.run('keys', 'list')).stdout).toMatch(new RegExp(`^${id} .+ ${name}$`, 'm'));
  });

  it('put a last cell that does not fit on lines of its own', () => {
    const rows = [
      ['a', 'short'],
      ['b', `words that do not fit ${'x'.repeat(20)}`],
    ];
    expect(formatTable(['ID', 'NAME'], rows, 20)).toEqual([
      'ID  NAME',
      'a   short',
      'b',
      '    words that do',
      '    not fit',
      `    ${'x'.repeat(16)}`,
      `    ${'x'.repeat(4)}`,
    ]);
  });
});
