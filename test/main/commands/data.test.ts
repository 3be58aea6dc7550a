import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { ndjson } from '../../startups/import/inputs.ts';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import { type Ended, run } from './process.ts';

it('sample writes as many records as asked, from the seed', async () => {
  const { code, stdout, stderr } = await run(['sample', '--count', '20', '--seed', '7']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe([...sampleNdjson({ count: 20, seed: 7 })].join(''));
});

const place = await openServedPlace({ RATE_LIMIT_PREMIUM: '1000' }, 3);
const { key } = await place.createKey('--tier', 'premium');

// One story: each test continues where the last one ended.
describe('import', { shuffle: false }, () => {
  const runImport = (args: string[], stdin?: string): Promise<Ended> =>
    run(['import', ...args], { ...place, ...(stdin === undefined ? {} : { stdin }) });
  /** Expects the server to list these, highest revenue first, as soon as it has taken in what it notices within a second. */
  const expectListed = async (slugs: string[]): Promise<void> => {
    const listed = async (): Promise<string[]> => {
      await place.clock.advance(1_000);
      const { data } = (await (await place.get(key)).json()) as { data: { slug: string }[] };
      return data.map(({ slug }) => slug);
    };
    await expect.poll(listed, { interval: 100 }).toEqual(slugs);
  };
  const revenue = (last30Days: number) => ({ revenue: { last30Days, mrr: 0, total: 0 } });
  const isEmbedded = process.env.TEST_DATABASE_URL === undefined;

  it('a good file replaces the sample, says so, and is served within a second', async () => {
    const good = ndjson(record('second', revenue(100)), record('first', revenue(200)));
    const { code, stdout, stderr } = await runImport([place.write('good.ndjson', good)]);
    expect([code, stderr]).toEqual([0, '']);
    const [summary, example, removal] = stdout.trimEnd().split('\n');
    expect(summary).toMatch(
      /^Imported 2 startups in \d+\.\d s: 2 created, 0 updated, 0 unchanged, 0 rejected/,
    );
    expect(example).toBe(
      'The first record, in dollars: second: revenue.last30Days $1.00, revenue.mrr $0.00, revenue.total $0.00.',
    );
    expect(removal).toBe(isEmbedded ? 'Removed the 3 sample startups.' : undefined);
    await expectListed(['first', 'second']);
  });

  it('reads standard input, and updates by slug', async () => {
    const updated = Object.entries({ second: 300, third: 50, first: 200 });
    const text = ndjson(...updated.map(([slug, last30Days]) => record(slug, revenue(last30Days))));
    const { code, stdout } = await runImport(['-'], text);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Imported 3 startups in .+: 1 created, 1 updated, 1 unchanged, 0 rejected, 0 removed\.\n/,
    );
    await expectListed(['second', 'first', 'third']);
  });

  it('takes several files at once, compressed ones too, all or nothing', async () => {
    const fourth = place.write('fourth.ndjson.gz', gzipSync(ndjson(record('fourth', revenue(400)))));
    const invalid = place.write('fifth.ndjson', ndjson({ ...record('fifth'), slug: 'Fifth' }));
    const refused = await runImport([fourth, invalid]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^revgate: fifth\.ndjson: line 1: slug: got "Fifth", allowed .+\n.+ nothing was written\..+\n$/,
    );
    expect((await runImport([fourth])).code).toBe(0);
    await expectListed(['fourth', 'second', 'first', 'third']);
  });

  it('imports a table by a mapping and options beside it, and refuses a file that is none', async () => {
    const file = place.write('table.csv', 'Company,MRR,Note\nÉlan & Co.,"$1,250.50",x\n');
    const zero = {
      'revenue.last30Days': '0',
      'revenue.total': '0',
      customers: '0',
      activeSubscriptions: '0',
    };
    const defaults = { paymentProvider: 'stripe', onSale: 'false', growth30d: '12', ...zero };
    const mapping = place.write(
      'table.mapping.json',
      JSON.stringify({ columns: { Company: 'name' }, defaults }),
    );
    const options = ['--mapping', mapping, '--map', 'MRR=revenue.mrr:dollars', '--ignore-unknown'];
    const { code, stdout } = await runImport(['--dry-run', ...options, file]);
    expect(code).toBe(0);
    for (const text of [
      'elan-co: revenue.last30Days $0.00, revenue.mrr $1,250.50, revenue.total $0.00.',
      'Columns left out: Note (no field has this name).',
      'growth30d: 12 (12%) is shown as a figure of each startup that has none',
    ]) {
      expect(stdout).toContain(text);
    }
    for (const [odd, error] of [
      ['{"colums":{}}', 'is not a mapping: Unrecognized key: "colums"; allowed: columns,'],
      ['{"dollars":true}', 'It is of an older form: remove "confidence", and in place of "dollars"'],
    ] as const) {
      const refused = await runImport(['--mapping', place.write('odd.mapping.json', odd), file]);
      expect(refused.stderr).toContain(error);
    }
  });

  it('reads a mapping from a pipe', async () => {
    const file = place.write('piped.csv', 'Company,MRR\nElan,5\n');
    const pipe = join(place.cwd, 'mapping.pipe');
    execFileSync('mkfifo', [pipe]);
    const text = place.write('piped.json', '{"columns":{"Company":"name","MRR":"slug"}}');
    const writer = spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', join(place.cwd, text), pipe]);
    const ended = once(writer, 'exit');
    const { stderr } = await runImport(['--dry-run', '--mapping', pipe, file]);
    await ended;
    expect(stderr).toContain('header: got no paymentProvider, revenue.last30Days,');
  });

  it('proposes a mapping for a table with columns of its own', async () => {
    const advice = /table has columns of its own, propose a mapping: revgate import --suggest (\S+)$/m;
    const file = place.write('other.csv', 'Company,Revenue\nElan,5\n');
    expect(advice.exec((await runImport([file])).stderr)?.[1]).toBe('other.csv');
    const records = place.write('other.ndjson', ndjson({ ...record('a'), notes: 'x' }));
    expect(advice.exec((await runImport([records])).stderr)?.[1]).toBe('other.ndjson');
    const invalid = place.write('invalid.ndjson', ndjson({ ...record('a'), onSale: 'x' }));
    expect((await runImport([invalid])).stderr).not.toContain('--suggest');
  });

  it('shows what a table says and asks the rest, and imports it with the answers', async () => {
    const table = 'Company;MRR ($);Notiz\nÉlan & Co.;1.250,50;x\nOther;3,50;\nSumme;1.254,00;\n';
    const file = place.write('export.csv', table);
    const suggested = await runImport(['--suggest', file]);
    expect([suggested.code, suggested.stderr]).toEqual([0, '']);
    for (const line of [
      /^"MRR \(\$\)" +revenue\.mrr:dollars,comma +0 +1\.250,50 → \$1,250\.50 · 3,50 → \$3\.50; \$3\.50 to \$1,250/m,
      /^Notiz +left out: no field has this name/m,
      /^revenue\.mrr +\$1,250\.50 +\$3\.50$/m,
      /^paymentProvider +\? +\?$/m,
      /^ {2}--default paymentProvider=… {2}\(stripe, .*shopify\)\n {2}--default revenue\.last30Days=…$/m,
      /^Wrote export\.mapping\.json, with 7 questions\. Answer each "\?"/m,
    ]) {
      expect(suggested.stdout).toMatch(line);
    }
    expect((await runImport(['--suggest', file])).stderr).toContain('export.mapping.json already exists');
    const mapped = ['--mapping', 'export.mapping.json'];
    const open = await runImport(['--dry-run', ...mapped, file]);
    expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining('The mapping has 7 questions;') });
    expect(open.stderr).toContain('row "Summe" (keep, or leave out)');
    // What --map answers is no question any more, wherever the file asks it.
    const asked = {
      columns: { Company: 'name', 'MRR ($)': '? revenue.mrr', Notiz: '? revenue.mrr: or this one' },
      defaults: { 'revenue.mrr': '?', onSale: '?' },
      values: { 'revenue.mrr': { '14k': '?' } },
    };
    const stale = ['--mapping', place.write('stale.json', JSON.stringify(asked))];
    const left = await runImport([...stale, '--map', 'MRR ($)=revenue.mrr:cents', file]);
    expect(left.stderr).toMatch(/The mapping has a question; .*"\?": onSale \(/);
    const zero = ['revenue.last30Days=0', 'revenue.total=0', 'customers=0', 'activeSubscriptions=0'];
    const answers = ['paymentProvider=Stripe', 'onSale=no', ...zero].flatMap((one) => ['--default', one]);
    const again = await runImport(['--suggest', ...mapped, ...answers, '--row', 'Summe=leave out', file]);
    expect(again.stdout).toContain('Wrote export.mapping.json. Every column has an answer.');
    const { code, stdout } = await runImport(['--dry-run', ...mapped, file]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('revenue.mrr $1,250.50')]);
    expect(stdout).toContain('export.csv: line 4 left out: "Summe"');
    const bare = await runImport(['--map', 'MRR ($)=revenue.mrr', file]);
    expect(bare.stderr).toContain('without the unit of its values; allowed: revenue.mrr:cents,');
    expect((await runImport(['--suggest', file, file])).stderr).toMatch(/specify (one|each) file/);
    expect((await runImport(['--suggest', '--to', 'https://x.example', file])).stderr).toContain('omit --to');
  });

  it('sets rejected records aside, to be fixed and imported', async () => {
    const mixed = ndjson(record('fifth', revenue(500)), { ...record('sixth'), onSale: 'yes' });
    const file = place.write('mixed.ndjson', mixed);
    const refused = await runImport(['--json', file]);
    const counts = { records: 2, created: 0, rejected: 1, errorCount: 1, rejects: null, dryRun: false };
    const error = { file, line: 2, record: null, slug: null, field: 'onSale', got: '"yes"', fix: null };
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ...counts,
      error: '1 error in 2 records: nothing was written. To import the valid records, add --skip-invalid.',
      errors: [{ ...error, allowed: 'true or false' }],
    });
    const { code, stdout, stderr } = await runImport(['--skip-invalid', file]);
    expect([refused.code, code]).toEqual([1, 0]);
    expect(stderr).toMatch(/^mixed\.ndjson: line 2: onSale: got "yes", allowed .+\n$/);
    expect(stdout).toContain('1 rejected');
    expect(stdout).toContain('mixed.rejects.ndjson');
    expect(readFileSync(join(place.cwd, 'mixed.rejects.ndjson'), 'utf8')).toContain('"sixth"');
  });

  it('never writes rejected records over an input or a file that is there, and imports nothing then', async () => {
    const content = ndjson(record('seventh'), { ...record('eighth'), onSale: 'yes' });
    const file = place.write('again.ndjson', content);
    place.write('again.rejects.ndjson', 'fixed by hand\n');
    for (const [rejects, error] of [
      [['--rejects', `./${file}`], /^revgate: .*again\.ndjson is an input: specify another file with --rej/],
      [[], /^revgate: again\.rejects\.ndjson already exists: .+ Remove it, or specify another/],
      [['--rejects', '/dev/full'], /^revgate: Cannot write \/dev\/full \(no space left on device\): nothing/],
    ] as const) {
      const refused = await runImport(['--skip-invalid', ...rejects, file]);
      expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(error) });
    }
    expect(readFileSync(join(place.cwd, file), 'utf8')).toBe(content);
    expect(readFileSync(join(place.cwd, 'again.rejects.ndjson'), 'utf8')).toBe('fixed by hand\n');
    const discarding = await runImport(['--skip-invalid', '--rejects', '/dev/null', '--dry-run', file]);
    expect(discarding.stdout).toMatch(/1 created[\s\S]*1 rejected/);
  });

  it('leaves no file behind when the connection fails or no record is valid, and the next try works', async () => {
    const invalid = { ...record('tenth'), onSale: 'yes' };
    const file = place.write('offline.ndjson', ndjson(record('fifth'), invalid));
    const nothing = place.write('offline-nothing.ndjson', ndjson(invalid));
    const files = () => new Set(readdirSync(place.cwd).filter((name) => name.includes('offline')));
    const before = files();
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect(await run(['import', '--skip-invalid', file], { ...place, env })).toMatchObject({ code: 1 });
    expect(await runImport(['--skip-invalid', nothing])).toMatchObject({ code: 1 });
    expect(files()).toEqual(before);
    expect(await runImport(['--skip-invalid', file])).toMatchObject({ code: 0 });
    expect(files()).toEqual(new Set([...before, 'offline.rejects.ndjson']));
  });

  it('names a file that is given twice, instead of each of its records', async () => {
    const file = place.write('twice.ndjson', ndjson(record('twice'), record('thrice')));
    const stderr = 'revgate: twice.ndjson is given twice: specify each file once.\n';
    expect(await runImport([file, file])).toEqual({ code: 1, stdout: '', stderr });
  });
});
