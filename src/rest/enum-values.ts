import { startupFieldList } from '../startups/fields.ts';
import { listParameters } from '../startups/list-parameters.ts';
import { constantName } from '../startups/vocabulary.ts';

type Values = { [name: string]: unknown };

const choiceFields = startupFieldList.filter(({ kind, shape }) => kind === 'choice' && shape !== 'import');

/** Enumeration values of REST, by their names in GraphQL. A name has the same value in all of them. */
const valuesByName = new Map(
  choiceFields.flatMap(({ values = [] }) => values.map((value) => [constantName(value), value])),
);

const choices: ReadonlySet<string> = new Set(
  Object.entries(listParameters).flatMap(([name, { kind }]) => (kind === 'choice' ? [name] : [])),
);

/** Parameters of REST as variables of a document: GraphQL has other names for enumeration values. */
export function toVariables(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      choices.has(name) ? constantName(value as string) : value,
    ]),
  );
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
