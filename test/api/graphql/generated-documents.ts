import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  parse,
  print,
  separateOperations,
} from 'graphql';
import { parseWithinCaps } from '../../../src/api/graphql/planning/check-document.ts';
import { schema } from '../../../src/api/graphql/schema.ts';
import { writeGlobalId } from '../../../src/api/graphql/types/relay.ts';

const nodeId = writeGlobalId(1);
/**
 * How fields with arguments are selected. A response name has the same field and arguments wherever it is used, so that
 * all fields can be merged. It begins with the name of its field, up to an X: operations with underscores in aliases are
 * not compiled.
 */
const withArguments: { readonly [field: string]: readonly string[] } = {
  startups: [
    'startups',
    'startupsX1: startups(limit: 1)',
    'startupsX2: startups(page: 2, limit: 2)',
    'startupsXfirst: startups(first: $first)',
    'startupsXsale: startups(limit: 3, filter: { onSale: $yes })',
  ],
  startup: ['one', 'two', 'none'].map((slug) => `startupX${slug}: startup(slug: "${slug}")`),
  startupsBySlug: ['startupsBySlug(slugs: ["four", "two", "none"])'],
  node: [`node(id: "${nodeId}")`],
  nodes: [`nodes(ids: ["${nodeId}", "none"])`],
  changes: [
    'changesX3: changes(first: 3)',
    'changesX11: changes(first: 11)',
    'changesXv: changes(first: $first)',
  ],
  market: ['marketXai: market(category: AI)', 'marketXv: market(category: $category, from: $from, to: $to)'],
  groups: ['groups(by: CATEGORY)', 'groupsXa: groups(by: TEAM_SIZE)'],
  history: [
    'history',
    'historyX3: history(last: 3, fill: true)',
    'historyXrange: history(from: $from, to: $to, last: $last, fill: $fill)',
    'historyXnull: history(from: null, last: null, fill: null)',
  ],
};
const INTROSPECTION = '__type(name: "Query") { fields { name args { name } } }';

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
  '@include(if: $yes)',
  '@skip(if: $yes)',
  '@include(if: $no)',
  '@skip(if: $no)',
  '@include(if: $maybe)',
  '@include(if: true)',
  '@include(if: false)',
  '@skip(if: true)',
  '@skip(if: false)',
  '@skip(if: $no) @include(if: $yes)',
  '@include(if: $maybe) @skip(if: $yes)',
];

/** Each fragment spreads only later ones, so that there is no cycle. */
const heads = [
  'Q1 on Query',
  'Q2 on Query',
  'C1 on StartupConnection',
  'C2 on StartupConnection',
  'N1 on Node',
  'S1 on Startup',
  'S2 on Startup',
  'S3 on Startup',
  'P1 on StartupPoint',
].map((text) => ({ text, name: text.slice(0, 2), typeName: text.slice(6) }));

/** How often fields with selections are chosen; 1 where it is not said. */
const weights: { readonly [name: string]: number } = {
  startups: 6,
  startup: 2,
  changes: 2,
  page: 3,
  edges: 2,
};

type Text = fc.Arbitrary<string>;
type Composite = GraphQLObjectType | GraphQLInterfaceType;
const join = (...parts: Text[]): Text => fc.tuple(...parts).map((texts) => texts.join(' '));
const block = (inside: Text): Text => inside.map((text) => `{ ${text} }`);

/** Makes selections of types, with or without conditions on fields, spreads and inline fragments. */
function createSelections(hasConditions: boolean) {
  const condition = hasConditions
    ? fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...CONDITIONS))
    : fc.constant('');
  /** The ways to select a field. */
  const choicesOf = ({ name, args }: GraphQLField<unknown, unknown>): readonly string[] => {
    const choices = args.length === 0 ? [name, `${name}Xa: ${name}`] : withArguments[name];
    if (choices === undefined) {
      throw new Error(`There are no arguments for the field ${name}`);
    }
    return choices;
  };

  /** Some selections of a type: fields, spreads of fragments from a position on, and the same in inline fragments. */
  const select = (type: Composite, from: number): Text => {
    const fields = Object.values(type.getFields());
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const choices: fc.WeightedArbitrary<string>[] = fields
      .filter((field) => !leaves.includes(field))
      .map((field) => {
        const inside = block(select(getNamedType(field.type) as Composite, from));
        const arbitrary = join(fc.constantFrom(...choicesOf(field)), condition, inside);
        return { weight: weights[field.name] ?? 1, arbitrary };
      });
    const texts = [...leaves.flatMap(choicesOf), '__typename'];
    choices.push({
      weight: type.name === 'Startup' ? 6 : 1,
      arbitrary: join(fc.constantFrom(...texts), condition),
    });
    if (type.name === 'Query') {
      choices.push({ weight: 1, arbitrary: fc.constant(INTROSPECTION) });
    }
    if (isInterfaceType(type)) {
      const startup = schema.getType('Startup') as GraphQLObjectType;
      const inside = block(select(startup, from));
      choices.push({ weight: 2, arbitrary: join(fc.constant(`... on ${startup.name}`), condition, inside) });
    }
    const fitting = [type.name, ...(isInterfaceType(type) ? ['Startup'] : [])];
    const spreads = heads
      .slice(from)
      .flatMap(({ name, typeName }) => (fitting.includes(typeName) ? [`...${name}`] : []));
    if (spreads.length > 0) {
      choices.push({ weight: 2, arbitrary: join(fc.constantFrom(...spreads), condition) });
    }
    const list = (maxLength: number): Text =>
      fc.array(fc.oneof(...choices), { minLength: 1, maxLength }).map((texts) => texts.join(' '));
    const inline = join(fc.constantFrom(`... on ${type.name}`, '...'), condition, block(list(2)));
    return fc
      .array(fc.oneof({ weight: 5, arbitrary: list(1) }, { weight: 1, arbitrary: inline }), {
        minLength: 1,
        maxLength: type.name === 'Startup' ? 3 : 2,
      })
      .map((texts) => texts.join(' '));
  };
  return {
    root: select(schema.getQueryType() as GraphQLObjectType, 0),
    fragments: heads.map(({ typeName }, index) => select(schema.getType(typeName) as Composite, index + 1)),
  };
}

const without = createSelections(false);
const withConditions = createSelections(true);

/** The texts of all fragments. */
const fragments = fc.tuple(
  ...heads.map(({ text }, index) =>
    fc
      .oneof(
        { weight: 4, arbitrary: without.fragments[index] as Text },
        { weight: 1, arbitrary: withConditions.fragments[index] as Text },
      )
      .map((selection) => `fragment ${text} { ${selection} }`),
  ),
);

/** A valid document, and the names of its operations. */
export interface GeneratedDocument {
  readonly query: string;
  readonly operations: readonly string[];
}

/** Documents of up to two operations that share fragments, with and without conditions. */
export const generatedDocument: fc.Arbitrary<GeneratedDocument> = fc
  .tuple(fc.array(fc.oneof(without.root, withConditions.root), { minLength: 1, maxLength: 2 }), fragments)
  .map(([roots, fragments]) => {
    const texts = roots.map((root, index) => `query Operation${index} { ${root} }`);
    // Each operation with the fragments that it spreads, directly or through others.
    const separated = separateOperations(parse([...texts, ...fragments].join('\n')));
    const reached = Object.values(separated).map(print);
    const operations = texts.map((text, index) => {
      const variables = Object.entries(variableTypes)
        .filter(([variable]) => new RegExp(`\\$${variable}\\b`).test(reached[index] ?? ''))
        .map(([variable, type]) => `$${variable}: ${type}`);
      return variables.length === 0 ? text : text.replace(' {', `(${variables.join(', ')}) {`);
    });
    const used = fragments.filter((_, index) =>
      reached.some((text) => text.includes(`fragment ${heads[index]?.name} `)),
    );
    return { query: [...operations, ...used].join('\n'), operations: Object.keys(separated) };
  })
  .filter(({ query }) => isWithinCaps(query));

/** Fragments repeat what a document may have once, such as introspection. */
function isWithinCaps(query: string): boolean {
  try {
    parseWithinCaps(query);
    return true;
  } catch {
    return false;
  }
}
