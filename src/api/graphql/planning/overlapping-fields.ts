import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  print,
  type SelectionSetNode,
  typeFromAST,
  type ValidationContext,
} from 'graphql';
import { codedError } from '../errors.ts';
import { fragmentsOf, responseName } from './selection.ts';

/** The most fields that are grouped to find those that differ, counting a field once for each place that has it. */
export const MOST_GROUPED = 20_000;

/** The most comparisons that are left to graphql-js, about 10 ms. */
export const MOST_COMPARISONS = 50_000;

/** What comparing the fields of a document takes. */
interface OverlapWork {
  /** How many fields were grouped. */
  readonly grouped: number;
  /** Whether fields of one response name differ in one place: graphql-js decides whether they can be merged. */
  readonly isDiffering: boolean;
  /** At most how many comparisons graphql-js makes to decide that. */
  readonly comparisons: number;
}

/**
 * The rule of graphql-js that fields of one response name can be merged, which compares each with each other one: 275
 * equal fields take it 130 ms. Here, equal fields are grouped first, which is linear, and only a document in which some
 * differ is compared, with the errors of graphql-js.
 *
 * @throws GraphQLError OPERATION_TOO_COMPLEX if that takes too many comparisons.
 */
export function overlappingFields(context: ValidationContext): ASTVisitor {
  const { isDiffering, comparisons } = measureOverlap(context.getSchema(), context.getDocument());
  if (!isDiffering) {
    return {};
  }
  if (comparisons > MOST_COMPARISONS) {
    throw tooManyComparisons();
  }
  return OverlappingFieldsCanBeMergedRule(context);
}

function tooManyComparisons() {
  const message = 'The operation selects fields of the same name too often to compare them';
  return codedError('OPERATION_TOO_COMPLEX', message);
}

/** A field, and what has to be equal in all fields of its response name in one place. */
interface GroupedField {
  readonly id: number;
  readonly node: FieldNode;
  /** Its name, arguments and type. */
  readonly description: string;
  /** What the fields below it belong to; undefined for an unknown field, or a value. */
  readonly type: GraphQLNamedType | undefined;
}

/** A selection, and the type that it belongs to. */
interface TypedSelection {
  readonly set: SelectionSetNode;
  readonly type: GraphQLNamedType | undefined;
}

/**
 * Groups the fields of a document by their place in the response, as execution merges them. Groups of the same fields and
 * fragments in several places are grouped once, so that cycles end.
 *
 * @throws GraphQLError OPERATION_TOO_COMPLEX for too many fields.
 */
export function measureOverlap(schema: GraphQLSchema, document: DocumentNode): OverlapWork {
  const fragments = fragmentsOf(document);
  const fields = new Map<FieldNode, GroupedField>();
  const seen = new Set<string>();
  const reached = new Set<string>();
  let grouped = 0;
  let comparisons = 0;
  let isDiffering = false;

  function describe(node: FieldNode, parent: GraphQLNamedType | undefined): GroupedField {
    let field = fields.get(node);
    if (field === undefined) {
      const id = fields.size;
      const type = typeOfField(parent, node.name.value);
      const named = type && getNamedType(type);
      const description = `${node.name.value}(${describeArguments(node, id)}): ${type}`;
      field = { id, node, description, type: named };
      fields.set(node, field);
    }
    return field;
  }

  /** Adds the fields of a selection and the fragments that it spreads, and returns how many it spreads. */
  function collect(selection: TypedSelection, found: Set<GroupedField>, spread: Set<string>): number {
    const { set, type } = selection;
    let count = 0;
    for (const node of set.selections) {
      grouped += 1;
      if (grouped > MOST_GROUPED) {
        throw tooManyComparisons();
      }
      if (node.kind === Kind.FIELD) {
        found.add(describe(node, type));
      } else if (node.kind === Kind.FRAGMENT_SPREAD) {
        count += 1;
        spread.add(node.name.value);
      } else {
        const { typeCondition, selectionSet } = node;
        const inner = typeCondition === undefined ? type : typeFromAST(schema, typeCondition);
        count += collect({ set: selectionSet, type: inner }, found, spread);
      }
    }
    return count;
  }

  function group(parents: readonly TypedSelection[]): void {
    const found = new Set<GroupedField>();
    const spread = new Set<string>();
    let sets = 0;
    for (const parent of parents) {
      sets += 1 + collect(parent, found, spread);
    }
    const key = [...found].map(({ id }) => id).join() + [...spread].sort().join(' ...');
    const isSeen = seen.has(key);
    seen.add(key);
    // Fragments of fragments are added while the set is read.
    for (const name of isSeen ? [] : spread) {
      reached.add(name);
      const fragment = fragments[name];
      if (fragment !== undefined) {
        sets += 1 + collect(selectionOf(fragment), found, spread);
      }
    }
    // graphql-js compares each selection and each spread with each other one.
    comparisons += sets * sets;
    if (isSeen) {
      return;
    }
    const byName = new Map<string, GroupedField[]>();
    for (const field of found) {
      const name = responseName(field.node);
      const same = byName.get(name);
      if (same === undefined) {
        byName.set(name, [field]);
      } else {
        same.push(field);
        isDiffering ||= same[0]?.description !== field.description;
      }
    }
    for (const same of byName.values()) {
      comparisons += same.length * same.length;
      const below = same.flatMap(({ node: { selectionSet: set }, type }) => (set ? [{ set, type }] : []));
      if (below.length > 0) {
        group(below);
      }
    }
  }

  function selectionOf({ typeCondition, selectionSet }: FragmentDefinitionNode): TypedSelection {
    return { set: selectionSet, type: typeFromAST(schema, typeCondition) };
  }

  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const type = schema.getRootType(definition.operation) ?? undefined;
      group([{ set: definition.selectionSet, type }]);
    }
  }
  for (const definition of document.definitions) {
    // One that no operation uses is an error, but has others too.
    if (definition.kind === Kind.FRAGMENT_DEFINITION && !reached.has(definition.name.value)) {
      reached.add(definition.name.value);
      group([selectionOf(definition)]);
    }
  }
  return { grouped, isDiffering, comparisons };
}

/** As graphql-js sees it, which knows no type of __typename and other fields that every type has. */
function typeOfField(parent: GraphQLNamedType | undefined, name: string): GraphQLOutputType | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
}

/** @param id which distinguishes a field with two arguments of one name, which equals no other. */
function describeArguments({ arguments: given = [] }: FieldNode, id: number): string {
  const names = new Set(given.map(({ name }) => name.value));
  const texts = given.map(({ name, value }) => `${name.value}: ${print(value)}`).sort();
  return names.size < given.length ? `${id}` : texts.join(', ');
}
