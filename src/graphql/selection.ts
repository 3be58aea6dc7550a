import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
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
        const name = selection.alias?.value ?? selection.name.value;
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

/** Whether the field being resolved has the field at this path selected under it, by any alias. */
export function selects(info: GraphQLResolveInfo, ...path: [string, ...string[]]): boolean {
  // If a fragment was searched at a depth without a match, its other spreads at that depth have no match either.
  const spread = path.map(() => new Set<string>());
  const hasPath = ({ selectionSet }: Pick<FieldNode, 'selectionSet'>, depth: number): boolean =>
    selectionSet?.selections.some((one) => isIncluded(info, one) && isOnPath(one, depth)) ?? false;
  const isOnPath = (selection: SelectionNode, depth: number): boolean => {
    switch (selection.kind) {
      case Kind.FIELD:
        return (
          selection.name.value === path[depth] && (depth === path.length - 1 || hasPath(selection, depth + 1))
        );
      case Kind.INLINE_FRAGMENT:
        return hasPath(selection, depth);
      case Kind.FRAGMENT_SPREAD: {
        const { value: name } = selection.name;
        const fragment = info.fragments[name];
        const isNew = spread[depth]?.has(name) === false;
        spread[depth]?.add(name);
        return isNew && fragment !== undefined && hasPath(fragment, depth);
      }
    }
  };
  return info.fieldNodes.some((node) => hasPath(node, 0));
}

function isIncluded({ variableValues }: SelectionScope, node: SelectionNode): boolean {
  if (node.directives === undefined || node.directives.length === 0) {
    return true;
  }
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.if !== true && include?.if !== false;
}
