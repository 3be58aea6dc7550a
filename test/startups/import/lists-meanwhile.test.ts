import { describe, expect, it } from 'vitest';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { importStartups } from '../../../src/startups/import/import.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openSite } from '../../web/dashboard/site.ts';
import { input, ndjson, record } from './inputs.ts';

const COUNT = 300;
const isServer = process.env.TEST_DATABASE_URL !== undefined;

/** All startups under one name; the orders of two versions are each other's reverse. */
function version(name: string, revenueOf: (index: number) => number): string {
  const records = Array.from({ length: COUNT }, (_, index) => {
    const revenue = { last30Days: revenueOf(index), mrr: 0, total: revenueOf(index) };
    return record({ slug: `s-${index}`, name, revenue });
  });
  return ndjson(...records);
}

const database = await openTestDatabase();

async function load(content: string, beforeCommit?: () => Promise<void>): Promise<void> {
  const client = await database.openClient();
  const inputs = [input('a.ndjson', content)];
  await importStartups({
    client,
    kind: database.kind,
    fields: standardFields,
    inputs,
    ...(beforeCommit && { beforeCommit }),
  });
  await client.end();
}

const limits = { standard: 1_000_000, premium: 1_000_000 };
const site = await openSite({ database, usesTimers: true, limits });
const browser = await site.member('ada@example.com');
const { key } = await site.key();
// Nobody uses this one before.
const { key: strange } = await site.key();
await load(version('Old', (index) => index));

describe('while an import that changes every startup is applied', () => {
  async function list(): Promise<{ total: number; names: string[]; isInOrder: boolean }> {
    const { status, json } = await site.call('/api/v1/startups', { key });
    expect(status).toBe(200);
    const found = json.data as { name: string; revenue: { last30Days: number } }[];
    const revenues = found.map(({ revenue }) => revenue.last30Days);
    return {
      total: json.meta.total,
      names: [...new Set(found.map(({ name }) => name))],
      isInOrder: revenues.every((value, index) => index === 0 || value < (revenues[index - 1] as number)),
    };
  }

  it('reads continue from memory, and what needs an embedded database is refused for the moment', async () => {
    const old = { total: COUNT, names: ['Old'], isInOrder: true };
    await expect.poll(list).toEqual(old);
    let isTested = false;
    await load(
      version('New', (index) => COUNT - index),
      async () => {
        expect(await list()).toEqual(old);
        const query = `{ startups(filter: { minRevenue: 1 }) { nodes { name } meta { total } } }`;
        const { json } = await site.graphql(query, {}, { key });
        expect(json.data.startups.meta.total).toBe(COUNT - 1);
        expect(json.data.startups.nodes[0]).toEqual({ name: 'Old' });

        if (!isServer) {
          // From now on, as patient as a server.
          database.beginServing();
        }
        const [rest, graphql, page] = await Promise.all([
          site.call('/api/v1/startups', { key: strange }),
          site.graphql('{ dataset { total } }', {}, { key: strange }),
          browser.get('/dashboard/keys'),
        ]);
        if (isServer) {
          expect([rest.status, graphql.status, page.status]).toEqual([200, 200, 200]);
        } else {
          const message = 'The database does not answer at the moment. Retry in 5 seconds.';
          const code = 'SERVICE_UNAVAILABLE';
          for (const answer of [rest, graphql, page]) {
            expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
          }
          expect(page.text).toContain('Temporarily unavailable');
          expect(rest.json.error).toMatchObject({ code, message });
          expect(graphql.json.errors[0]).toMatchObject({ message, extensions: { code } });
          expect(rest.headers).toHaveProperty('x-ratelimit-limit');
        }
        isTested = true;
      },
    );
    expect(isTested).toBe(true);
    await expect.poll(list).toEqual({ total: COUNT, names: ['New'], isInOrder: true });
    // Nothing that was given up keeps the session.
    await expect.poll(async () => (await site.call('/api/v1/startups', { key: strange })).status).toBe(200);
    await expect.poll(async () => (await browser.get('/dashboard/keys')).status).toBe(200);
  });
});
