import fc from 'fast-check';
import {
  type DocumentNode,
  type GraphQLError,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  documentCheck,
  findInvalid,
  parseWithinCaps,
} from '../../../src/api/graphql/planning/check-document.ts';
import {
  MOST_COMPARISONS,
  MOST_GROUPED,
  measureOverlap,
} from '../../../src/api/graphql/planning/overlapping-fields.ts';
import { schema } from '../../../src/api/graphql/schema.ts';
import { runs } from '../../support/runs.ts';

const many = (count: number, text: string): string => Array.from({ length: count }, () => text).join(' ');

/** Counts how often the name of a field is read: comparing two fields reads both. */
function countReads(document: DocumentNode): () => number {
  let reads = 0;
  visit(document, {
    Field(node) {
      const { name } = node;
      Object.defineProperty(node, 'name', {
        enumerable: true,
        get: () => {
          reads += 1;
          return name;
        },
      });
    },
  });
  return () => reads;
}

/** What validation says, and how often it reads the names of fields. */
function check(text: string) {
  const document = parse(text);
  const reads = countReads(document);
  try {
    const messages = findInvalid(schema, document).map(({ message }) => message);
    return { reads: reads(), messages };
  } catch (error) {
    return { reads: reads(), messages: [(error as GraphQLError).message] };
  }
}

/** What all rules but the one that is replaced read of a field, for each place that has it. */
const READS_OF_OTHERS = 20;

describe('equal fields', () => {
  it.each([
    ['of a list', 275, 'startups', 'page { name }'],
    ['of an edge', 270, 'startups', 'edges { node { name } }'],
    ['with two fields', 300, 'startups', 'page { name slug }'],
    ['of a record', 480, 'startups { page', 'revenue { mrr }'],
    ['with arguments', 180, 'startups { page', 'history(last: 3) { day }'],
  ])('are grouped, and not compared with each other: %s', (_name, count, parent, field) => {
    const text = `{ ${parent} { ${many(count, field)} } ${parent.includes('{') ? '}' : ''} }`;
    const { reads, messages } = check(text);
    expect(messages).toEqual([]);
    expect(reads).toBeLessThan(READS_OF_OTHERS * 3 * count);
    // The same when it is published.
    expect(documentCheck(() => schema)(`query A ${text}`).errors).toEqual([]);
    const compared = parse(text);
    const readsOfRule = countReads(compared);
    validate(schema, compared, [OverlappingFieldsCanBeMergedRule]);
    expect(readsOfRule()).toBeGreaterThan(count * count);
  });

  it('may be spread by many fragments', () => {
    const fragments = Array.from(
      { length: 49 },
      (_, i) => `fragment F${i} on Startup { id name ...F${i + 1} }`,
    );
    const last = 'fragment F49 on Startup { id }';
    const spreads = fragments.map((_, i) => `...F${i}`).join(' ');
    const text = `{ startups { page { id ${spreads} } nodes { id ${spreads} } } } ${fragments.join(' ')} ${last}`;
    expect(check(text).messages).toEqual([]);
  });
});

describe('fields of one response name', () => {
  const leaf = fc.constantFrom('name', 'slug', 'id', 'name: slug', '__typename', 'x: name', 'nothing');
  const spread = fc.constantFrom('...A', '...B', '...C', '...D');
  const lists = fc.constantFrom(
    'startups',
    'startups(page: 1)',
    'startups(page: 2)',
    'startups(page: 1, page: 2)',
  );
  const list = (parts: fc.Arbitrary<string>) =>
    fc.array(parts, { minLength: 1, maxLength: 6 }).map((all) => all.join(' '));
  const startup = list(
    fc.oneof(
      leaf,
      spread,
      fc
        .tuple(fc.constantFrom('...', '... on Startup', '... on Node', '... on Query'), leaf)
        .map(([on, it]) => `${on} { ${it} }`),
      fc
        .tuple(fc.constantFrom('revenue', 'history(last: 1)', 'history(last: 2)'), leaf)
        .map(([on, it]) => `${on} { mrr ${it} }`),
    ),
  );
  const connection = list(
    fc.oneof(
      spread,
      startup.map((inside) => `page { ${inside} }`),
      startup.map((inside) => `edges { cursor node { ${inside} } }`),
    ),
  );
  const repeated = (part: fc.Arbitrary<string>) =>
    fc.tuple(part, fc.integer({ min: 1, max: 30 })).map(([text, times]) => many(times, text));
  const root = list(
    fc.oneof(
      spread,
      repeated(fc.tuple(lists, connection).map(([name, inside]) => `${name} { ${inside} }`)),
      startup.map((inside) => `startup(slug: "a") { ${inside} }`),
      startup.map((inside) => `node(id: "a") { ${inside} }`),
    ),
  );
  const documents = fc.tuple(root, root, startup, startup, connection, root).map(
    ([one, other, a, b, c, d]) => `query One { ${one} } query Other { ${other} }
        fragment A on Startup { ${a} } fragment B on Node { ${b} }
        fragment C on StartupConnection { ${c} } fragment D on Query { ${d} }`,
  );

  const parsed = (text: string): DocumentNode | undefined => {
    try {
      return parseWithinCaps(text);
    } catch {
      // Beyond another limit.
      return undefined;
    }
  };

  it('have the errors of graphql-js, in its order, for any document within the limits', () => {
    let compared = 0;
    fc.assert(
      fc.property(documents, (text) => {
        const document = parsed(text);
        if (document === undefined) {
          return;
        }
        const { isDiffering } = measureOverlap(schema, document);
        const expected = validate(schema, document, [OverlappingFieldsCanBeMergedRule]);
        if (!isDiffering) {
          expect(expected).toEqual([]);
        }
        const all = validate(schema, document, specifiedRules);
        try {
          expect(findInvalid(schema, document)).toEqual(all);
          compared += expected.length > 0 ? 1 : 0;
        } catch (error) {
          expect((error as GraphQLError).extensions.code).toBe('OPERATION_TOO_COMPLEX');
        }
      }),
      runs(300),
    );
    expect(compared).toBeGreaterThan(10);
  });

  it('are compared at most so often, for any document within the limits', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const document = parsed(text);
        if (document === undefined) {
          return;
        }
        const { grouped, comparisons, isDiffering } = measureOverlap(schema, document);
        expect(grouped).toBeLessThanOrEqual(MOST_GROUPED);
        const reads = countReads(document);
        validate(schema, document, [OverlappingFieldsCanBeMergedRule]);
        // Collecting reads each field once for each of its selections; a comparison reads two, an error three more.
        expect(reads()).toBeLessThanOrEqual(5 * comparisons + 5 * grouped);
        const { reads: all } = check(text);
        expect(all).toBeLessThanOrEqual(5 * (isDiffering ? MOST_COMPARISONS : 0) + READS_OF_OTHERS * grouped);
      }),
      runs(300),
    );
  });
});

it.each([
  [
    'fields that differ',
    `{ ${Array.from({ length: 240 }, (_, i) => `startups(page: ${i}) { __typename }`).join(' ')} }`,
  ],
  [
    'the fields of a fragment in many places',
    `{ ${Array.from({ length: 250 }, (_, i) => `x${i} { y ...F }`).join(' ')} } fragment F on Startup { ${many(500, 'name')} }`,
  ],
])('refuses more comparisons than its limit: %s', (_name, text) => {
  expect(check(text).messages).toEqual([
    'The operation selects fields of the same name too often to compare them',
  ]);
});
