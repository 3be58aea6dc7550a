import { describe, expect, it } from 'vitest';
import { documentCheck } from '../../../src/api/graphql/planning/check-document.ts';
import { exampleVariables } from '../../../src/api/graphql/planning/document-variables.ts';
import { schema } from '../../../src/api/graphql/schema.ts';

const checkDocument = documentCheck(() => schema);

describe('checking a document before it is published', () => {
  it('names its operations', () => {
    const text = 'query A($n: Int!) { startups(limit: $n) { meta { total } } } query B { dataset { total } }';
    expect(checkDocument(text)).toEqual({ operations: ['A', 'B'], errors: [] });
    expect(checkDocument('{ dataset { total } }')).toEqual({ operations: [], errors: [] });
  });

  it.each([
    ['{ dataset { total }', 'line 1, column 20: Syntax Error: Expected Name, found <EOF>.'],
    ['fragment A on Startup { slug }', 'it holds no operation.'],
    ['{ datase }', 'line 1, column 3: Cannot query field "datase" on type "Query". Did you mean "dataset"?'],
    ['mutation { __typename }', 'line 1, column 1: The schema has no mutation: only queries are supported.'],
    [
      '{ startups(limit: 11) { meta { total } } }',
      'line 1, column 3: limit: got 11, allowed: an integer from 1 to 10.',
    ],
    [`{ dataset { total } } # ${'x'.repeat(100_000)}`, 'got 100024 bytes, allowed: at most 100000.'],
    ['{ dataset { total } } # \0', 'it holds a NUL character.'],
    [
      `{ ${Array.from({ length: 101 }, (_, i) => `nothing${i}`).join(' ')} }`,
      'The operation has more than 100 validation errors, allowed: at most 100.',
    ],
    [`{ ${'__typename '.repeat(2_001)} }`, 'The operation has 2001 tokens, allowed: at most 2000.'],
  ])('says why it refuses a document: $1', (text, error) => {
    expect(checkDocument(text).errors).toEqual([error]);
  });
});

it('gives example values of the variables of a document, as their types ask for them', () => {
  const text = `query ($slug: String!, $filter: StartupFilter!, $sort: StartupSort!, $ids: [ID!]!, $first: Int!) {
    startups(filter: $filter, sort: $sort, first: $first) { meta { total } }
    startup(slug: $slug) { slug }
    nodes(ids: $ids) { id }
  }`;
  expect(exampleVariables(text, 'acme')).toEqual({
    slug: 'acme',
    filter: {},
    ids: ['acme'],
    first: 3,
    sort: expect.stringMatching(/^[A-Z_]+$/),
  });
});
