import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readOwnFields } from '../../../src/startups/own/declarations.ts';
import { ndjson } from '../../startups/import/inputs.ts';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import { run } from './process.ts';

const place = await openServedPlace();
const stored = async (): Promise<unknown> =>
  place.use(async ({ prisma }) => {
    const rows: { slug: string; own: unknown }[] =
      await prisma.$queryRaw`SELECT slug, own FROM startups ORDER BY id`;
    return Object.fromEntries(rows.map(({ slug, own }) => [slug, own]));
  });

it('a table is suggested to fill declared fields, and fills them', async () => {
  await place.run('fields', 'add', 'annualProfit', 'cents', '--label', 'Profit of the year');
  await place.run('fields', 'add', 'employees', 'count');
  const file = place.write('a.ndjson', ndjson({ ...record('acme'), own: { employees: 3 } }, record('beta')));
  const imported = await place.run('import', file);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(imported.stdout).toMatch(/^The first record, in dollars: acme: .*, own\.employees 3\.$/m);

  const table = 'slug;Profit of the year;Employees\nacme;"-1.250,50 $";1.200\nbeta;3,50 $;7\n';
  const suggested = await place.run('import', '--update', '--suggest', place.write('t.csv', table));
  expect(suggested).toMatchObject({ code: 0, stderr: '' });
  expect(suggested.stdout).toMatch(
    /^"Profit of the year" +own\.annualProfit:dollars,comma +0 +-1\.250,50 \$ → −\$1,250\.50/m,
  );
  const { columns } = JSON.parse(readFileSync(join(place.cwd, 't.mapping.json'), 'utf8'));
  expect(columns).toMatchObject({ Employees: expect.stringMatching(/^own\.employees|^\? own\.employees/) });
  const mapped = ['--mapping', 't.mapping.json', '--map', 'Employees=own.employees:number,comma'];
  const updated = await place.run('import', '--update', ...mapped, 't.csv');
  expect(updated).toMatchObject({ code: 0, stderr: '' });
  expect(updated.stdout).toMatch(/^Set own\.annualProfit \(2\), own\.employees \(2\)\.$/m);
  expect(await stored()).toMatchObject({
    acme: { annualProfit: -125_050, employees: 1_200 },
    beta: { annualProfit: 350, employees: 7 },
  });
  const cleared = await place.run('import', '--dry-run', file);
  expect(cleared.stdout).toMatch(
    /^own\.annualProfit: 2 startups lose their values, as the file has none\. To keep what a file does not have, use --update\.\nown\.employees: 1 startup loses its value/m,
  );
});

it('a mapping that names what nobody has declared says how to, and declares it', async () => {
  expect((await place.run('import', place.write('o.ndjson', ndjson(record('offices'))))).code).toBe(0);
  const file = place.write('o.csv', 'slug,Offices\noffices,5\n');
  const map = ['--update', '--map', 'Offices=own.offices:count'];
  const refused = await place.run('import', ...map, file);
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'revgate: The column "Offices" is mapped to "own.offices", which is no field; declare it first: npx revgate fields add offices KIND, or "fields" in the mapping\n',
  });
  const mapping = place.write('o.json', JSON.stringify({ fields: { offices: { kind: 'count' } } }));
  const done = await place.run('import', ...map, '--mapping', mapping, file);
  expect(done.stdout).toMatch(/^own\.offices: declared with this import, as count \("Offices"\)\.$/m);
  const declared = await place.use(({ prisma }) => readOwnFields(prisma));
  expect(declared.map(({ name }) => name)).toContain('offices');
});

it('a table is examined without a database, where no field is declared', async () => {
  const examine = (env: Record<string, string>, file: string) =>
    run(['import', '--suggest', file], { cwd: place.cwd, env });
  const suggested = await examine({ DATA_DIR: 'none' }, place.write('e.csv', 'name,own.offices\nAcme,5\n'));
  expect(suggested.stderr).toBe('');
  expect(suggested.stdout).toMatch(
    /^own\.offices +left out: declare it first: npx revgate fields add offices/m,
  );
  const lost = await examine(
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    place.write('f.csv', 'name\nAcme\n'),
  );
  expect(lost.stderr).toMatch(/^Without the fields of your own, as the database cannot be read: /);
  expect(lost.code).toBe(0);
});
