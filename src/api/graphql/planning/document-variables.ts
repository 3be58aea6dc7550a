import {
  type GraphQLType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNamedType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
} from 'graphql';
import { schema } from '../schema.ts';

/** The variables of an operation that every request has to set. */
export const requiredVariables = ({ variableDefinitions = [] }: OperationDefinitionNode) =>
  variableDefinitions.filter(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
  );

/**
 * Values of the variables that a sample request for the first operation of a document has to set.
 *
 * @param slug the value of texts: that of a startup.
 */
export function exampleVariables(text: string, slug: string): Record<string, unknown> {
  const { definitions } = parse(text, { noLocation: true });
  const operation = definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  return Object.fromEntries(
    (operation === undefined ? [] : requiredVariables(operation)).map(({ variable, type }) => [
      variable.name.value,
      exampleOf(typeFromAST(schema, type), slug),
    ]),
  );
}

function exampleOf(given: GraphQLType | undefined, slug: string): unknown {
  const type = getNullableType(given);
  if (isListType(type)) {
    return [exampleOf(type.ofType, slug)];
  }
  if (isEnumType(type)) {
    return type.getValues()[0]?.name;
  }
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((one) => [one.name, exampleOf(one.type, slug)]));
  }
  const examples: Record<string, unknown> = {
    Int: 3,
    Float: 3,
    Cents: 100_000,
    Boolean: true,
    Date: '2026-01-01',
  };
  return (isNamedType(type) ? examples[type.name] : undefined) ?? slug;
}
