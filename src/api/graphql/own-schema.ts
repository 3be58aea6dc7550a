import { extendSchema, type GraphQLEnumType, type GraphQLSchema, parse } from 'graphql';
import {
  describeOwn,
  describeOwnSort,
  isSortedBy,
  OWN_TEXT,
  type OwnField,
  type OwnKind,
  ownFilterOf,
  ownSortsOf,
} from '../../startups/model/own-fields.ts';
import { constantName } from '../../startups/model/vocabulary.ts';

/** The types of values by their kinds. */
const types: Readonly<Record<OwnKind, string>> = {
  text: 'String',
  url: 'String',
  count: 'Int',
  cents: 'Cents',
  percent: 'Float',
  number: 'Float',
  date: 'DateTime',
  boolean: 'Boolean',
  choice: 'String',
  texts: '[String!]',
};

/** The types of conditions. */
const conditions = {
  range: 'OwnRange',
  dates: 'OwnDateRange',
  values: 'OwnValues',
  flag: 'Boolean',
} as const;
const CONDITION_TYPES = `
  "A range of a number. A bound that is null is ignored."
  input OwnRange {
    "Only startups with this value or more. Excludes those whose value is unknown."
    min: Float
    "Only startups with this value or less. Excludes those whose value is unknown."
    max: Float
  }
  "A range of a date. A bound that is null is ignored."
  input OwnDateRange {
    "Only startups with this time or a later one. Excludes those whose value is unknown."
    from: DateTime
    "Only startups with this time or an earlier one. Excludes those whose value is unknown."
    to: DateTime
  }
  "Some values of a choice."
  input OwnValues {
    "Only startups with any of these values, exactly; an empty list matches none."
    in: [String!]
  }`;

/** A schema with the fields that an operator has declared, at least one. Its enumerations are made anew. */
export function withOwnFields(schema: GraphQLSchema, fields: readonly OwnField[]): GraphQLSchema {
  const filtered = fields.filter((field) => ownFilterOf(field) !== undefined);
  const sorted = fields.filter(isSortedBy);
  const extensions = [
    `${JSON.stringify(OWN_TEXT)}
    type StartupOwn { ${fields.map((field) => `${described(field)} ${field.name}: ${types[field.kind]}`).join('\n')} }
    extend type Startup {
      "The fields that this service adds."
      own: StartupOwn!
    }`,
    ...(filtered.length === 0
      ? []
      : [
          `${CONDITION_TYPES}
    "Filters by the fields that this service adds. A startup must match all of them; one that is null is ignored."
    input StartupOwnFilter { ${filtered.map((field) => `${described(field)} ${field.name}: ${conditionTypeOf(field)}`).join('\n')} }
    extend input StartupFilter {
      "By the fields that this service adds."
      own: StartupOwnFilter
    }`,
        ]),
    ...(sorted.length === 0 ? [] : [`extend enum StartupSort { ${sorted.flatMap(sortValues).join('\n')} }`]),
  ];
  const extended = extendSchema(schema, parse(extensions.join('\n')));
  const sort = extended.getType('StartupSort') as GraphQLEnumType;
  for (const value of sorted.flatMap(({ name }) => ownSortsOf(name))) {
    // Arguments have the values of enumerations, which schema language does not say.
    (sort.getValue(constantName(value)) as { value: unknown }).value = value;
  }
  return extended;
}

const conditionTypeOf = (field: OwnField): string =>
  conditions[ownFilterOf(field) as keyof typeof conditions];

/** As a string of GraphQL, which JSON's are. */
const described = (field: OwnField): string => JSON.stringify(describeOwn(field));

const sortValues = (field: OwnField): string[] =>
  ownSortsOf(field.name).map(
    (sort) => `${JSON.stringify(describeOwnSort(field, sort))} ${constantName(sort)}`,
  );
