import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseManifest } from '../../../../src/access/keys/documents/manifest.ts';

const allowed =
  "allowed: a JSON object of ids and documents, a list of documents, a manifest of Apollo's tools, or one document in a file *.graphql.";
const TEXT = '{ dataset { total } }';
const parse = (manifest: unknown) => parseManifest('m.json', JSON.stringify(manifest));
const operation = { id: 'abc', name: 'A', type: 'query', body: TEXT };
const apollo = { format: 'apollo-persisted-query-manifest', version: 1, operations: [operation] };

describe('a manifest', () => {
  it.each([
    ['of graphql-codegen or Relay', { abc: TEXT }],
    ["of Apollo's tools", apollo],
  ])('%s is read', (_whose, manifest) => {
    expect(parse(manifest)).toEqual([{ id: 'abc', text: TEXT }]);
  });

  it('can be a list of texts, or one text in a file of GraphQL', () => {
    const id = `sha256:${createHash('sha256').update(TEXT).digest('hex')}`;
    expect(parse([TEXT])).toEqual([{ id, text: TEXT }]);
    expect(parseManifest('list.graphql', TEXT)).toEqual([{ id, text: TEXT }]);
  });

  it.each([
    ['[]', `it contains no documents, ${allowed}`],
    ['{', `not valid JSON, ${allowed}`],
    ['{}', `it contains no documents, ${allowed}`],
    [JSON.stringify({ ...apollo, operations: [] }), `it contains no documents, ${allowed}`],
  ])('%s is refused with what is wrong', (text, error) => {
    expect(() => parseManifest('m.json', text)).toThrow(
      expect.objectContaining({ name: 'OperatorError', message: `m.json: ${error.replace('’', "'")}` }),
    );
  });

  it.each([
    'text',
    [[1]],
    { a: TEXT, b: 1 },
    { ...apollo, version: 2 },
    { ...apollo, operations: 1 },
    { ...apollo, operations: [operation, { id: 'a' }] },
    { ...apollo, operations: [null] },
  ])('%j is none', (manifest) => {
    expect(() => parse(manifest)).toThrow(`m.json: not a manifest, ${allowed}`);
  });
});
