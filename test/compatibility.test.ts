import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../src/access/limits/tiers.ts';
import { findDeprecated, removableAt } from '../src/api/graphql/planning/deprecations.ts';
import { schemaText } from '../src/api/graphql/schema.ts';
import { openApiDocument } from '../src/api/rest/openapi.ts';
import { openApiBreaks } from './support/compatibility/openapi-breaks.ts';
import { schemaBreaks } from './support/compatibility/schema-breaks.ts';
import { root } from './support/suites.ts';

const DAY = 86_400_000;
const SINCE = '2027-01-31';
const removable = Date.parse(SINCE) + 90 * DAY;

describe('a change of the schema', () => {
  const released = `
    type Query { list(sort: Sort, old: Int @deprecated(reason: "Use sort. Deprecated since ${SINCE}.")): Record }
    enum Sort { NAME, AGE @deprecated(reason: "Use NAME. Deprecated since ${SINCE}.") }
    type Record { name: String!, label: Label @deprecated(reason: "Use name. Deprecated since ${SINCE}.") }
    type Label { text: String }`;
  const broken = (current: string, now = removable): string[] => schemaBreaks(released, current, now);

  it('may add fields, arguments and values', () => {
    const current = `
      type Query { list(sort: Sort, more: Int, old: Int): Record, other: Int }
      enum Sort { NAME, AGE, SIZE }
      type Record { name: String!, label: Label, size: Int }
      type Label { text: String }`;
    expect(broken(current, 0)).toEqual([]);
  });

  it('may remove what has been deprecated for 90 days, and not before', () => {
    const current =
      'type Query { list(sort: Sort): Record } enum Sort { NAME } type Record { name: String! }';
    expect(broken(current)).toEqual([]);
    expect(broken(current, removable - 1).sort()).toEqual([
      'AGE was removed from enum type Sort.',
      'Label was removed.',
      'Query.list arg old was removed.',
      'Record.label was removed.',
    ]);
  });

  it('must not remove or change anything else', () => {
    const current = 'type Query { list(sort: Sort!): Record } enum Sort { AGE } type Record { name: String }';
    expect(broken(current).sort()).toEqual([
      'NAME was removed from enum type Sort.',
      'Query.list arg sort has changed type from Sort to Sort!.',
      'Record.name changed type from String! to String.',
    ]);
  });
});

describe('a change of OpenAPI', () => {
  const schema = (properties: object, required = Object.keys(properties)) => ({
    type: 'object',
    properties,
    required,
  });
  const document = (parameters: object[], record: object, paths: object = {}) =>
    ({
      paths: {
        '/list': {
          get: {
            parameters,
            responses: {
              '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Record' } } } },
            },
          },
        },
        ...paths,
      },
      components: { schemas: { Record: record } },
    }) as unknown as Parameters<typeof openApiBreaks>[0];
  const sort = { name: 'sort', in: 'query', schema: { type: 'string', enum: ['name', 'age'] } };
  const old = {
    name: 'old',
    in: 'query',
    deprecated: true,
    description: `Use sort. Deprecated since ${SINCE}.`,
    schema: { type: 'string' },
  };
  const released = document(
    [sort, old],
    schema({ name: { type: 'string' }, size: { type: ['integer', 'null'] } }),
  );

  it('may add, be written in another way, and remove what has been deprecated for 90 days', () => {
    const current = document(
      [
        { ...sort, schema: { anyOf: [{ enum: ['name', 'age', 'size'] }, { type: 'string' }] } },
        { name: 'more', in: 'query', schema: {} },
      ],
      schema({
        name: { type: 'string' },
        size: { oneOf: [{ type: 'integer' }, { type: 'null' }] },
        more: { type: 'string' },
      }),
      { '/other': { get: {} } },
    );
    expect(openApiBreaks(released, current, removable)).toEqual([]);
    expect(openApiBreaks(released, current, removable - 1)).toEqual([
      'GET /list: the parameter query old is missing',
    ]);
  });

  it('must not remove or change anything else', () => {
    const current = document(
      [
        { ...sort, schema: { type: 'string', enum: ['name'] } },
        { name: 'more', in: 'query', required: true, schema: {} },
      ],
      schema({ name: { type: ['string', 'null'] } }),
    );
    expect(openApiBreaks(released, current, removable)).toEqual([
      'GET /list: query sort does not take age any more',
      'GET /list: the parameter query more is required',
      'GET /list 200 application/json.name may be null',
      'GET /list 200 application/json.size is missing',
    ]);
    expect(openApiBreaks(released, document([], {}, { '/list': {} }), removable)).toEqual([
      'GET /list is missing',
    ]);
  });
});

/** The versions of the changelog, the newest first, that have been released. */
const versions = [...readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d\S*)(.*)$/gm)]
  .filter(([, , rest = '']) => !rest.includes('not released'))
  .map(([, version = '']) => version);

describe('what was released', () => {
  const file = (version: string, name: string): string => join(root, 'test/released', version, name);

  // To record a release: node scripts/record-release.mjs
  it('is recorded, and breaks no client', () => {
    const [version] = versions;
    if (version === undefined) {
      return;
    }
    expect(existsSync(file(version, 'schema.graphql')), `node scripts/record-release.mjs ${version}`).toBe(
      true,
    );
    const read = (name: string): string => readFileSync(file(version, name), 'utf8');
    expect(schemaBreaks(read('schema.graphql'), schemaText, Date.now())).toEqual([]);
    const current = JSON.parse(JSON.stringify(openApiDocument(DEFAULT_LIMITS)));
    expect(openApiBreaks(JSON.parse(read('openapi.json')), current, Date.now())).toEqual([]);
  });
});

describe('what is deprecated', () => {
  it('says since when', () => {
    const reasons = [...schemaText.matchAll(/@deprecated(?:\(reason: ("""[\s\S]*?"""|"[^"]*")\))?/g)];
    expect(reasons.filter(([, reason = '']) => removableAt(reason) === undefined)).toEqual([]);
    expect(removableAt(`Use name. Deprecated since ${SINCE}.`)).toBe(removable);
    expect(removableAt('Use name.')).toBeUndefined();
  });

  it('is found in documents that use it', () => {
    const schema = buildSchema(`
      type Query { list(old: Int @deprecated(reason: "Use more.")): Int, name: Int @deprecated(reason: "Use list.") }`);
    expect(findDeprecated(schema, '{ list(old: 1) name other: name }')).toEqual([
      'Field "Query.list" argument "old" is deprecated. Use more.',
      'The field Query.name is deprecated. Use list.',
    ]);
    expect(findDeprecated(schema, '{ list }')).toEqual([]);
    expect(findDeprecated(schema, '{')).toEqual([]);
  });
});
