import { expect, it } from 'vitest';
import { record } from '../support/records.ts';
import { openServedPlace } from './databases.ts';
import type { Ended } from './process.ts';

const dayOf = (age: number): string => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10);

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
  const dry = await importAsOf(dayOf(9), '--dry-run', 'one.ndjson');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toContain(`\nWould write 1 point of the history of ${dayOf(9)}.\n`);
  await place.run('import', 'one.ndjson');
  const done = await importAsOf(dayOf(8), 'two.ndjson');
  expect(done.stdout).toMatch(/^Imported 2 startups in .+: 1 created, 0 updated, 1 unchanged/);
  expect(done.stdout).toContain(`\nWrote 2 points of the history of ${dayOf(8)}.\n`);
  const again = JSON.parse((await importAsOf(dayOf(8), '--json', 'two.ndjson')).stdout);
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2, points: 0 });

  const listed = await place.json('imports');
  expect(listed.map(({ asOf }: { asOf: unknown }) => asOf)).toEqual([dayOf(8), dayOf(8), null]);
  const table = (await place.run('imports')).stdout;
  expect(table).toMatch(new RegExp(`^TIME +AS OF +CREATED.*\n.+Z +${dayOf(8)} +0 `));
  expect((await place.run('audit')).stdout).toContain(dayOf(8));
});

it('refuses a day that HISTORY_DAYS does not keep', async () => {
  const old = await importAsOf(dayOf(31), 'one.ndjson');
  expect([old.code, old.stdout]).toEqual([1, '']);
  expect(old.stderr).toContain(`revgate: --as-of: got "${dayOf(31)}", allowed: a day from ${dayOf(30)}, `);
});
