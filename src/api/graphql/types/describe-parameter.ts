import {
  graphqlParameters,
  listParameters,
  type QueryParameter,
} from '../../../startups/model/requests/list-parameters.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';

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

/** A description with the names of GraphQL's enum in place of the values of REST. */
const inGraphql = (description: string, values: readonly string[]): string =>
  description.replace(/[a-z]+(-[a-z]+)+/g, (word) => (values.includes(word) ? constantName(word) : word));

/** The description of a list's argument or of a condition. */
export const describeParameter = (name: keyof typeof parameters): { description: string } => {
  const parameter = parameters[name];
  if (parameter.kind === 'integer') {
    return describeInteger(parameter);
  }
  const { description } = parameter;
  return parameter.kind === 'choice'
    ? { description: inGraphql(description, parameter.values) }
    : { description };
};
