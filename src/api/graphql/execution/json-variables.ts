import { isObject } from '../../../lib/text/is-object.ts';
import {
  listParameters,
  type QueryParameter,
  summaryParameters,
} from '../../../startups/model/requests/list-parameters.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';

type Values = { readonly [name: string]: unknown };

/** The parameters that have enumeration values, one or several. */
const choiceParameters = new Set(
  Object.entries<QueryParameter>({ ...listParameters, ...summaryParameters }).flatMap(([name, parameter]) =>
    parameter.kind === 'choice' ? [name, parameter.plural ?? name] : [],
  ),
);

/** Variables of a document of ours as JSON has them, which only an operation that is interpreted needs. */
export function jsonOf(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date
        ? value.toISOString()
        : isObject(value)
          ? jsonOf(value)
          : choiceParameters.has(name)
            ? nameOf(value)
            : value,
    ]),
  );
}

function nameOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(nameOf) : constantName(value as string);
}
