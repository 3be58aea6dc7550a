import fc from 'fast-check';
import { writeGlobalId } from '../../../src/api/graphql/types/relay.ts';

/**
 * A response name has the same field and arguments wherever it is used, so that all fields can be merged. It begins
 * with the name of its field, up to an X: operations with underscores in aliases are not compiled.
 */
const named = (...names: string[]): string[] =>
  names.map((name) => (fieldOf(name) === name ? name : `${name}: ${fieldOf(name)}`));

/** The name of the field of a response name, as generated. */
export const fieldOf = (responseName: string): string => responseName.split('X')[0] as string;

const nodeId = writeGlobalId(1);
const rootFields = {
  list: [
    ...['startups', 'startupsX1: startups(limit: 1)', 'startupsX2: startups(page: 2, limit: 2)'],
    'startupsXfirst: startups(first: $first)',
    'startupsXsale: startups(limit: 3, filter: { onSale: $yes })',
  ],
  startup: [
    ...['startupXone: startup(slug: "one")', 'startupXtwo: startup(slug: "two")'],
    ...['startupXnone: startup(slug: "none")', 'startupsBySlug(slugs: ["four", "two", "none"])'],
  ],
  node: [`node(id: "${nodeId}")`, `nodes(ids: ["${nodeId}", "none"])`],
  changes: [
    'changesX3: changes(first: 3)',
    'changesX11: changes(first: 11)',
    'changesXv: changes(first: $first)',
  ],
  leaf: [
    ...['dataset { total version }', '__typename'],
    'marketXai: market(category: AI) { day count mrr { sum median } __typename }',
    'marketXv: market(category: $category, from: $from, to: $to) { day count }',
    '__type(name: "Query") { fields { name args { name } } }',
  ],
};
const startupFields = {
  leaf: [
    ...named('id', 'name', 'slug', 'slugXa', 'description', 'country', 'foundedDate', 'category'),
    ...named(
      'categoryXa',
      'teamSize',
      'customers',
      'growth30d',
      'multiple',
      'rank',
      'rankXa',
      'onSale',
      '__typename',
    ),
    ...named('active', 'createdAt', 'updatedAt'),
    ...['revenue { mrr total }', 'revenue { mrrXa: mrr last30Days }'],
  ],
  history: [
    'history',
    'historyX3: history(last: 3, fill: true)',
    'historyXrange: history(from: $from, to: $to, last: $last, fill: $fill)',
    'historyXnull: history(from: null, last: null, fill: null)',
  ],
};
const pointFields = named('day', 'dayXa', 'customers', 'askingPrice', 'onSale', '__typename');

/** The variables of an operation, each declared where it is used. */
const variableTypes: { readonly [name: string]: string } = {
  yes: 'Boolean! = true',
  no: 'Boolean!',
  maybe: 'Boolean = false',
  first: 'Int!',
  from: 'Date',
  to: 'Date = "2024-05-20"',
  last: 'Int = 4',
  fill: 'Boolean = true',
  category: 'Category = AI',
};

const CONDITIONS = [
  ...['@include(if: $yes)', '@skip(if: $yes)', '@include(if: $no)', '@skip(if: $no)', '@include(if: $maybe)'],
  ...['@include(if: true)', '@include(if: false)', '@skip(if: true)', '@skip(if: false)'],
  ...['@skip(if: $no) @include(if: $yes)', '@include(if: $maybe) @skip(if: $yes)'],
];

type Text = fc.Arbitrary<string>;

/** The selections of each type, with or without conditions on fields, spreads and inline fragments. */
function selections(hasConditions: boolean) {
  const condition = hasConditions
    ? fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...CONDITIONS))
    : fc.constant('');
  const join = (...parts: Text[]): Text => fc.tuple(...parts).map((texts) => texts.join(' '));
  const block = (inside: Text): Text => inside.map((text) => `{ ${text} }`);
  const field = (names: readonly string[], inside?: Text): Text =>
    inside === undefined
      ? fc
          .tuple(fc.constantFrom(...names), condition)
          .map(([name, text]) => name.replace(/ \{|$/, ` ${text}$&`))
      : join(fc.constantFrom(...names), condition, block(inside));
  const spread = (...names: string[]): Text =>
    join(fc.constantFrom(...names.map((name) => `...${name}`)), condition);
  /** Some of the selections, and the same in inline fragments. */
  const some = (type: string, maxLength: number, ...choices: fc.WeightedArbitrary<string>[]): Text => {
    const list = (length: number): Text =>
      fc.array(fc.oneof(...choices), { minLength: 1, maxLength: length }).map((texts) => texts.join(' '));
    const inline = join(fc.constantFrom(`... on ${type}`, '...'), condition, block(list(2)));
    return fc
      .array(fc.oneof({ weight: 5, arbitrary: list(1) }, { weight: 1, arbitrary: inline }), {
        minLength: 1,
        maxLength,
      })
      .map((texts) => texts.join(' '));
  };

  const pointIn = (...spreads: Text[]): Text =>
    some('StartupPoint', 2, { weight: 3, arbitrary: field(pointFields) }, ...weighted(1, spreads));
  const startupIn = (...spreads: Text[]): Text =>
    some(
      'Startup',
      3,
      { weight: 6, arbitrary: field(startupFields.leaf) },
      { weight: 1, arbitrary: field(startupFields.history, pointIn(spread('P1'))) },
      ...weighted(2, spreads),
    );
  const startup = startupIn(spread('S1', 'S2', 'S3'));
  const edges = join(
    fc.constant('edges'),
    condition,
    block(join(field(['cursor']), field(['node'], startup))),
  );
  const listIn = (...spreads: Text[]): Text =>
    some(
      'StartupConnection',
      2,
      { weight: 3, arbitrary: field(named('page', 'pageXa', 'nodes'), startup) },
      { weight: 1, arbitrary: edges },
      {
        weight: 1,
        arbitrary: field(['meta { total page limit hasMore }', 'pageInfo { hasNextPage endCursor }']),
      },
      {
        weight: 1,
        arbitrary: field([
          ...named('stats', 'statsXa').map((one) => `${one} { growth { count max } }`),
          ...named('facets', 'facetsXa').map((one) => `${one} { category { value count } }`),
          ...named('groups').map((one) => `${one}(by: CATEGORY) { value count stats { mrr { median } } }`),
          ...named('groupsXa').map((one) => `${one}(by: TEAM_SIZE) { value onSale }`),
        ]),
      },
      ...weighted(2, spreads),
    );
  const list = listIn(spread('C1', 'C2'));
  const changed = some(
    'Change',
    2,
    { weight: 1, arbitrary: field(['slug', 'kind', 'at']) },
    {
      weight: 2,
      arbitrary: field(named('startup', 'startupXa'), startup),
    },
  );
  const changes = some(
    'ChangeConnection',
    2,
    {
      weight: 3,
      arbitrary: join(
        fc.constant('edges'),
        condition,
        block(join(field(['cursor']), field(['node'], changed))),
      ),
    },
    { weight: 1, arbitrary: field(['next', 'pageInfo { hasNextPage endCursor }']) },
  );
  const node = some(
    'Node',
    2,
    { weight: 1, arbitrary: field(['id', '__typename']) },
    { weight: 1, arbitrary: spread('N1', 'S1', 'S2') },
    { weight: 2, arbitrary: join(fc.constant('... on Startup'), condition, block(startup)) },
  );
  const rootIn = (...spreads: Text[]): Text =>
    some(
      'Query',
      2,
      { weight: 6, arbitrary: field(rootFields.list, list) },
      { weight: 2, arbitrary: field(rootFields.startup, startup) },
      { weight: 1, arbitrary: field(rootFields.node, node) },
      { weight: 2, arbitrary: field(rootFields.changes, changes) },
      { weight: 1, arbitrary: field(rootFields.leaf) },
      ...weighted(2, spreads),
    );
  return {
    root: rootIn(spread('Q1', 'Q2')),
    // A fragment spreads only later ones, so that there is no cycle.
    fragments: {
      'Q1 on Query': rootIn(spread('Q2')),
      'Q2 on Query': rootIn(),
      'C1 on StartupConnection': listIn(spread('C2')),
      'C2 on StartupConnection': listIn(),
      'N1 on Node': some(
        'Node',
        2,
        { weight: 1, arbitrary: field(['id', '__typename']) },
        { weight: 1, arbitrary: spread('S2', 'S3') },
      ),
      'S1 on Startup': startupIn(spread('S2', 'S3')),
      'S2 on Startup': startupIn(spread('S3')),
      'S3 on Startup': startupIn(),
      'P1 on StartupPoint': pointIn(),
    },
  };
}

function weighted(weight: number, arbitraries: readonly Text[]): fc.WeightedArbitrary<string>[] {
  return arbitraries.map((arbitrary) => ({ weight, arbitrary }));
}

const without = selections(false);
const withConditions = selections(true);
type FragmentHead = keyof typeof without.fragments;
const heads = Object.keys(without.fragments) as FragmentHead[];

/** The texts of all fragments, by their names. */
const fragments = fc
  .tuple(
    ...heads.map((head) =>
      fc
        .oneof(
          { weight: 4, arbitrary: without.fragments[head] },
          { weight: 1, arbitrary: withConditions.fragments[head] },
        )
        .map((text) => [head.slice(0, 2), `fragment ${head} { ${text} }`] as const),
    ),
  )
  .map((texts) => new Map(texts));

/** A valid document, and the names of its operations. */
export interface GeneratedDocument {
  readonly query: string;
  readonly operations: readonly string[];
}

/** Documents of up to two operations that share fragments, with and without conditions. */
export const generatedDocument: fc.Arbitrary<GeneratedDocument> = fc
  .tuple(fc.array(fc.oneof(without.root, withConditions.root), { minLength: 1, maxLength: 2 }), fragments)
  .map(([roots, fragments]) => {
    const used = new Map<string, string>();
    const operations = roots.map((root, index) => {
      const reached = reachedFrom(root, fragments);
      for (const [name, text] of reached) {
        used.set(name, text);
      }
      const text = [root, ...reached.values()].join(' ');
      const variables = Object.entries(variableTypes)
        .filter(([variable]) => new RegExp(`\\$${variable}\\b`).test(text))
        .map(([variable, type]) => `$${variable}: ${type}`);
      const declared = variables.length === 0 ? '' : `(${variables.join(', ')})`;
      return { name: `Operation${index}`, text: `query Operation${index}${declared} { ${root} }` };
    });
    return {
      query: [...operations.map(({ text }) => text), ...used.values()].join('\n'),
      operations: operations.map(({ name }) => name),
    };
  });

/** The fragments that a text spreads, directly or through others. */
function reachedFrom(root: string, fragments: ReadonlyMap<string, string>): Map<string, string> {
  const reached = new Map<string, string>();
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/\.\.\.([A-Z]\d)/g)) {
      const fragment = fragments.get(name);
      if (fragment !== undefined && !reached.has(name)) {
        reached.set(name, fragment);
        visit(fragment);
      }
    }
  };
  visit(root);
  return reached;
}
