import { expect, it } from 'vitest';
import { addOwnField } from '../../../src/startups/own/declarations.ts';
import { insertRecords, record } from '../../support/records.ts';
import { openSite } from './site.ts';

const SEARCHES = '/dashboard/shortlist/searches';

it('emails tell of searches by declared fields, and not of one whose field was removed', async () => {
  const site = await openSite({
    records: [record('old')],
    startsAt: Date.parse('2026-11-23T05:53:00.000Z'),
  });
  const { prisma, pool } = site.database;
  await addOwnField(prisma, { name: 'employees', kind: 'count', indexed: true });
  await addOwnField(prisma, { name: 'gone', kind: 'count', indexed: true });
  const ada = await site.member('ada@example.com');
  await expect
    .poll(async () => {
      await site.notice();
      return (await site.call('/schema.graphql')).text;
    })
    .toContain('OWN_GONE_DESC');
  for (const [name, query] of [
    ['Large', 'own.employees.min=10'],
    ['Small', 'own.employees.max=9'],
    ['Gone', 'own.gone.max=9'],
  ] as const) {
    const saved = await ada.post(SEARCHES, { name, query, mails: 'on' });
    expect(saved.headers.location).toBe(`${SEARCHES}?notice=search-saved`);
  }
  await ada.post('/dashboard/shortlist/mails', { frequency: 'daily' });
  // After the baseline, before 06:00 UTC.
  await site.clock?.advance(6 * 60_000);
  await insertRecords(site.database, [record('fresh'), record('other')]);
  await pool.query(`UPDATE startups SET own = '{"employees": 12, "gone": 1}' WHERE slug = 'fresh'`);
  await prisma.ownField.delete({ where: { name: 'gone' } });
  await site.clock?.advance(10 * 60_000);
  const findMail = () => site.mails.find(({ subject }) => subject.startsWith('FRESH'));
  await expect.poll(findMail).toBeDefined();
  expect(findMail()?.lists?.map(({ heading }) => heading)).toEqual(['Large: 1 change']);
});
