import type { EnumRef, SchemaTypes } from '@pothos/core';
import { Kind, print, type ValueNode } from 'graphql';
import { ALLOWED_DATE, ALLOWED_DAY, dayOf, isDay, readDate, writeInstant } from '../../../lib/text/days.ts';
import { startupFields } from '../../../startups/model/fields.ts';
import { filterParameters, type Parameter } from '../../../startups/model/requests/list-parameters.ts';
import {
  type CodedGrouping,
  constantName,
  descriptionOf,
  groupings,
  ORDER_RULE,
  sortValues,
} from '../../../startups/model/vocabulary.ts';
import { builder } from '../builder.ts';

builder.scalarType('Cents', {
  description:
    'An amount of money in US cents: a JSON integer from 0 to 9007199254740991 (2^53 − 1), more than an Int holds.',
});

builder.scalarType('Date', {
  description: 'A calendar day in UTC as YYYY-MM-DD, such as 2024-05-01.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: (instant) => dayOf(instant as Date),
  ...parsedBy((text) => (isDay(text) ? text : undefined), ALLOWED_DAY),
});

builder.scalarType('DateTime', {
  description:
    'An instant as ISO 8601 in UTC with milliseconds, such as 2024-05-01T00:00:00.000Z. As an argument it ' +
    'may have any offset, and a date alone (2024-05-01) is midnight UTC; digits after the milliseconds are ' +
    'ignored.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (instant) => writeInstant(instant as number),
  ...parsedBy(readDate, ALLOWED_DATE),
});

/** How a scalar parses its texts, from literals and from variables; graphql-js adds their location. */
function parsedBy<T>(read: (text: string) => T | undefined, allowed: string) {
  const parse = (given: unknown): T => {
    const value = typeof given === 'string' ? read(given) : undefined;
    if (value === undefined) {
      throw new TypeError(`got ${JSON.stringify(given)?.slice(0, 120)}, allowed: ${allowed}`);
    }
    return value;
  };
  return {
    parseValue: parse,
    parseLiteral: (node: ValueNode) => parse(node.kind === Kind.STRING ? node.value : print(node)),
  };
}

/** The values by their names in GraphQL. */
function enumValues<Value extends string>(
  values: readonly Value[],
): Record<string, { value: Value; description: string }> {
  return Object.fromEntries(
    values.map((value) => [constantName(value), { value, description: descriptionOf(value) }]),
  );
}

/**
 * An enumeration of a vocabulary. Resolvers return the names of its values, see schema.ts; arguments have the values.
 */
export type VocabularyEnum<Value extends string = string> = EnumRef<SchemaTypes, string, Value>;

/** The enumerations of a startup's fields, by their names. */
export const fieldEnums = Object.fromEntries(
  Object.entries({
    category: 'What a startup is about, as its primary category.',
    paymentProvider: 'The payment provider through which revenue was verified.',
    targetAudience: 'The audience that a startup sells to.',
    teamSize: 'How many people work at a startup.',
    fundingStatus: 'How a startup is funded.',
  } as const).map(([field, description]) => {
    const { values } = startupFields[field as Exclude<CodedGrouping, 'country'>];
    const name = field.replace(/^./, (letter) => letter.toUpperCase());
    return [field, builder.enumType(name, { description, values: enumValues<string>(values) }) as never];
  }),
) as Readonly<Record<string, VocabularyEnum>>;

const StartupSortEnum = builder.enumType('StartupSort', {
  description: `Order of a list. ${ORDER_RULE}`,
  values: enumValues(sortValues),
});
export const StartupGroupingEnum = builder.enumType('StartupGrouping', {
  description: 'The field by whose values startups are grouped.',
  values: enumValues(groupings),
});

/** The types of parameters by their kinds, other than enumerations and texts. */
const types: Readonly<Record<string, string>> = {
  boolean: 'Boolean',
  date: 'Date',
  instant: 'DateTime',
  integer: 'Int',
  number: 'Float',
};
const severalKinds: ReadonlySet<string> = new Set(['choices', 'countries', 'slugs', 'texts']);
/** The parameters whose values several are of. */
const singular = Object.fromEntries(
  Object.entries<Parameter>(filterParameters).flatMap(([name, parameter]) =>
    'plural' in parameter ? [[parameter.plural, name]] : [],
  ),
);

/**
 * Arguments, or fields of an input, that are these parameters.
 *
 * @param make is given the type and the description of each.
 */
export const fromParameters = <Made>(
  parameters: Readonly<Record<string, Parameter>>,
  make: (options: never) => Made,
): Record<string, Made> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const one = singular[name] ?? name;
      const type = one === 'sort' ? StartupSortEnum : (fieldEnums[one] ?? types[parameter.kind] ?? 'String');
      const options = {
        type: severalKinds.has(parameter.kind) ? [type] : type,
        description: describe(parameter),
      };
      return [name, make(options as never)];
    }),
  );

/** With the range of an integer, which an Int does not express, and with the names of enumeration values. */
function describe(parameter: Parameter): string {
  const { kind, description } = parameter;
  return kind === 'integer'
    ? `${description} ${parameter.minimum} to ${parameter.maximum}, default ${parameter.default}.`
    : kind === 'choice'
      ? description.replace(/[a-z]+(-[a-z]+)+/g, (word) =>
          parameter.values.includes(word) ? constantName(word) : word,
        )
      : description;
}
