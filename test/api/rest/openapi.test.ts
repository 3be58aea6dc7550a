import { describe, expect, it } from 'vitest';
import { fromJSONSchema } from 'zod';
import { operations } from '../../../src/api/rest/endpoint-table.ts';
import { bodySchema } from '../../../src/api/rest/openapi-responses.ts';
import { objectSchema } from '../../../src/api/rest/openapi-schemas.ts';
import { type ErrorCode, errorStatuses, errorSurfaces } from '../../../src/lib/errors.ts';
import { loadSample, recordSampleHistory } from '../../../src/startups/sample/load-sample.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { SAMPLE_ORIGIN } from '../../../src/web/docs/sample-requests.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { openSampleGateway } from '../../web/docs/sample-gateway.ts';

const gateway = await openTestGateway({
  records: [...sampleStartups({ count: 40, seed: 5 })],
  limits: { standard: 123, premium: 456 },
  origin: () => 'https://gate.example',
});
const { key } = await gateway.key();
await gateway.database.pool.query('SELECT revgate_record_market(revgate_utc_day(clock_timestamp()))');
const served = await gateway.call('/openapi.json');

/** All schemas, in the form of JSON Schema, with no property but those that they name. */
const $defs = JSON.parse(
  JSON.stringify(served.json.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
  (_name, value) => (value?.properties === undefined ? value : { ...value, additionalProperties: false }),
);

/** What a value breaks of a schema. */
function errors(value: unknown, schema: object): unknown[] {
  const refer = JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
  const { success, error } = fromJSONSchema({ ...refer, $defs }).safeParse(value);
  return success ? [] : error.issues;
}

const schemaOf = (path: string) =>
  served.json.paths[path].get.responses['200'].content['application/json'].schema;

describe('a schema of OpenAPI', () => {
  const market = operations.market;

  it('has no name that another selection has', () => {
    const components = { MarketDay: objectSchema({ day: {} }) };
    expect(() => bodySchema(market, components, [])).toThrow(/^Two different schemas .* the name MarketDay/);
  });

  it('describes no startup of which a document selects only some fields', () => {
    const document = '{ startups { page { slug name } } }';
    const operation = { ...operations.startups, document };
    expect(() => bodySchema(operation, {}, [])).toThrow(/with only slug, name/);
  });
});

describe('examples', async () => {
  const sample = await openSampleGateway(() => SAMPLE_ORIGIN);
  const document = (await sample.call('/openapi.json')).json;
  type Example = {
    name: string;
    in: string;
    style?: string;
    example: unknown;
    schema: Record<string, unknown>;
  };
  type Operation = { operationId: string; parameters: Example[]; responses: object };
  const paths = Object.entries<{ get: Operation; post?: Operation }>(document.paths);
  const described = paths.filter(([, { get }]) => get !== undefined);
  const operationList = paths
    .flatMap(([, { get, post }]) => [get, post].filter((one) => one !== undefined))
    .map((one) => [one.operationId, one] as const);

  it.each(described)('of %s are those of a request that succeeds with the sample', async (path, { get }) => {
    const { key } = await sample.key({ tier: 'premium', snapshot: true });
    const query = new URLSearchParams();
    let address = path;
    for (const { name, in: place, example, schema } of get.parameters) {
      expect([name, errors(example, schema)]).toEqual([name, []]);
      if (place === 'path') {
        address = address.replace(`{${name}}`, String(example));
      } else {
        query.set(name, [example].flat().join(','));
      }
    }
    const search = query.size === 0 ? '' : `?${query}`;
    const { status, json } = await sample.call(`/api/v1${address}${search}`, { key });
    expect([address, status, json?.error]).toEqual([address, 200, undefined]);
  });

  it('of days have data of a sample that is loaded when the document is made', async () => {
    const database = await openTestDatabase();
    const client = await database.connect();
    await loadSample({ client, kind: database.kind, count: 500, seed: 1 });
    await recordSampleHistory(client);
    await client.end();
    const later = await openTestGateway({ database });
    const { paths } = (await later.call('/openapi.json')).json;
    const { key } = await later.key();
    for (const path of ['/startups/{slug}/history', '/market']) {
      const examples: Example[] = paths[path].get.parameters;
      const exampleOf = (asked: string) => String(examples.find(({ name }) => name === asked)?.example);
      const query = new URLSearchParams({ from: exampleOf('from'), to: exampleOf('to') });
      const answer = await later.call(`/api/v1${path.replace('{slug}', exampleOf('slug'))}?${query}`, {
        key,
      });
      expect([answer.status, answer.json.data.length > 0]).toEqual([200, true]);
    }
  });

  it.each(operationList)('of %s fit the schemas of its responses', (_id, { responses }) => {
    for (const [status, { content }] of Object.entries<{ content?: object }>(responses as never)) {
      for (const { schema, example, examples } of Object.values(
        (content ?? {}) as Record<string, Record<string, never>>,
      )) {
        const values = examples
          ? Object.keys(examples).map((code) => document.components.examples[code].value)
          : [example];
        expect([status, values.length > 0]).toEqual([status, true]);
        for (const value of values) {
          expect([status, value, errors(value, schema as never)]).toEqual([status, value, []]);
        }
      }
    }
  });

  it('need no data: a cursor from the start is as none', async () => {
    const { key } = await sample.key();
    const all = await sample.call('/api/v1/changes', { key });
    expect((await sample.call('/api/v1/changes?since=start', { key })).json).toEqual(all.json);
  });
});

describe('what generators of clients cannot use', () => {
  it('is in no schema', () => {
    const text = JSON.stringify(served.json);
    expect(text).not.toMatch(/"(uniqueItems|anyOf)":/);
    // No null in an enumeration.
    expect(text).not.toMatch(/"enum":\[[^\]]*null/);
    const onSale = served.json.paths['/startups'].get.parameters.find(
      ({ name }: { name: string }) => name === 'onSale',
    );
    expect(onSale.schema).toMatchObject({ type: 'string', enum: ['true', 'false'] });
  });
});

describe('/openapi.json', () => {
  it('needs no key and spends no budget', async () => {
    expect(served.status).toBe(200);
    expect(served.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(served.headers).not.toHaveProperty('x-ratelimit-limit');
    expect((await gateway.call('/openapi.json', { method: 'POST' })).status).toBe(405);
  });

  it('states the URL and the policy of the gateway, whom to contact and a tag for each operation', () => {
    const { servers, info, tags, paths } = served.json;
    const policy = 'https://gate.example/policy';
    expect(servers).toEqual([{ url: 'https://gate.example/api/v1', description: 'This gateway.' }]);
    expect(info.contact).toEqual({ name: 'Operator of this gateway', url: policy });
    expect(info.license).toEqual({ name: 'Acceptable-use policy', url: policy });
    expect(info.termsOfService).toBe(policy);
    const used = Object.values<Record<string, { tags: string[] }>>(paths).flatMap((path) =>
      Object.values(path).flatMap(({ tags }) => tags),
    );
    expect(new Set(used)).toEqual(new Set(tags.map(({ name }: { name: string }) => name)));
  });

  it('names the codes and the limits of this gateway', () => {
    expect(served.json.components.schemas.Error.properties.error.properties.code.enum).toEqual(
      (Object.keys(errorStatuses) as ErrorCode[]).filter(
        (code) => !['import', 'feeds'].includes(errorSurfaces[code]),
      ),
    );
    const limits = 'standard key has a limit of 123, a premium key of 456, for 60 seconds';
    expect(served.json.info.description).toContain(limits);
  });

  it('describes every value of every enumeration, and has patterns for texts alone', () => {
    const schemas: Record<string, unknown>[] = [];
    JSON.stringify(served.json, (_name, value) => {
      schemas.push(value ?? {});
      return value;
    });
    const enums = schemas.filter((schema) => Array.isArray(schema.enum));
    expect(enums.length).toBeGreaterThan(10);
    for (const { enum: values, 'x-enumDescriptions': described } of enums) {
      const named = (values as unknown[]).filter((value) => value !== null);
      expect(Object.keys(described as object)).toEqual(named);
      expect(Object.values(described as object).every((text) => /\.$/.test(text))).toBe(true);
    }
    // All that generators of clients can use.
    for (const { type } of schemas.filter(({ pattern }) => typeof pattern === 'string')) {
      expect(JSON.stringify(type ?? 'string')).toContain('string');
    }
  });

  it('describes what lists, details and errors are', async () => {
    const { data } = (await gateway.call('/api/v1/startups', { key })).json;
    for (const [path, address] of [
      ...[1, 2, 3, 4].map((page) => ['/startups', `/startups?page=${page}`]),
      ...data.map(({ slug }: { slug: string }) => ['/startups/{slug}', `/startups/${slug}`]),
      ['/startups', '/startups?search=itinararies'],
      ['/startups/{slug}/history', `/startups/${data[0].slug}/history`],
      ['/changes', '/changes?limit=40'],
      ...['/summary', '/market'].map((path) => [path, path]),
    ]) {
      const { json } = await gateway.call(`/api/v1${address}`, { key });
      expect(json.data).not.toEqual([]);
      expect([address, errors(json, schemaOf(path))]).toEqual([address, []]);
      expect(json.meta?.corrected).toBe(address.includes('search') ? true : undefined);
      if (path === '/changes') {
        json.data[0].startup = null;
        expect(errors(json, schemaOf(path))).toEqual([]);
      }
    }
    const { key: copying } = await gateway.key({ tier: 'premium', snapshot: true });
    const { text } = await gateway.call('/api/v1/snapshot', { key: copying });
    const line = { $ref: '#/components/schemas/SnapshotStartup' };
    for (const record of text.trimEnd().split('\n')) {
      expect(errors(JSON.parse(record), line)).toEqual([]);
    }
    const { status, json } = await gateway.call('/api/v1/startups?page=0', { key });
    const { schema } = served.json.paths['/startups'].get.responses[status].content['application/json'];
    expect(errors(json, schema)).toEqual([]);
  });

  it('names the headers that answers have', async () => {
    const tag = (await gateway.call('/api/v1/startups', { key })).headers.etag as string;
    for (const headers of [{}, { 'if-none-match': tag }, { authorization: 'Bearer rvg_wrong' }]) {
      const answer = await gateway.call('/api/v1/startups', { key, headers });
      const described = served.json.paths['/startups'].get.responses[answer.status].headers;
      for (const name of Object.keys(described)) {
        expect(answer.headers).toHaveProperty(name.toLowerCase());
      }
    }
  });
});
