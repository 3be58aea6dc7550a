import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  parse,
  parseType,
  print,
  typeFromAST,
} from 'graphql';
import { schema } from '../schema.ts';

/** A variable of a document that every request has to set. */
export interface RequiredVariable {
  readonly name: string;
  /** As a document writes it, such as `String!`. */
  readonly type: string;
}

/** The variables of the first operation of a document that every request has to set. */
export function requiredVariables(text: string): RequiredVariable[] {
  const { definitions } = parse(text, { noLocation: true });
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const variables = operation && 'variableDefinitions' in operation ? operation.variableDefinitions : [];
  return (variables ?? [])
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
    .map(({ variable, type }) => ({ name: variable.name.value, type: print(type) }));
}

/** Values of the types of variables, for a sample request. @param slug the value of texts: that of a startup. */
export function exampleValues(variables: readonly RequiredVariable[], slug: string): Record<string, unknown> {
  const exampleOf = (type: GraphQLInputType | undefined): unknown => {
    if (type === undefined) {
      return slug;
    }
    if (isNonNullType(type)) {
      return exampleOf(type.ofType);
    }
    if (isListType(type)) {
      return [exampleOf(type.ofType)];
    }
    if (isEnumType(type)) {
      return type.getValues()[0]?.name;
    }
    if (isInputObjectType(type)) {
      const required = Object.values(type.getFields()).filter(isRequiredInputField);
      return Object.fromEntries(required.map((one) => [one.name, exampleOf(one.type)]));
    }
    return { Int: 3, Float: 3, Cents: 100_000, Boolean: true, Date: '2026-01-01' }[type.name] ?? slug;
  };
  return Object.fromEntries(
    variables.map(({ name, type }) => [
      name,
      exampleOf(typeFromAST(schema, parseType(type)) as GraphQLInputType | undefined),
    ]),
  );
}
