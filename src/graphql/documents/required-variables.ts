import { Kind, parse, print } from 'graphql';

/** A variable of a document that every request has to set. */
export interface RequiredVariable {
  readonly name: string;
  /** As a document writes it, such as `String!`. */
  readonly type: string;
}

/** The required variables of the first operation of a document. */
export function requiredVariables(text: string): RequiredVariable[] {
  const { definitions } = parse(text, { noLocation: true });
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const variables = operation && 'variableDefinitions' in operation ? operation.variableDefinitions : [];
  return (variables ?? [])
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
    .map(({ variable, type }) => ({ name: variable.name.value, type: print(type) }));
}
