import { type FieldNode, Kind, parse, type SelectionSetNode, valueFromASTUntyped } from 'graphql';

/** The root field of a document that has only one. */
export interface RootField {
  readonly name: string;
  /** Its arguments as they are written: an enumeration value is its name. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What is selected below it, such as `stats.revenue.sum`. */
  readonly paths: ReadonlySet<string>;
}

/** Documents with more tokens are written by programs. */
const MOST_TOKENS = 1_000;

/** Reads a document of one query with one root field, without variables and fragments; undefined for any other. */
export function readRootField(text: string): RootField | undefined {
  try {
    const { definitions } = parse(text, { noLocation: true, maxTokens: MOST_TOKENS });
    const [operation, ...others] = definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) {
      return undefined;
    }
    const [root, ...more] = operation.selectionSet.selections;
    if (root?.kind !== Kind.FIELD || more.length > 0) {
      return undefined;
    }
    return {
      name: root.name.value,
      args: argumentsOf(root),
      paths: new Set(pathsIn(root.selectionSet)),
    };
  } catch {
    return undefined;
  }
}

const argumentsOf = ({ arguments: args = [] }: FieldNode): Record<string, unknown> =>
  Object.fromEntries(args.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]));

function pathsIn(set: SelectionSetNode | undefined): string[] {
  return (set?.selections ?? []).flatMap((one) => {
    if (one.kind !== Kind.FIELD) {
      return [];
    }
    const { value } = one.name;
    const below = pathsIn(one.selectionSet);
    return below.length === 0 ? [value] : below.map((path) => `${value}.${path}`);
  });
}
