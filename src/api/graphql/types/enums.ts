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

function vocabularyEnum<Value extends string>(
  name: string,
  description: string,
  values: readonly Value[],
): VocabularyEnum<Value> {
  return builder.enumType(name, { description, values: enumValues(values) }) as never;
}

export const CategoryEnum = vocabularyEnum(
  'Category',
  'What a startup is about, as its primary category.',
  categories,
);
export const PaymentProviderEnum = vocabularyEnum(
  'PaymentProvider',
  'The payment provider through which revenue was verified.',
  paymentProviders,
);
export const TargetAudienceEnum = vocabularyEnum(
  'TargetAudience',
  'The audience that a startup sells to.',
  targetAudiences,
);
export const TeamSizeEnum = vocabularyEnum('TeamSize', 'How many people work at a startup.', teamSizes);
export const FundingStatusEnum = vocabularyEnum('FundingStatus', 'How a startup is funded.', fundingStatuses);
export const StartupSortEnum = builder.enumType('StartupSort', {
  description:
    'Order of a list. Startups without the sorted value come last in either direction; equal ones are in the order of their first import.',
  values: enumValues(sortValues),
});
export const StartupGroupingEnum = builder.enumType('StartupGrouping', {
  description: 'The field by whose values startups are grouped.',
  values: enumValues(groupings),
});
