import { buildSchema, isEnumType, isIntrospectionType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { costlyNames, requireCosts } from '../../../src/api/graphql/field-cost.ts';
import { schema, schemaText } from '../../../src/api/graphql/schema.ts';

// Where they differ: npm run generate
it('prints as the committed schema.graphql', async () => {
  await expect(schemaText).toMatchFileSnapshot('../../../schema.graphql');
});

it('describes every value of every enumeration in a sentence', () => {
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType);
  const values = enums.flatMap((type) => type.getValues().map((value) => [type.name, value] as const));
  expect(values.length).toBeGreaterThan(60);
  for (const [type, { name, description }] of values) {
    expect(description, `${type}.${name}`).toMatch(/^[A-Z0-9].*\.$/s);
  }
});

it('plans every field with arguments, as a compiled operation passes none to resolvers', () => {
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !isIntrospectionType(type))
    .flatMap((type) => Object.values(type.getFields()));
  const { root, list, startup } = costlyNames(schema);
  const planned = new Set([...root, ...list, ...startup]);
  const withArguments = fields.filter(({ args }) => args.length > 0).map(({ name }) => name);
  expect(withArguments).toContain('startups');
  expect(withArguments.filter((name) => !planned.has(name))).toEqual([]);
});

it('is not built with a field of the root that does not say what it costs', () => {
  const silent = buildSchema('type Query { everything: Int }');
  expect(() => requireCosts(silent)).toThrow(/^Query\.everything does not say what it costs/);
});
