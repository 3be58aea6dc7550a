import { startupFieldList } from '../startups/fields.ts';
import { type ListParameterName, listParameters } from '../startups/list-parameters.ts';
import { constantName } from '../startups/vocabulary.ts';

type Values = { [name: string]: unknown };

const choiceFields = startupFieldList.filter(({ kind, shape }) => kind === 'choice' && shape !== 'import');

/** A value of a vocabulary by its name in GraphQL. No two vocabularies spell one value differently. */
const valuesByName = new Map(
  choiceFields.flatMap(({ values = [] }) => values.map((value) => [constantName(value), value])),
);

/** List arguments as variables of GraphQL, which names the values of vocabularies differently. */
export function toVariables(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      listParameters[name as ListParameterName].kind === 'choice' ? constantName(value as string) : value,
    ]),
  );
}

/** Gives the values of vocabularies in a record of GraphQL their spelling in REST. */
export function spellRecord(record: Values): Values {
  for (const { path } of choiceFields) {
    const name = record[path];
    if (typeof name === 'string') {
      record[path] = valuesByName.get(name);
    }
  }
  return record;
}
