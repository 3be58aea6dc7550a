import { changeKinds } from '../catalogue/changes/change-list.ts';
import { startupFieldList } from '../startups/fields.ts';
import { type ListParameter, listParameters } from '../startups/requests/list-parameters.ts';
import { constantName } from '../startups/vocabulary.ts';

type Values = { [name: string]: unknown };

const choiceFields = startupFieldList.filter(({ kind, shape }) => kind === 'choice' && shape !== 'import');

/** Enumeration values of REST, by their names in GraphQL. A name has the same value in all of them. */
const valuesByName = new Map(
  [...choiceFields.flatMap(({ values = [] }) => values), ...Object.keys(changeKinds)].map((value) => [
    constantName(value),
    value,
  ]),
);

const choicePaths: ReadonlySet<string> = new Set([...choiceFields.map(({ path }) => path), 'kind']);

/** The parameters that have enumeration values, one or several. */
const choiceParameters = new Set(
  Object.entries<ListParameter>(listParameters).flatMap(([name, parameter]) =>
    parameter.kind === 'choice' ? [name, parameter.plural ?? name] : [],
  ),
);

/** Parameters of REST as variables of a document: GraphQL has other names for enumeration values. */
export function toVariables(values: Values): Values {
  const variables: Values = {};
  for (const name in values) {
    const value = values[name];
    if (value instanceof Date) {
      variables[name] = value.toISOString();
    } else if (choiceParameters.has(name)) {
      variables[name] = Array.isArray(value) ? value.map(constantName) : constantName(value as string);
    } else {
      variables[name] = value;
    }
  }
  return variables;
}

/** Replaces the names of enumeration values in a record that GraphQL returned by their values in REST. */
export function withRestValues(record: Values): Values {
  for (const { path } of choiceFields) {
    const name = record[path];
    if (typeof name === 'string') {
      record[path] = valuesByName.get(name);
    }
  }
  return record;
}

/** The value in REST of a field that GraphQL returned. Only enumerations have other ones: there is a country AI, and a category ai. */
export function toRestValue(path: string, value: unknown): unknown {
  return typeof value === 'string' && choicePaths.has(path) ? valuesByName.get(value) : value;
}
