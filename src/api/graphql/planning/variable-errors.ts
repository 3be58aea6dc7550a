import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { ALLOWED_DATE, ALLOWED_DAY } from '../../../lib/text/days.ts';
import { parameterError, unknownError } from '../../../startups/model/requests/list-request.ts';
import { createSuggester } from '../../../startups/model/requests/suggest.ts';
import { codedError } from '../errors.ts';
import { withoutPrototypes } from './plain-values.ts';

type Variables = { readonly [name: string]: unknown };

const MOST_ERRORS = 20;

/** The most characters of the name of a variable, which a list of failed requests keeps. */
const SHOWN_NAME = 60;

/** What each type allows, other than enumerations. */
const allowed: Readonly<Record<string, string>> = {
  Int: 'an integer from -2147483648 to 2147483647',
  Float: 'a number',
  Boolean: 'true or false',
  String: 'a text',
  ID: 'an id, as a text',
  Date: ALLOWED_DAY,
  DateTime: ALLOWED_DATE,
};

/**
 * Reads the variables of an operation as graphql-js does, with its messages.
 *
 * @returns the values, or an error for each that its type does not allow: its details name the variable, such as `$limit`, or
 * the field of an input, such as `category`.
 */
export function readVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Variables,
): { readonly coerced: Variables } | { readonly errors: readonly GraphQLError[] } {
  const { coerced, errors } = getVariableValues(schema, definitions, withoutPrototypes(given), {
    maxErrors: MOST_ERRORS,
  });
  if (errors === undefined) {
    return { coerced };
  }
  const details: ErrorDetail[] = [];
  for (const { variable, type: node, defaultValue } of definitions) {
    const type = typeFromAST(schema, node as never) as GraphQLInputType;
    details.push(...detailsOf(variable.name.value, type, defaultValue, given));
  }
  // Both are in the order of the variables; one more error says that there were too many.
  return {
    errors: errors.map(({ message }, index) =>
      codedError(
        'BAD_USER_INPUT',
        shorten(message),
        index < MOST_ERRORS ? details.slice(index, index + 1) : [],
      ),
    ),
  };
}

/** The errors of one variable, each where graphql-js has one. */
function detailsOf(
  name: string,
  type: GraphQLInputType,
  initial: ValueNode | undefined,
  given: Variables,
): readonly ErrorDetail[] {
  const named = getNamedType(type);
  const variableName = `$${name.slice(0, SHOWN_NAME)}`;
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === null || value === undefined) {
    const isMissing = isNonNullType(type) && (value === null || initial === undefined);
    return isMissing ? [parameterError(variableName, null, allowedBy(named))] : [];
  }
  const details: ErrorDetail[] = [];
  coerceInputValue(withoutPrototypes({ value }).value, type, (path, value, { message }) => {
    if (details.length < MOST_ERRORS) {
      const fields = path.filter((part) => typeof part === 'string');
      const parameter = fields.at(-1) ?? variableName;
      details.push(detailOf(parameter, typeAt(named, fields), value, message));
    }
  });
  return details;
}

const UNKNOWN_FIELD = /^Field "([^"]*)" is not defined by type/;

function detailOf(
  parameter: string,
  type: GraphQLNamedInputType,
  value: unknown,
  message: string,
): ErrorDetail {
  const [, unknown] = UNKNOWN_FIELD.exec(message) ?? [];
  if (unknown !== undefined && isInputObjectType(type)) {
    return unknownError(
      unknown,
      `field of ${type.name}`,
      createSuggester(Object.keys(type.getFields()))(unknown),
    );
  }
  const suggestion =
    isEnumType(type) && typeof value === 'string' ? createSuggester(namesOf(type))(value) : undefined;
  return parameterError(parameter, value, allowedBy(type), suggestion);
}

/** The type of a field within an input object. */
function typeAt(type: GraphQLNamedInputType, fields: readonly string[]): GraphQLNamedInputType {
  return fields.reduce((above, name) => {
    const field = isInputObjectType(above) ? above.getFields()[name] : undefined;
    return field === undefined ? above : getNamedType(field.type);
  }, type);
}

const namesOf = (type: GraphQLNamedInputType): string[] =>
  isEnumType(type) ? type.getValues().map(({ name }) => name) : [];

const allowedBy = (type: GraphQLNamedInputType): string =>
  isEnumType(type)
    ? `one of ${namesOf(type).join(', ')}`
    : isInputObjectType(type)
      ? `an object of the type ${type.name}`
      : (allowed[type.name] ?? `a value of the type ${type.name}`);

/** The most characters of a message, which has a whole value of a variable in its middle. */
const SHOWN_MESSAGE_LENGTH = 600;

function shorten(message: string): string {
  const half = SHOWN_MESSAGE_LENGTH / 2;
  return message.length > SHOWN_MESSAGE_LENGTH
    ? `${message.slice(0, half)} … ${message.slice(-half)}`
    : message;
}
