import type { GraphQLParams } from '../graphql/execution/engine.ts';
import {
  type ListParameter,
  listParameters,
  summaryParameters,
} from '../startups/requests/list-parameters.ts';
import { constantName } from '../startups/vocabulary.ts';
import { isObject } from '../text/is-object.ts';

type Values = { readonly [name: string]: unknown };

/** The parameters that have enumeration values, one or several. */
const choiceParameters = new Set(
  Object.entries<ListParameter>({ ...listParameters, ...summaryParameters }).flatMap(([name, parameter]) =>
    parameter.kind === 'choice' ? [name, parameter.plural ?? name] : [],
  ),
);

/**
 * A request for a document of ours, with parameters of REST as its variables. Its result has enumeration values as in REST.
 *
 * @param coerced the variables as values of their types, as the reader of query strings returns them.
 */
export function paramsOf(query: string, coerced: Values): GraphQLParams {
  return {
    query,
    operationName: null,
    coerced,
    // Only an operation that is interpreted needs them.
    get variables() {
      return toJson(coerced);
    },
  };
}

function toJson(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date
        ? value.toISOString()
        : isObject(value)
          ? toJson(value)
          : choiceParameters.has(name)
            ? nameOf(value)
            : value,
    ]),
  );
}

function nameOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(nameOf) : constantName(value as string);
}
