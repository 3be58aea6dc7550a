import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  Kind,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { schema } from '../schema.ts';
import type { OfferedOperation } from './offered-operation.ts';

/** A part of a JSON Schema. */
type JsonSchema = { readonly [name: string]: unknown };

/** The types of JSON that scalars have; a text otherwise. */
const scalars: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  Cents: { type: 'integer', minimum: 0 },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** The variables of an operation as a JSON Schema. */
export function variablesSchema({ definition }: OfferedOperation): JsonSchema {
  const { variableDefinitions = [] } = definition;
  const properties = variableDefinitions.map(({ variable, type, defaultValue, description }) => {
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType;
    const isNullDefault = defaultValue === undefined || defaultValue.kind === Kind.NULL;
    return [
      variable.name.value,
      {
        ...typeSchema(inputType),
        ...(description !== undefined && { description: description.value }),
        ...(!isNullDefault && { default: valueFromASTUntyped(defaultValue) }),
      },
    ];
  });
  const required = variableDefinitions.flatMap(({ variable, type, defaultValue }) =>
    type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined ? [variable.name.value] : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** No input of the schema contains itself. */
function typeSchema(given: GraphQLInputType): JsonSchema {
  const type = getNullableType(given);
  if (isListType(type)) {
    return { type: 'array', items: typeSchema(type.ofType) };
  }
  if (isEnumType(type)) {
    return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  }
  if (!isInputObjectType(type)) {
    return scalars[type.name] ?? { type: 'string' };
  }
  const fields = Object.values(type.getFields());
  const required = fields.filter(isRequiredInputField).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type: below, description }) => [
        name,
        { ...typeSchema(below), ...(description && { description }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
