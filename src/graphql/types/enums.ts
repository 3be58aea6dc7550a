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

export const categoryValues = enumValues(categories);
export const paymentProviderValues = enumValues(paymentProviders);
export const targetAudienceValues = enumValues(targetAudiences, (value) =>
  value === 'both' ? 'Businesses and consumers.' : value === 'b2b' ? 'Businesses.' : 'Consumers.',
);
export const teamSizeValues = enumValues(teamSizes, (value) =>
  value === '1' ? 'One person.' : `${value.replace('-', ' to ').replace('+', ' or more')} people.`,
);
export const fundingStatusValues = enumValues(fundingStatuses, (value) => FUNDING_DESCRIPTIONS[value]);
export const startupSortValues = enumValues<StartupSort>(startupSorts, (value) => sortDescriptions[value]);

export const CategoryEnum = builder.enumType('Category', {
  description: 'What a startup is about, as its primary category.',
  values: categoryValues,
});
export const PaymentProviderEnum = builder.enumType('PaymentProvider', {
  description: 'The payment provider through which revenue was verified.',
  values: paymentProviderValues,
});
export const TargetAudienceEnum = builder.enumType('TargetAudience', {
  description: 'Whom a startup sells to.',
  values: targetAudienceValues,
});
export const TeamSizeEnum = builder.enumType('TeamSize', {
  description: 'How many people work at a startup.',
  values: teamSizeValues,
});
export const FundingStatusEnum = builder.enumType('FundingStatus', {
  description: 'How a startup is funded.',
  values: fundingStatusValues,
});
export const StartupSortEnum = builder.enumType('StartupSort', {
  description:
    'Order of a list. Startups without the sorted value come last in either direction; equal ones stand in the order of their first import.',
  values: startupSortValues,
});
