import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/startups/model/fields.ts';
import { sampleStartups } from '../../src/startups/sample/sample.ts';
import { type Answer, openTestGateway } from '../support/gateway.ts';
import { expectedAnswer } from '../support/model/rest-list.ts';
import { type ImportRecord, record } from '../support/records.ts';
import { invalidLists, validLists } from './cases.ts';
import { detailFields, errorsOf, listedFields, surfaces, toRestRecord } from './surfaces.ts';

const details = {
  verifiedAt: '2026-03-01T12:34:56.789Z',
  techStack: ['Next.js', 'PostgreSQL', 'C++'],
  cofounders: ['Ada_L', 'b'],
  founderName: 'Zoë – Größe',
  founderMessage: 'Lines\nand "quotes", commas, 👩‍👩‍👧',
  xFollowerCount: 0,
  isMerchantOfRecord: false,
  valueProposition: '',
  problemSolved: '{}',
  pricingModel: 'Monthly',
  targetPersona: 'x'.repeat(1000),
};

const MOST = 2 ** 53 - 1;
const records: ImportRecord[] = [
  ...sampleStartups({ count: 120, seed: 7 }),
  record('handle-one', { xHandle: 'Maker_3' }),
  record('handle-two', { xHandle: 'maker_3', growth30d: 24 }),
  record('handle-digit', { xHandle: '1' }),
  record('rich', { revenue: { last30Days: MOST, mrr: MOST, total: MOST }, askingPrice: MOST }),
  record('poor', {
    revenue: { last30Days: 0, mrr: 0, total: 0 },
    askingPrice: 0,
    visitorsLast30Days: 0,
    onSale: true,
  }),
  record('gone', { active: false }),
  record('host', { website: 'https://shared.example/' }),
  record('app-one', { website: 'https://shared.example/us/app/one' }),
  record('app-two', { website: 'https://www.shared.example/us/app/two/?ref=1' }),
  record('detailed', details),
  record('munich', { website: 'https://münchen.example/stadt' }),
];

/** The errors of an answer, without what only one surface says: how several values are written in a URL, and capitals. */
const inOneNotation = (answer: Answer) =>
  errorsOf(answer).map(({ parameter, message }) => ({
    parameter,
    message: message
      .replace(/(; in a URL, several different ones|,) separated by commas.*$/, '')
      .toLowerCase(),
  }));

const gateway = await openTestGateway({ records, limits: 100_000 });
const { key } = await gateway.key();

const namesIn = (fields: string) =>
  fields
    .replace(/\{.*?\}/, '')
    .split(/\s+/)
    .join(' ');

describe('lists', () => {
  it.each(validLists)(
    'both surfaces answer %j alike, as a plain reading of the rules has it',
    async (list) => {
      const rest = await surfaces.rest(gateway, list, key);
      const graphql = await surfaces.graphql(gateway, list, key);
      const again = await surfaces.rest(gateway, list, key);
      expect(again.answer.text).toBe(rest.answer.text);
      expect((await surfaces.graphql(gateway, list, key)).answer.json.data).toEqual(graphql.answer.json.data);
      expect(rest.answer.status).toBe(200);
      expect(graphql.answer.status).toBe(200);
      const expected = expectedAnswer(records, list);
      expect(rest.data?.map(({ slug }) => slug)).toEqual(expected.slugs);
      expect(rest.meta).toEqual(expected.meta);
      expect(graphql.data).toEqual(rest.data);
      expect(graphql.meta).toEqual(rest.meta);
    },
  );

  it.each(invalidLists.map(([list, names]) => [JSON.stringify(list).slice(0, 80), names, list] as const))(
    'both surfaces refuse %s and name %j',
    async (_shown, parameters, list) => {
      const rest = await surfaces.rest(gateway, list, key);
      const graphql = await surfaces.graphql(gateway, list, key);
      expect(rest.answer.status).toBe(400);
      expect(graphql.answer.status).toBe(400);
      expect(rest.answer.json.error.code).toBe('BAD_USER_INPUT');
      expect(graphql.answer.json.data).toBeUndefined();
      expect(errorsOf(rest.answer).map(({ parameter }) => parameter)).toEqual(parameters);
      expect(inOneNotation(graphql.answer)).toEqual(inOneNotation(rest.answer));
    },
  );

  it('gives exactly the fields of the interface, in its order, absent values as null', async () => {
    const { data } = await surfaces.rest(gateway, {}, key);
    const fields = namesIn(listedFields);
    for (const startup of data ?? []) {
      expect(Object.keys(startup).join(' ')).toBe(fields);
      expect(Object.keys(startup.revenue as object)).toEqual(['last30Days', 'mrr', 'total']);
      expect(Object.values(startup)).not.toContain(undefined);
    }
  });
});

describe('details', () => {
  it('have every value as it was imported, lists empty and others null where absent', async () => {
    const detailed = await gateway.call('/api/v1/startups/detailed', { key });
    expect(detailed.json.data).toMatchObject(details);
    const plain = (await gateway.call('/api/v1/startups/gone', { key })).json.data;
    for (const { path, default: absent = null } of fieldsOf('detail')) {
      expect([path, plain[path]]).toEqual([path, absent]);
    }
  });

  it.each(['handle-two', 'rich', 'poor', 'gone', 'detailed', records[3]?.slug ?? ''])(
    'both surfaces give %s alike',
    async (slug) => {
      const rest = await gateway.call(`/api/v1/startups/${slug}`, { key });
      const query = `query ($slug: String!) { startup(slug: $slug) { ${detailFields} } }`;
      const graphql = await gateway.graphql(query, { slug }, { key });
      expect(rest.status).toBe(200);
      expect(Object.keys(rest.json)).toEqual(['data']);
      expect(Object.keys(rest.json.data).join(' ')).toBe(namesIn(detailFields));
      expect(toRestRecord(graphql.json.data.startup)).toEqual(rest.json.data);
    },
  );

  it('an unknown slug is a 404 in REST and null in GraphQL', async () => {
    const rest = await gateway.call('/api/v1/startups/no-such', { key });
    const graphql = await gateway.graphql('{ startup(slug: "no-such") { name } }', {}, { key });
    expect([rest.status, rest.json.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(graphql.json.data).toEqual({ startup: null });
  });
});
