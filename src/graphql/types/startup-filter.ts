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
  description: 'Conditions on the startups of a list. All must match; a null one is ignored.',
  fields: (t) => ({
    onSale: t.boolean(describeParameter('onSale')),
    category: t.field({ type: CategoryEnum, ...describeParameter('category') }),
    xHandle: t.string(describeParameter('xHandle')),
    teamSize: t.field({ type: TeamSizeEnum, ...describeParameter('teamSize') }),
    fundingStatus: t.field({ type: FundingStatusEnum, ...describeParameter('fundingStatus') }),
    minRevenue: t.float(describeParameter('minRevenue')),
    maxRevenue: t.float(describeParameter('maxRevenue')),
    minMrr: t.float(describeParameter('minMrr')),
    maxMrr: t.float(describeParameter('maxMrr')),
    minGrowth: t.float(describeParameter('minGrowth')),
    maxGrowth: t.float(describeParameter('maxGrowth')),
    minPrice: t.float(describeParameter('minPrice')),
    maxPrice: t.float(describeParameter('maxPrice')),
    categories: t.field({ type: [CategoryEnum], ...describeParameter('categories') }),
    countries: t.stringList(describeParameter('countries')),
    paymentProviders: t.field({ type: [PaymentProviderEnum], ...describeParameter('paymentProviders') }),
    targetAudiences: t.field({ type: [TargetAudienceEnum], ...describeParameter('targetAudiences') }),
    updatedSince: t.field({ type: 'DateTime', ...describeParameter('updatedSince') }),
    active: t.boolean(describeParameter('active')),
  }),
});
