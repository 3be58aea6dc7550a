import { expect, it } from 'vitest';
import { openSite } from '../web/dashboard/site.ts';

it('requests that use 80 % of a limit in ten minutes of an hour are told to the holder of their key, fewer are not', async () => {
  const site = await openSite({ limits: 5, startsAt: Date.parse('2026-11-20T12:00:00.000Z') });
  await site.member('near@example.com');
  await site.member('far@example.com');
  const accountId = async (email: string) => (await site.accountOf(email)).id;
  const near = await site.key({ name: 'Near', accountId: await accountId('near@example.com') });
  const far = await site.key({ name: 'Far', accountId: await accountId('far@example.com') });
  site.mails.length = 0;
  for (let minute = 0; minute < 10; minute += 1) {
    for (let request = 0; request < 4; request += 1) {
      expect((await site.call('/api/v1/startups', { key: near.key })).status).toBe(200);
      if (request > 0) {
        expect((await site.call('/api/v1/startups', { key: far.key })).status).toBe(200);
      }
    }
    await site.clock?.advance(60_000);
  }
  await site.clock?.advance(6 * 60_000);
  expect(site.mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['near@example.com', 'Your key “Near” used over 80% of its limit in 10 minutes (revgate)'],
  ]);
});
