import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';

type Values = { readonly [name: string]: unknown };
type Coerce = (value: unknown) => unknown;

/**
 * Creates what reads the variables of an operation as values of their types. graphql-js does the same and says what is
 * wrong, but it finds the types again for each request, and looks at each field that an input object may have.
 *
 * @returns a function that returns undefined for values, or types, that only graphql-js can judge.
 */
export function createCoercion(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (given: Values) => Values | undefined {
  const variables = definitions.map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node as never) as GraphQLInputType;
    const initial = defaultValue && valueFromAST(defaultValue, type);
    return { name: variable.name.value, coerce: coercerOf(type), initial, isRequired: isNonNullType(type) };
  });
  return (given) => {
    const coerced: { [name: string]: unknown } = {};
    try {
      for (const { name, coerce, initial, isRequired } of variables) {
        if (Object.hasOwn(given, name)) {
          coerced[name] = coerce(given[name]);
        } else if (initial !== undefined) {
          coerced[name] = initial;
        } else if (isRequired) {
          return undefined;
        }
      }
      return coerced;
    } catch {
      return undefined;
    }
  };
}

/** What reads values of a type, and throws for others. */
function coercerOf(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) {
    const coerce = coercerOf(type.ofType);
    return (value) => coerce(value) ?? refuse();
  }
  const coerce = isListType(type) ? listCoercer(coercerOf(type.ofType)) : namedCoercer(type);
  return (value) => (value === null || value === undefined ? null : coerce(value));
}

function listCoercer(coerce: Coerce): Coerce {
  return (value) => (Array.isArray(value) ? value.map(coerce) : [coerce(value)]);
}

function namedCoercer(type: Exclude<GraphQLInputType, { ofType: unknown }>): Coerce {
  if (isLeafType(type)) {
    return (value) => type.parseValue(value) ?? refuse();
  }
  const fields = Object.values(isInputObjectType(type) ? type.getFields() : {});
  const isPlain = fields.every((field) => field.defaultValue === undefined && !isNonNullType(field.type));
  const coercers = new Map(isPlain ? fields.map((field) => [field.name, coercerOf(field.type)]) : []);
  return (value) => {
    const given = typeof value === 'object' ? (value as Values) : refuse();
    const coerced: { [name: string]: unknown } = {};
    for (const name in given) {
      const coerce = coercers.get(name) ?? refuse();
      coerced[name] = coerce(given[name]);
    }
    return coerced;
  };
}

function refuse(): never {
  throw new TypeError('graphql-js says what is wrong');
}
