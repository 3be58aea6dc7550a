import {
  type DocumentNode,
  type FieldNode,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  TokenKind,
} from 'graphql';
import { schema } from '../schema.ts';
import { fragmentsOf, mergeSelections, type SelectionScope } from './selection.ts';

/** The only operation of a document, as its author describes it. */
export interface SingleOperation {
  readonly name: string | undefined;
  /** Its description, or else the comment above it. */
  readonly description: string | undefined;
  readonly definition: OperationDefinitionNode;
  readonly scope: SelectionScope;
}

/** A list of startups that a document reads, as a feed has it. */
export interface FeedList {
  /** The names below which a result has the list, and each of its records. */
  readonly root: string;
  readonly path: readonly string[];
  /** What is selected of each record. */
  readonly record: readonly FieldNode[];
}

/** The operation of a document; undefined if it has several. */
export function readOperation(document: DocumentNode): SingleOperation | undefined {
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
export function feedErrors(document: DocumentNode | string): string[] {
  const operation = readOperation(typeof document === 'string' ? parse(document) : document);
  const lists =
    operation === undefined ? 'a feed needs a document of one operation.' : readFeedLists(operation);
  return typeof lists === 'string' ? [lists] : [];
}

/** Where lists have their records. */
const paths = [['page'], ['nodes'], ['edges', 'node']];
/** What a feed requires of each record. */
const requiredNames = ['slug', 'name', 'updatedAt'];

/** The lists that a feed has, at least one; or why the operation has none. */
export function readFeedLists({ definition, scope }: SingleOperation): FeedList[] | string {
  const { variableDefinitions = [] } = definition;
  const required = variableDefinitions.filter(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
  );
  if (required.length > 0) {
    const names = required.map(({ variable }) => `$${variable.name.value}`).join(', ');
    return `a feed sets no variables: give ${names} a default.`;
  }
  const found = rootFields({ definition, scope }, 'startups');
  const lists = found.map(([root, nodes]) => readFeedList(root, nodes, scope));
  const error = lists.find((list) => typeof list === 'string');
  return lists.length === 0
    ? 'a feed needs a list: read startups.'
    : (error ?? lists.filter((list) => typeof list !== 'string'));
}

/** Whether an operation reads changes and no list: such a document could have a feed before. */
export function readsChangesAlone(operation: SingleOperation): boolean {
  return rootFields(operation, 'changes').length > 0 && rootFields(operation, 'startups').length === 0;
}

function rootFields({ definition, scope }: Pick<SingleOperation, 'definition' | 'scope'>, field: string) {
  return [...mergeSelections(scope, [definition])].filter(([, [{ name }]]) => name.value === field);
}

function readFeedList(root: string, nodes: readonly FieldNode[], scope: SelectionScope): FeedList | string {
  const path = paths.find((one) => selectionAt(scope, nodes, one));
  const record = path && selectionAt(scope, nodes, path);
  const missing = requiredNames.filter((name) => record === undefined || !selectionAt(scope, record, [name]));
  return path === undefined || record === undefined || missing.length > 0
    ? `a feed needs ${requiredNames.join(', ')} of each startup, without aliases: add ${missing.join(', ')} to nodes { … } or page { … }.`
    : { root, path, record };
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
