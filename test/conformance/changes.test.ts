import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleStartups } from '../../src/startups/sample/sample.ts';
import { createTestClock } from '../support/clock.ts';
import { type Answer, openTestGateway } from '../support/gateway.ts';
import { type ImportRecord, insertRecords, record } from '../support/records.ts';
import { detailFields, errorsOf, surfaces as lists, toRestRecord, toValue } from './surfaces.ts';

const records: ImportRecord[] = [
  ...sampleStartups({ count: 20, seed: 11 }),
  record('going'),
  record('long', { description: 'é'.repeat(300), active: false }),
  record('renamed', { teamSize: '51+', fundingStatus: 'vc-funded' }),
  ...['reduced', 'raised', 'unlisted', 'unchanged'].map((slug) => record(slug, { askingPrice: 100_00 })),
];
const clock = createTestClock();

async function open() {
  const gateway = await openTestGateway({ clock, records, limits: 100_000 });
  const { key } = await gateway.key();
  return { gateway, key };
}
const shared = await open();
let { gateway, key } = shared;
/** Lets a test that changes startups have its own. */
async function openOwn(): Promise<void> {
  onTestFinished(() => {
    ({ gateway, key } = shared);
  });
  ({ gateway, key } = await open());
}

/** Waits until the gateway has so many startups, and what changed before. */
async function catchUp(total: number): Promise<void> {
  const { rows } = await gateway.database.pool.query("SELECT value FROM revisions WHERE name = 'dataset'");
  await expect
    .poll(async () => {
      await clock.advance(1_000);
      return (await gateway.graphql('{ dataset { version total } }', {}, { key })).json.data.dataset;
    })
    .toEqual({ version: String(rows[0].value), total });
}

const headers = { accept: 'application/graphql-response+json' };

interface Asked {
  since?: string | undefined;
  limit?: number;
}

const document = `query ($since: String, $first: Int) { changes(since: $since, first: $first) {
  edges { cursor node { slug kind at startup {
    ${detailFields.replace('rank ', '').replace('description ', 'description: fullDescription ')} active
  } } }
  pageInfo { hasNextPage endCursor } next
} }`;

/** The two surfaces, asked alike and answering in REST's form. */
const surfaces = {
  rest: (asked: Asked): Promise<Answer> =>
    // What is undefined is left out, as of JSON.
    gateway.call(`/api/v1/changes?${new URLSearchParams(JSON.parse(JSON.stringify(asked)))}`, { key }),
  graphql: ({ since, limit }: Asked): Promise<Answer> =>
    gateway.graphql(document, { since, first: limit }, { key, headers }),
};

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted, not typed.
const fromGraphQL = ({ json }: Answer): any => {
  const { edges, pageInfo, next } = json.data.changes;
  return {
    data: edges.map(({ node }: { node: { kind: string; startup: Record<string, unknown> | null } }) => ({
      ...node,
      kind: toValue(node.kind),
      startup: node.startup && toRestRecord(node.startup),
    })),
    meta: { next, hasMore: pageInfo.hasNextPage },
  };
};

/** Everything since a cursor, as both surfaces give it. */
async function readAll(since: string | undefined, limit: number) {
  const entries: { slug: string; kind: string; at: string; startup: Record<string, unknown> | null }[] = [];
  for (let cursor = since, hasMore = true; hasMore; ) {
    const rest = await surfaces.rest({ since: cursor, limit });
    expect(rest.status).toBe(200);
    expect(fromGraphQL(await surfaces.graphql({ since: cursor, limit }))).toEqual(rest.json);
    entries.push(...rest.json.data);
    ({ next: cursor, hasMore } = rest.json.meta);
    since = cursor;
  }
  return { entries, next: since };
}

describe('changes', () => {
  it.each([1, 100])('both surfaces answer alike, %i at a time', async (limit) => {
    const { entries } = await readAll(undefined, limit);
    expect(entries).toMatchObject(records.map(({ slug }) => ({ slug, kind: 'created' })));
    for (const { startup } of entries) {
      const detail = await gateway.call(`/api/v1/startups/${startup?.slug}`, { key });
      // As in a snapshot: the rank changes with those of others.
      const { rank: _rank, ...expected } = detail.json.data;
      const { description, active = true } = records.find(
        ({ slug }) => slug === startup?.slug,
      ) as ImportRecord;
      expect(startup).toEqual({ ...expected, description, active });
    }
  });

  it('both surfaces return the changes since a cursor, and none if nothing changed', async () => {
    await openOwn();
    const { next } = await readAll(undefined, 10);
    expect(await readAll(next, 10)).toEqual({ entries: [], next });
    const { prisma } = gateway.database;
    await prisma.startup.delete({ where: { slug: 'going' } });
    await prisma.startup.update({ where: { slug: 'renamed' }, data: { slug: 'new-name' } });
    await insertRecords(gateway.database, [record('another')]);
    await catchUp(records.length);
    const { entries } = await readAll(next, 2);
    expect(entries.map(({ slug, kind, startup }) => [slug, kind, startup?.slug ?? null])).toEqual([
      ['going', 'removed', null],
      ['renamed', 'removed', null],
      ['new-name', 'updated', 'new-name'],
      ['another', 'created', 'another'],
    ]);
    expect(entries.map(({ at }) => new Date(at).toISOString())).toEqual(entries.map(({ at }) => at));
    const rest = await surfaces.rest({ since: next });
    expect(Object.keys(rest.json)).toEqual(['data', 'meta']);
    expect(Object.keys(rest.json.data[0])).toEqual(['slug', 'kind', 'at', 'startup']);
    expect(Object.keys(rest.json.meta)).toEqual(['next', 'hasMore']);
    // The cursor of an edge leads on from there.
    const { edges, pageInfo } = (await surfaces.graphql({ since: next })).json.data.changes;
    expect(pageInfo.endCursor).toBe(edges[3].cursor);
    expect((await readAll(edges[1].cursor, 10)).entries).toEqual(entries.slice(2));
  });

  it('is answered from memory alone', async () => {
    gateway.queries.length = 0;
    await surfaces.rest({ limit: 100 });
    expect(gateway.rowQueries()).toEqual([]);
  });

  it.each<Asked>([
    ...[0, 101, -1].map((limit) => ({ limit })),
    ...['x', 'A'.repeat(48), 'ä'].map((since) => ({ since })),
  ])('both surfaces refuse %j', async (asked) => {
    const [rest, graphql] = [await surfaces.rest(asked), await surfaces.graphql(asked)];
    expect([rest.status, rest.json.error.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect([graphql.status, graphql.json.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(graphql.json.data).toBeUndefined();
    const [{ parameter, message } = { parameter: '' }] = errorsOf(rest);
    expect(asked).toHaveProperty(parameter);
    expect(errorsOf(graphql)).toEqual([{ parameter: parameter.replace('limit', 'first'), message }]);
    expect(rest.headers['x-ratelimit-limit']).toBe('100000');
  });

  it('refuses the cursor of a list, an empty one and unknown parameters', async () => {
    const query = '{ startups { pageInfo { endCursor } } }';
    const { endCursor } = (await gateway.graphql(query, {}, { key })).json.data.startups.pageInfo;
    const wrong = await surfaces.rest({ since: endCursor });
    expect(errorsOf(wrong)[0]?.message).toMatch(/allowed: a cursor returned by changes$/);
    const answer = await gateway.call('/api/v1/changes?since=&page=2&limit=3&limit=4', { key });
    expect(answer.status).toBe(400);
    const errors = new Map(errorsOf(answer).map(({ parameter, message }) => [parameter, message]));
    expect([...errors.keys()].sort()).toEqual(['limit', 'page', 'since']);
    expect(errors.get('page')).toBe('unknown parameter, allowed: since, limit');
  });

  it('an expired cursor is a 410 in REST, and a null with its error beside the other fields in GraphQL', async () => {
    await openOwn();
    const { next } = await readAll(undefined, 100);
    await gateway.database.pool.query('TRUNCATE startups RESTART IDENTITY');
    await insertRecords(gateway.database, records);
    await catchUp(records.length);
    const rest = await surfaces.rest({ since: next as string });
    expect([rest.status, rest.json.error.code]).toEqual([410, 'CURSOR_EXPIRED']);
    expect(rest.json.error.message).toMatch(/Read everything again: start without since\.$/);
    const query = 'query ($since: String) { changes(since: $since) { next } dataset { total } }';
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const options = { key, headers: { accept } };
      const { status, json, headers } = await gateway.graphql(query, { since: next }, options);
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(json.data).toEqual({ changes: null, dataset: { total: records.length } });
      const { message } = rest.json.error;
      const extensions = { code: 'CURSOR_EXPIRED' };
      expect(json.errors).toMatchObject([{ message, path: ['changes'], extensions }]);
    }
    expect((await readAll(undefined, 100)).entries).toHaveLength(records.length);
  });
});

it('both surfaces find and show reduced prices alike', async () => {
  await openOwn();
  // Within a day, the last state counts: these had their prices yesterday.
  await gateway.database.pool.query('UPDATE startup_points SET day = day - 1');
  await gateway.database.pool.query(
    `UPDATE startups SET asking_price = CASE slug WHEN 'reduced' THEN 8000 WHEN 'raised' THEN 12000 END
     WHERE slug IN ('reduced', 'raised', 'unlisted')`,
  );
  await catchUp(records.length);
  const reduced = { priceReducedSince: '2020-01-01' };
  const rest = await lists.rest(gateway, reduced, key);
  expect(rest.data?.map(({ slug }) => slug)).toEqual(['reduced']);
  expect((await lists.graphql(gateway, reduced, key)).data).toEqual(rest.data);
  const later = { priceReducedSince: '2100-01-01' };
  expect((await lists.rest(gateway, later, key)).meta).toMatchObject({ total: 0 });
  const previous = { reduced: 100_00, raised: 100_00, unlisted: null, unchanged: null };
  for (const [slug, previousAskingPrice] of Object.entries(previous)) {
    const { data } = (await gateway.call(`/api/v1/startups/${slug}`, { key })).json;
    const query = `{ startup(slug: "${slug}") { previousAskingPrice askingPriceChangedAt updatedAt } }`;
    const { startup } = (await gateway.graphql(query, {}, { key })).json.data;
    const askingPriceChangedAt = previousAskingPrice === null ? null : startup.updatedAt;
    const expected = { previousAskingPrice, askingPriceChangedAt };
    expect([startup, data]).toMatchObject([expected, expected]);
  }
});
