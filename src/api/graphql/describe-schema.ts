import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
} from 'graphql';

/** A field, an argument or an input field. */
export interface FieldDescription {
  readonly name: string;
  readonly description: string;
  /** As the schema writes it, such as `[Startup!]!`. */
  readonly type: string;
  /** The type's name without lists and exclamation marks. */
  readonly namedType: string;
  readonly args: readonly FieldDescription[];
}

/** A type of the schema. */
export interface TypeDescription {
  readonly name: string;
  readonly kind: 'type' | 'interface' | 'input' | 'enum' | 'scalar';
  readonly description: string;
  readonly fields: readonly FieldDescription[];
  /** Values of an enumeration. */
  readonly values: readonly { readonly name: string; readonly description: string }[];
}

/** Describes the types that a schema defines itself, in alphabetical order, as plain values. */
export function describeSchema(schema: GraphQLSchema): readonly TypeDescription[] {
  return Object.values(lexicographicSortSchema(schema).getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
    .map((type) => ({
      name: type.name,
      kind: kindOf(type),
      description: type.description ?? '',
      fields: 'getFields' in type ? Object.values(type.getFields()).map(describeField) : [],
      values: isEnumType(type)
        ? type.getValues().map(({ name, description }) => ({ name, description: description ?? '' }))
        : [],
    }));
}

function describeField(
  field: GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument,
): FieldDescription {
  return {
    name: field.name,
    description: field.description ?? '',
    type: String(field.type),
    namedType: getNamedType(field.type).name,
    args: 'args' in field ? field.args.map(describeField) : [],
  };
}

function kindOf(type: GraphQLNamedType): TypeDescription['kind'] {
  return isObjectType(type)
    ? 'type'
    : isInterfaceType(type)
      ? 'interface'
      : isInputObjectType(type)
        ? 'input'
        : isEnumType(type)
          ? 'enum'
          : 'scalar';
}
