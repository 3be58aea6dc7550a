import { graphqlParameters, listParameters, type QueryParameter } from '../../startups/list-parameters.ts';

const parameters = { ...listParameters, ...graphqlParameters };

/** The description of an integer with its range, which an Int of GraphQL does not express. */
export const describeInteger = ({
  description,
  minimum,
  maximum,
  default: fallback,
}: Extract<QueryParameter, { kind: 'integer' }>): { description: string } => ({
  description: `${description} ${minimum} to ${maximum}, default ${fallback}.`,
});

/** The description of a list's argument or of a condition. */
export const describeParameter = (name: keyof typeof parameters): { description: string } => {
  const parameter = parameters[name];
  return parameter.kind === 'integer' ? describeInteger(parameter) : { description: parameter.description };
};
