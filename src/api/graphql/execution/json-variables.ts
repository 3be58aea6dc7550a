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
        : name === 'own'
          ? ownJsonOf(value as Values)
          : isObject(value)
            ? jsonOf(value)
            : choiceParameters.has(name)
              ? nameOf(value)
              : value,
    ]),
  );
}

/** Conditions on declared fields, whose names may be those of parameters: only dates are written in another way. */
function ownJsonOf(conditions: Values): Values {
  return Object.fromEntries(
    Object.entries(conditions).map(([name, condition]) => [
      name,
      isObject(condition)
        ? Object.fromEntries(
            Object.entries(condition).map(([side, bound]) => [
              side,
              bound instanceof Date ? bound.toISOString() : bound,
            ]),
          )
        : condition,
    ]),
  );
}

function nameOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(nameOf) : constantName(value as string);
}
