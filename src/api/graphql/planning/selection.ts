import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** What reading a selection depends on besides itself. */
export interface SelectionScope {
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode | undefined };
  readonly variableValues: { readonly [name: string]: unknown };
}

/** The fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): { [name: string]: FragmentDefinitionNode } {
  const fragments: { [name: string]: FragmentDefinitionNode } = Object.create(null);
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments[definition.name.value] = definition;
    }
  }
  return fragments;
}

/**
 * The selection below an operation, or below the nodes of one field, as execution merges it: by response name, through
 * fragments, without fields that @skip and @include exclude. Only for types without an interface, such as the root and
 * connections, and startups: type conditions are ignored, and every type with an interface is a startup.
 */
export function mergeSelections(
  scope: SelectionScope,
  parents: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
): Map<string, [FieldNode, ...FieldNode[]]> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();
  const visit = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isIncluded(scope, selection)) {
        continue;
      }
      if (selection.kind === Kind.FIELD) {
        const name = responseName(selection);
        const merged = fields.get(name);
        if (merged === undefined) {
          fields.set(name, [selection]);
        } else {
          merged.push(selection);
        }
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        visit(selection.selectionSet);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = scope.fragments[selection.name.value];
        if (fragment !== undefined) {
          visit(fragment.selectionSet);
        }
      }
    }
  };
  for (const { selectionSet } of parents) {
    if (selectionSet !== undefined) {
      visit(selectionSet);
    }
  }
  return fields;
}

/** The name of a field in the response. */
export function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** Whether fields of one response name have the field at this path selected below them, by any alias. */
export function selectsPath(
  scope: SelectionScope,
  parents: readonly FieldNode[],
  ...[head, ...rest]: [string, ...string[]]
): boolean {
  const [next, ...others] = rest;
  return [...mergeSelections(scope, parents).values()].some(
    (nodes) =>
      nodes[0].name.value === head && (next === undefined || selectsPath(scope, nodes, next, ...others)),
  );
}

function isIncluded({ variableValues }: SelectionScope, node: SelectionNode): boolean {
  if (node.directives === undefined || node.directives.length === 0) {
    return true;
  }
  // As in execution: @include is not looked at where @skip excludes.
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false
  );
}
