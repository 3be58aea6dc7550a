import { expect, it } from 'vitest';
import { decoded } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { openSite } from './site.ts';

const DAY_MS = 86_400_000;
const PATH = '/dashboard/explorer';
const onSale = { onSale: true, askingPrice: 100_000_00 };
const site = await openSite({
  records: [
    record('fresh', { verifiedAt: new Date(Date.now() - 3 * DAY_MS).toISOString(), ...onSale }),
    record('stale', { verifiedAt: '2020-01-01', techStack: ['Next.js', 'Go'], ...onSale }),
    record('unknown', onSale),
  ],
});
const ada = await site.member('ada@example.com');
const see = async (path: string): Promise<string> => {
  site.nextMinute();
  return (await ada.get(path)).text;
};
/** The row of a startup. */
const rowOf = (html: string, slug: string): string =>
  new RegExp(`<tr>(?:(?!</tr>).)*explorer/${slug}".*?</tr>`, 's').exec(html)?.[0] ?? '';

it('says how long ago figures were verified, and marks those of more than 30 days', async () => {
  const list = await see(`${PATH}?sort=verified-desc`);
  expect(rowOf(list, 'fresh')).toMatch(/<time datetime="[^"]*">[34] days ago<\/time>/);
  expect(rowOf(list, 'stale')).toMatch(/<time[^>]* class="badge warn">[\d,]+ days ago<\/time>/);
  expect(rowOf(list, 'unknown')).not.toContain('<time');
  expect(list.indexOf('explorer/fresh"')).toBeLessThan(list.indexOf('explorer/stale"'));
  expect(await see(`${PATH}/stale`)).toMatch(/badge warn">✓ Verified by Stripe, <time[^>]*>2020-01-01</);
  expect(await see(`${PATH}/fresh`)).toMatch(/badge good">✓ Verified by Stripe, <time/);
  expect(list).toMatch(/Verified.*%0D%0ASTALE%2C\S*2020-01-01/);
});

it('strikes a higher earlier price through, and finds reduced prices by one click', async () => {
  // They have had their prices since an earlier day.
  await site.database.pool.query('UPDATE startup_points SET day = day - 1');
  await site.database.pool.query("UPDATE startups SET asking_price = 8000000 WHERE slug = 'fresh'");
  await site.database.pool.query("UPDATE startups SET asking_price = 12000000 WHERE slug = 'stale'");
  await expect
    .poll(async () => {
      await site.notice();
      return rowOf(await see(PATH), 'fresh');
    })
    .toContain('$80,000');
  const list = await see(PATH);
  expect(rowOf(list, 'fresh')).toMatch(/<s class="soft">.*\$100,000.*<\/s>.*\$80,000/);
  expect(rowOf(list, 'stale')).not.toContain('<s ');
  const [, path = ''] = /<a class="badge add" id="[^"]*" href="([^"]*)">Price reduced/.exec(list) ?? [];
  const reduced = await see(decoded(path));
  expect(reduced).toContain('explorer/fresh"');
  expect(reduced).not.toContain('explorer/stale"');
  // In its place is the link that removes it.
  expect(reduced).toContain(`<a id="chip-priceReducedSince" href="${PATH}">`);
  expect(reduced).not.toContain('>Price reduced</a>');
  expect(await see(`${PATH}?techStack=next.js`)).toContain('explorer/stale"');
  expect(list).toMatch(/href="[^"]*\?listedSince=\d{4}-\d\d-\d\d">Listed this week/);
});
