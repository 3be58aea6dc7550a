import { expect, it } from 'vitest';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import type { Ended } from './process.ts';

const dayOf = (age: number): string => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10);
const [nineDaysAgo, eightDaysAgo] = [dayOf(9), dayOf(8)];

const place = await openServedPlace({ HISTORY_DAYS: '30' });
for (const [name, slugs] of [
  ['one.ndjson', ['a']],
  ['two.ndjson', ['a', 'b']],
] as const) {
  place.write(name, slugs.map((slug) => `${JSON.stringify(record(slug))}\n`).join(''));
}

const importAsOf = (day: string, ...args: string[]): Promise<Ended> =>
  place.run('import', '--as-of', day, ...args);

it('imports past days, says how many points it wrote, and lists them with their day', async () => {
  const dry = await importAsOf(nineDaysAgo, '--dry-run', 'one.ndjson');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toContain(`\nWould write 1 point of the history of ${nineDaysAgo}.\n`);
  await place.run('import', 'one.ndjson');
  const done = await importAsOf(eightDaysAgo, 'two.ndjson');
  expect(done.stdout).toMatch(/^Imported 2 startups in .+: 1 created, 0 updated, 1 unchanged/);
  expect(done.stdout).toContain(`\nWrote 2 points of the history of ${eightDaysAgo}.\n`);
  const again = JSON.parse((await importAsOf(eightDaysAgo, '--json', 'two.ndjson')).stdout);
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2, points: 0 });

  const listed = await place.json('imports');
  expect(listed.map(({ asOf }: { asOf: unknown }) => asOf)).toEqual([eightDaysAgo, eightDaysAgo, null]);
  const table = (await place.run('imports')).stdout;
  expect(table).toMatch(new RegExp(`^TIME +AS OF +CREATED.*\n.+Z +${eightDaysAgo} +0 `));
  expect((await place.run('audit')).stdout).toContain(eightDaysAgo);
});

it('refuses a day that HISTORY_DAYS does not keep', async () => {
  const [day, before] = [dayOf(31), dayOf(30)];
  const old = await importAsOf(day, 'one.ndjson');
  expect([old.code, old.stdout]).toEqual([1, '']);
  const [, got, oldest] = /^revgate: --as-of: got "(.+)", allowed: a day from (.+?), /.exec(old.stderr) ?? [];
  expect(got).toBe(day);
  // A day may have ended meanwhile.
  expect([before, dayOf(30)]).toContain(oldest);
});
