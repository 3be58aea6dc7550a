import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../../src/lib/text/days.ts';
import { ndjson } from '../../startups/import/inputs.ts';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import { type Ended, run } from './process.ts';

const place = await openServedPlace();
let files = 0;

/** Writes a file of its own, and imports it with these options. */
const importText = (text: string, ...options: string[]): Promise<Ended> =>
  place.run('import', ...options, place.write(writeName(text), text));

/** A name that says nothing of a directory, with the extension of the content. */
function writeName(text: string): string {
  files += 1;
  return `${files}.${text.startsWith('{') ? 'ndjson' : 'csv'}`;
}

/** Imports two startups that are told apart by their slugs from those of other tests. */
async function importTwo(prefix: string): Promise<[string, string]> {
  const [first, second] = [`${prefix}-first`, `${prefix}-second`] as const;
  const records = [record(first, { askingPrice: 900_00, description: 'Old' }), record(second)];
  expect(await importText(ndjson(...records))).toMatchObject({ code: 0 });
  return [first, second];
}

/** What is stored of a startup, without what each change changes. */
const stored = (slug: string) =>
  place.use(async ({ prisma }) => {
    const { revision, updatedAt, ...values } = await prisma.startup.findUniqueOrThrow({ where: { slug } });
    return values;
  });

it('sets what a table of slug and MRR has, which a dry run only says', async () => {
  const [first, second] = await importTwo('mrr');
  const before = [await stored(first), await stored(second)] as const;
  const text = `slug,revenue.mrr\n${first},500\n${second},8000\n`;
  const said = (would: string, imported: string, set: string) =>
    new RegExp(
      `^${would}${imported} 2 startups in .+: 0 created, 1 updated, 1 unchanged, 0 rejected, 0 removed\\.\n` +
        `The first record sets: ${first}: revenue\\.mrr \\$5\\.00\\.\n${would}${set} revenue\\.mrr \\(2\\)\\.\n$`,
    );
  const planned = await importText(text, '--update', '--dry-run');
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(said('Would ', 'import', 'set')) });
  expect([await stored(first), await stored(second)]).toEqual(before);
  const done = await importText(text, '--update');
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(said('', 'Imported', 'Set')) });
  expect(await stored(first)).toEqual({ ...before[0], revenueMrr: 500n });
  expect(await stored(second)).toEqual(before[1]);
});

it('clears what is empty, and says so to people and programs', async () => {
  const [first] = await importTwo('clear');
  const text = `slug,askingPrice,customers\n${first},,7\n`;
  const { stdout } = await importText(text, '--update', '--dry-run', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    dryRun: true,
    updated: 1,
    sets: [
      { field: 'customers', values: 1, cleared: 0 },
      { field: 'askingPrice', values: 0, cleared: 1 },
    ],
  });
  expect((await importText(text, '--update')).stdout).toContain(
    `The first record sets: ${first}: customers 7, askingPrice cleared.\nSet customers (1), askingPrice (1 cleared).\n`,
  );
  expect(await stored(first)).toMatchObject({ askingPrice: null, customers: 7, description: 'Old' });
});

it('refuses an empty required field and a new slug without what a startup needs, with their lines', async () => {
  const [first] = await importTwo('refused');
  const before = await stored(first);
  const { code, stdout, stderr } = await importText(`slug,customers\n${first},\nrefused-new,4\n`, '--update');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/\.csv: line 2: customers: got null, allowed an integer from 0 to 2147483647\n/);
  expect(stderr).toMatch(
    /\.csv: line 3: name: got nothing, allowed a value, as no startup has its slug \("refused-new"\)\n/,
  );
  expect(stderr).toMatch(/8 errors in 2 records: nothing was written\./);
  expect(await stored(first)).toEqual(before);
});

it('creates a startup of a new slug that has what it needs, with the defaults that others do not get', async () => {
  const [first] = await importTwo('created');
  const whole = { ...record('created-new', { customers: 4 }), paymentProvider: undefined };
  const text = ndjson({ slug: first, customers: 3 }, whole);
  const done = await importText(text, '--update', '--default', 'paymentProvider=polar');
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created, 1 updated,') });
  expect(await stored(first)).toMatchObject({ customers: 3, paymentProvider: 'stripe' });
  expect(await stored('created-new')).toMatchObject({ customers: 4, paymentProvider: 'polar' });
});

it('sets figures of a past day, and leaves those of today', async () => {
  const day = addDays(dayOf(Date.now()), -3);
  const [first] = await importTwo('past');
  const past = record('past-first', { customers: 2, description: 'Old', askingPrice: 900_00 });
  expect(await importText(ndjson(past), '--as-of', day)).toMatchObject({ code: 0 });
  const today = await stored(first);
  const done = await importText(`slug,revenue.mrr\n${first},3\n`, '--update', '--as-of', day);
  expect(done).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`1 point of the history of ${day}`),
  });
  const points = await place.use(({ prisma }) =>
    prisma.startupPoint.findMany({ where: { startupId: today.id }, orderBy: { day: 'asc' } }),
  );
  expect(points.map(({ customers, revenueMrr }) => [customers, Number(revenueMrr)])).toEqual([
    [2, 3],
    [10, 80_00],
  ]);
  expect(await stored(first)).toEqual(today);
});

it('is not combined with --replace', async () => {
  const { code, stderr } = await importText('slug,customers\na,1\n', '--update', '--replace', '--yes');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^revgate: --update cannot be combined with --replace: .+ Nothing was written\.\n$/,
    ),
  ]);
});

it('asks only about the columns of a table of slug and MRR, and its advice leads to the update', async () => {
  const [first] = await importTwo('asked');
  const before = await stored(first);
  const name = place.write('nightly.csv', `slug,MRR\n${first},1250\n`);
  const { code, stderr } = await place.run('import', '--update', name);
  expect(code).toBe(1);
  const [, advised = ''] = /propose a mapping: revgate (.+)\n$/.exec(stderr) ?? [];
  expect(advised).toBe('import --update --suggest nightly.csv');
  const suggested = await place.run(...advised.split(' '));
  expect(suggested).toMatchObject({ code: 0, stderr: '' });
  expect(suggested.stdout).not.toContain('No column has these fields');
  const [, next = ''] = /[Ii]mport(?: it)?: revgate (.+)\n$/.exec(suggested.stdout) ?? [];
  expect(next).toBe('import --update --mapping nightly.mapping.json nightly.csv');
  expect(JSON.parse(readFileSync(join(place.cwd, 'nightly.mapping.json'), 'utf8'))).toEqual({
    columns: { MRR: expect.stringMatching(/^\? revenue\.mrr: which unit/) },
  });
  const done = await run([...next.split(' '), '--map', 'MRR=revenue.mrr:dollars'], place);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Set revenue.mrr (1).') });
  expect(await stored(first)).toEqual({ ...before, revenueMrr: 1_250_00n });
});
