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
import { requiredVariables } from './document-variables.ts';
import { fragmentsOf, mergeSelections, type SelectionScope } from './selection.ts';

/** The only operation of a document, as a feed has it. */
export interface Feed {
  readonly name: string | undefined;
  /** The description of the operation, or else the comment above it. */
  readonly description: string | undefined;
  readonly scope: SelectionScope;
  /** At least one. */
  readonly lists: readonly FeedList[];
}

/** A list of startups that a document reads. */
export interface FeedList {
  /** The names below which a result has the list, and each of its records. */
  readonly root: string;
  readonly path: readonly string[];
  /** What is selected of each record. */
  readonly record: readonly FieldNode[];
}

/** The feed of a valid document, or why it cannot have one. */
export function readFeed(document: DocumentNode): Feed | string {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    return 'a feed needs a document of one operation.';
  }
  const required = requiredVariables(operation).map(({ variable }) => `$${variable.name.value}`);
  if (required.length > 0) {
    return `a feed sets no variables: give ${required.join(', ')} a default.`;
  }
  const defaults = getVariableValues(schema, operation.variableDefinitions ?? [], {});
  const scope = { fragments: fragmentsOf(document), variableValues: defaults.coerced ?? {} };
  const lists: FeedList[] = [];
  for (const [root, nodes] of mergeSelections(scope, [operation])) {
    if (nodes[0].name.value === 'startups') {
      const list = readFeedList(root, nodes, scope);
      if (typeof list === 'string') {
        return list;
      }
      lists.push(list);
    }
  }
  const description = operation.description?.value ?? commentAbove(operation);
  return lists.length === 0
    ? 'a feed needs a list: read startups.'
    : { name: operation.name?.value, description, scope, lists };
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
  const feed = readFeed(typeof document === 'string' ? parse(document) : document);
  return typeof feed === 'string' ? [feed] : [];
}

/** Where lists have their records. */
const paths = [['page'], ['nodes'], ['edges', 'node']];
/** What a feed requires of each record. */
const requiredNames = ['slug', 'name', 'updatedAt'];

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
