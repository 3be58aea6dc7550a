import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  TokenKind,
} from 'graphql';
import { schema } from '../schema.ts';
import { fragmentsOf } from './fragments.ts';
import { mergeSelections, type SelectionScope } from './selection.ts';

/** The only operation of a document, as its author describes it. */
export interface OfferedOperation {
  readonly name: string | undefined;
  /** Its description, or else the comment above it. */
  readonly description: string | undefined;
  readonly definition: OperationDefinitionNode;
  readonly scope: SelectionScope;
}

/** A list of startups or of changes that a document reads, as a feed has it. */
export interface FeedList {
  /** The names below which a result has the list, and each of its records. */
  readonly root: string;
  readonly path: readonly string[];
  readonly hasChanges: boolean;
  /** What is selected of each record. */
  readonly record: readonly FieldNode[];
  /** The variable that takes a cursor, and how many of the last changes are read. Only of changes. */
  readonly since?: { readonly variable: string; readonly count: number };
}

/** The operation of a document; undefined if it has several. */
export function readOperation(document: DocumentNode): OfferedOperation | undefined {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const [definition] = operations;
  if (definition === undefined || operations.length > 1) {
    return undefined;
  }
  const defaults = getVariableValues(schema, definition.variableDefinitions ?? [], {});
  return {
    name: definition.name?.value,
    description: definition.description?.value ?? commentAbove(definition),
    definition,
    scope: { fragments: fragmentsOf(document), variableValues: defaults.coerced ?? {} },
  };
}

function commentAbove({ loc }: OperationDefinitionNode): string | undefined {
  const lines: string[] = [];
  for (let token = loc?.startToken.prev; token?.kind === TokenKind.COMMENT; token = token.prev) {
    lines.unshift(token.value.trim());
  }
  return lines.join('\n').trim() || undefined;
}

/** Why a valid document cannot have a feed; empty if it can. */
export function feedErrors(document: DocumentNode): string[] {
  const operation = readOperation(document);
  const lists =
    operation === undefined ? 'a feed needs a document of one operation.' : readFeedLists(operation);
  return typeof lists === 'string' ? [lists] : [];
}

/** Where lists of startups have their records. */
const startupPaths = [['page'], ['nodes'], ['edges', 'node']];
const changePaths = [['edges', 'node']];

/** The lists that a feed has, at least one; or why the operation has none. */
export function readFeedLists({ definition, scope }: OfferedOperation): FeedList[] | string {
  const { variableDefinitions = [] } = definition;
  const required = variableDefinitions.filter(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
  );
  if (required.length > 0) {
    const names = required.map(({ variable }) => `$${variable.name.value}`).join(', ');
    return `a feed sets no variables: give ${names} a default.`;
  }
  const found = [...mergeSelections(scope, [definition])].filter(([, [{ name }]]) =>
    ['startups', 'changes'].includes(name.value),
  );
  const lists = found.map(([root, nodes]) => readFeedList(root, nodes, scope));
  const error = lists.find((list) => typeof list === 'string');
  return lists.length === 0
    ? 'a feed needs a list: read startups or changes.'
    : (error ?? lists.filter((list) => typeof list !== 'string'));
}

function readFeedList(
  root: string,
  nodes: readonly [FieldNode, ...FieldNode[]],
  scope: SelectionScope,
): FeedList | string {
  const hasChanges = nodes[0].name.value === 'changes';
  const names = hasChanges ? ['slug', 'kind', 'at'] : ['slug', 'name', 'updatedAt'];
  const path = (hasChanges ? changePaths : startupPaths).find((one) => selectionAt(scope, nodes, one));
  const record = path && selectionAt(scope, nodes, path);
  const missing = names.filter((name) => record === undefined || !selectionAt(scope, record, [name]));
  if (path === undefined || record === undefined || missing.length > 0) {
    const [what, where] = hasChanges
      ? ['change', 'edges { node { … } }']
      : ['startup', 'nodes { … } or page { … }'];
    return `a feed needs ${names.join(', ')} of each ${what}, without aliases: add ${missing.join(', ')} to ${where}.`;
  }
  if (!hasChanges) {
    return { root, path, hasChanges, record };
  }
  const since = readSince(nodes[0], scope);
  return since === undefined
    ? 'a feed of changes begins where the server says: add ($since: String) to the operation, and read changes(since: $since).'
    : { root, path, hasChanges, record, since };
}

/** What is selected below fields, along response names that are those of fields. */
function selectionAt(
  scope: SelectionScope,
  parents: readonly FieldNode[],
  path: readonly string[],
): readonly FieldNode[] | undefined {
  return path.reduce<readonly FieldNode[] | undefined>((nodes, name) => {
    const found = nodes && mergeSelections(scope, nodes).get(name);
    return found?.[0].name.value === name ? found : undefined;
  }, parents);
}

function readSince(node: FieldNode, scope: SelectionScope): FeedList['since'] {
  const given = node.arguments?.find(({ name }) => name.value === 'since')?.value;
  const field = schema.getQueryType()?.getFields().changes;
  if (given?.kind !== Kind.VARIABLE || field === undefined) {
    return undefined;
  }
  const { first } = getArgumentValues(field, node, scope.variableValues);
  return { variable: given.name.value, count: first as number };
}
