import type { EnumRef, SchemaTypes } from '@pothos/core';
import {
  categories,
  constantName,
  descriptionOf,
  fundingStatuses,
  groupings,
  paymentProviders,
  sortValues,
  targetAudiences,
  teamSizes,
} from '../../../startups/model/vocabulary.ts';
import { builder } from '../builder.ts';

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
    category: ['Category', 'What a startup is about, as its primary category.', categories],
    paymentProvider: [
      'PaymentProvider',
      'The payment provider through which revenue was verified.',
      paymentProviders,
    ],
    targetAudience: ['TargetAudience', 'The audience that a startup sells to.', targetAudiences],
    teamSize: ['TeamSize', 'How many people work at a startup.', teamSizes],
    fundingStatus: ['FundingStatus', 'How a startup is funded.', fundingStatuses],
  } as const).map(([field, [name, description, values]]) => [
    field,
    builder.enumType(name, { description, values: enumValues<string>(values) }) as never,
  ]),
) as Readonly<Record<string, VocabularyEnum>>;

export const StartupSortEnum = builder.enumType('StartupSort', {
  description:
    'Order of a list. Startups without the sorted value come last in either direction; equal ones are in the order of their first import.',
  values: enumValues(sortValues),
});
export const StartupGroupingEnum = builder.enumType('StartupGrouping', {
  description: 'The field by whose values startups are grouped.',
  values: enumValues(groupings),
});
