import { describe, expect, it } from 'vitest';
import { fromJSONSchema } from 'zod';
import { type ErrorCode, errorStatuses, feedErrors, importErrors } from '../../../src/lib/errors.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { openTestGateway } from '../../support/gateway.ts';

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

describe('/openapi.json', () => {
  it('needs no key and spends no budget', async () => {
    expect(served.status).toBe(200);
    expect(served.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(served.headers).not.toHaveProperty('x-ratelimit-limit');
    expect((await gateway.call('/openapi.json', { method: 'POST' })).status).toBe(405);
  });

  it('states the URL of the gateway, whom to contact and a tag for each operation', () => {
    const { servers, info, tags, paths } = served.json;
    expect(servers).toEqual([{ url: 'https://gate.example/api/v1', description: 'This gateway.' }]);
    expect(info.contact).toEqual({
      name: 'Operator of this gateway',
      url: 'https://gate.example/policy',
    });
    const names = tags.map(({ name }: { name: string }) => name);
    const used = Object.values<{ get: { tags: string[] } }>(paths).flatMap(({ get }) => get.tags);
    expect(new Set(used)).toEqual(new Set(names));
  });

  it('has patterns for texts alone, which is all that generators of clients can use', () => {
    const patterns: unknown[] = [];
    JSON.stringify(served.json, (_name, value) => {
      if (value?.pattern !== undefined && !JSON.stringify(value.type ?? '').includes('string')) {
        patterns.push(value);
      }
      return value;
    });
    expect(patterns).toEqual([]);
    expect(served.json.info.license).toEqual({
      name: 'Acceptable-use policy',
      url: served.json.info.termsOfService,
    });
  });

  it('names the codes and the limits of this gateway', () => {
    expect(served.json.components.schemas.Error.properties.error.properties.code.enum).toEqual(
      (Object.keys(errorStatuses) as ErrorCode[]).filter(
        (code) => !importErrors.has(code) && !feedErrors.has(code),
      ),
    );
    expect(served.json.info.description).toContain(
      'standard key has a limit of 123, a premium key of 456, for 60 seconds',
    );
  });

  it('describes every value of every enumeration', () => {
    const enumsOf = (node: unknown): Record<string, unknown>[] =>
      typeof node === 'object' && node !== null
        ? [
            ...('enum' in node ? [node as Record<string, unknown>] : []),
            ...Object.values(node).flatMap(enumsOf),
          ]
        : [];
    const schemas = enumsOf(served.json);
    expect(schemas.length).toBeGreaterThan(10);
    for (const { enum: values, 'x-enumDescriptions': described } of schemas) {
      expect(Object.keys(described as object)).toEqual(
        (values as unknown[]).filter((value) => value !== null),
      );
      expect(Object.values(described as object).every((text) => /\.$/.test(text))).toBe(true);
    }
  });

  it('describes what lists, details and errors are', async () => {
    const { data } = (await gateway.call('/api/v1/startups', { key })).json;
    const details = data.map(({ slug }: { slug: string }) => ['/startups/{slug}', `/startups/${slug}`]);
    for (const [path, address] of [
      ...[1, 2, 3, 4].map((page) => ['/startups', `/startups?page=${page}`]),
      ...[...details, ['/startups', '/startups?search=itinararies'], ['/summary', '/summary']],
      ['/startups/{slug}/history', `/startups/${data[0].slug}/history`],
      ...[
        ['/market', '/market'],
        ['/changes', '/changes?limit=40'],
      ],
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
