import { describeBounds } from '../../startups/filter.ts';
import { builder } from '../builder.ts';
import { describeParameter } from './describe-parameter.ts';
import {
  CategoryEnum,
  FundingStatusEnum,
  PaymentProviderEnum,
  TargetAudienceEnum,
  TeamSizeEnum,
} from './enums.ts';

export const StartupFilterInput = builder.inputType('StartupFilter', {
  description: 'Filters of a list. A startup must match all of them; a filter that is null is ignored.',
  fields: (t) => ({
    search: t.string(describeParameter('search')),
    onSale: t.boolean(describeParameter('onSale')),
    category: t.field({ type: CategoryEnum, ...describeParameter('category') }),
    xHandle: t.string(describeParameter('xHandle')),
    teamSize: t.field({ type: TeamSizeEnum, ...describeParameter('teamSize') }),
    fundingStatus: t.field({ type: FundingStatusEnum, ...describeParameter('fundingStatus') }),
    country: t.string(describeParameter('country')),
    paymentProvider: t.field({ type: PaymentProviderEnum, ...describeParameter('paymentProvider') }),
    targetAudience: t.field({ type: TargetAudienceEnum, ...describeParameter('targetAudience') }),
    categories: t.field({ type: [CategoryEnum], ...describeParameter('categories') }),
    teamSizes: t.field({ type: [TeamSizeEnum], ...describeParameter('teamSizes') }),
    fundingStatuses: t.field({ type: [FundingStatusEnum], ...describeParameter('fundingStatuses') }),
    countries: t.stringList(describeParameter('countries')),
    paymentProviders: t.field({ type: [PaymentProviderEnum], ...describeParameter('paymentProviders') }),
    targetAudiences: t.field({ type: [TargetAudienceEnum], ...describeParameter('targetAudiences') }),
    active: t.boolean(describeParameter('active')),
    ...Object.fromEntries(
      Object.entries(describeBounds()).map(([name, { kind, description }]) => [
        name,
        kind === 'number' ? t.float({ description }) : t.field({ type: 'DateTime', description }),
      ]),
    ),
  }),
});
