import type { EnumRef, SchemaTypes } from '@pothos/core';
import {
  categories,
  constantName,
  type FundingStatus,
  fundingStatuses,
  paymentProviders,
  type StartupSort,
  sortDescriptions,
  startupSorts,
  targetAudiences,
  teamSizes,
} from '../../startups/vocabulary.ts';
import { builder } from '../builder.ts';

const FUNDING_DESCRIPTIONS: Record<FundingStatus, string> = {
  bootstrapped: 'Without outside capital.',
  'vc-funded': 'With venture capital.',
};

/**
 * The values by their names in GraphQL. A value that does not make a name of its own stops the program when
 * it loads.
 */
function enumValues<Value extends string>(
  values: readonly Value[],
  describe: (value: Value) => string | undefined = () => undefined,
): Record<string, { value: Value; description?: string }> {
  const entries = values.map((value) => {
    const name = constantName(value);
    if (!/^[A-Z][A-Z0-9_]*$/.test(name)) {
      throw new Error(`"${value}" needs a GraphQL name of its own`);
    }
    const description = describe(value);
    return [name, description === undefined ? { value } : { value, description }] as const;
  });
  const byName = Object.fromEntries(entries);
  if (Object.keys(byName).length !== values.length) {
    throw new Error('Two values share a GraphQL name');
  }
  return byName;
}

const categoryValues = enumValues(categories);
const paymentProviderValues = enumValues(paymentProviders);
const targetAudienceValues = enumValues(targetAudiences, (value) =>
  value === 'both' ? 'Businesses and consumers.' : value === 'b2b' ? 'Businesses.' : 'Consumers.',
);
const teamSizeValues = enumValues(teamSizes, (value) =>
  value === '1' ? 'One person.' : `${value.replace('-', ' to ').replace('+', ' or more')} people.`,
);
const fundingStatusValues = enumValues(fundingStatuses, (value) => FUNDING_DESCRIPTIONS[value]);
const startupSortValues = enumValues<StartupSort>(startupSorts, (value) => sortDescriptions[value]);

/**
 * An enumeration of a vocabulary. Any text can be given out: the columns hold text, and the database's CHECK
 * constraints see to it that it is of the vocabulary.
 */
function vocabularyEnum<Value extends string>(
  name: string,
  description: string,
  values: Record<string, { value: Value; description?: string }>,
): EnumRef<SchemaTypes, string, Value> {
  return builder.enumType(name, { description, values }) as never;
}

export const CategoryEnum = vocabularyEnum(
  'Category',
  'What a startup is about, as its primary category.',
  categoryValues,
);
export const PaymentProviderEnum = vocabularyEnum(
  'PaymentProvider',
  'The payment provider through which revenue was verified.',
  paymentProviderValues,
);
export const TargetAudienceEnum = vocabularyEnum(
  'TargetAudience',
  'Whom a startup sells to.',
  targetAudienceValues,
);
export const TeamSizeEnum = vocabularyEnum('TeamSize', 'How many people work at a startup.', teamSizeValues);
export const FundingStatusEnum = vocabularyEnum(
  'FundingStatus',
  'How a startup is funded.',
  fundingStatusValues,
);
export const StartupSortEnum = builder.enumType('StartupSort', {
  description:
    'Order of a list. Startups without the sorted value come last in either direction; equal ones stand in the order of their first import.',
  values: startupSortValues,
});
