/** A document that a GraphQL parser has read. */
export interface DocumentNode {
  readonly kind: 'Document';
  readonly definitions: readonly { readonly kind: string }[];
}

/** Any node: the names are those of the GraphQL specification. */
type Node = {
  readonly kind: string;
  readonly operation: string;
  readonly value: never;
} & { readonly [name: string]: Node | undefined } & { readonly [name: string]: readonly Node[] | undefined };

/** The text of a document, on one line. The `graphql` package would do the same with fifty times the code. */
export function printDocument(document: DocumentNode): string {
  return document.definitions.map((definition) => print(definition as Node)).join(' ');
}

function print(node: Node | undefined): string {
  if (node === undefined) {
    return '';
  }
  const { kind, name, value, type, directives, arguments: args, selectionSet } = node;
  const listed = (nodes: readonly Node[] | undefined, open: string, close: string): string =>
    nodes === undefined || nodes.length === 0 ? '' : open + nodes.map(print).join(' ') + close;
  const rest = listed(directives, ' ', '') + print(selectionSet);
  switch (kind) {
    case 'OperationDefinition':
      return `${node.operation} ${print(name)}${listed(node.variableDefinitions, '(', ')')}${rest}`;
    case 'VariableDefinition':
      return `${print(node.variable)}:${print(type)}${node.defaultValue ? `=${print(node.defaultValue)}` : ''}${rest}`;
    case 'FragmentDefinition':
      return `fragment ${print(name)} on ${print(node.typeCondition)}${rest}`;
    case 'FragmentSpread':
      return `...${print(name)}${rest}`;
    case 'InlineFragment':
      return `...${node.typeCondition ? ` on ${print(node.typeCondition)}` : ''}${rest}`;
    case 'Field':
      return `${node.alias ? `${print(node.alias)}:` : ''}${print(name)}${listed(args, '(', ')')}${rest}`;
    case 'SelectionSet':
      return listed(node.selections, '{', '}');
    case 'Directive':
      return `@${print(name)}${listed(args, '(', ')')}`;
    case 'Argument':
    case 'ObjectField':
      return `${print(name)}:${print(value)}`;
    case 'Variable':
      return `$${print(name)}`;
    case 'ListType':
      return `[${print(type)}]`;
    case 'NonNullType':
      return `${print(type)}!`;
    case 'NamedType':
      return print(name);
    case 'ListValue':
      return `[${(node.values ?? []).map(print).join(' ')}]`;
    case 'ObjectValue':
      return `{${(node.fields ?? []).map(print).join(' ')}}`;
    case 'NullValue':
      return 'null';
    case 'StringValue':
      return JSON.stringify(value);
    default:
      // Names, numbers, booleans and enumeration values.
      return String(value);
  }
}
