import { startupFields } from '../../startups/fields.ts';
import type { Revenue } from '../../startups/record.ts';
import { builder } from '../builder.ts';
import {
  CategoryEnum,
  FundingStatusEnum,
  PaymentProviderEnum,
  TargetAudienceEnum,
  TeamSizeEnum,
} from './enums.ts';
import { writeGlobalId } from './global-id.ts';
import { NodeInterface } from './node.ts';

const describe = (path: keyof typeof startupFields): { description: string } => ({
  description: startupFields[path].description,
});

export const RevenueType = builder.objectRef<Revenue>('Revenue').implement({
  description: 'Verified revenue of a startup, in US cents.',
  fields: (t) => ({
    last30Days: t.expose('last30Days', { type: 'Cents', ...describe('revenue.last30Days') }),
    mrr: t.expose('mrr', { type: 'Cents', ...describe('revenue.mrr') }),
    total: t.expose('total', { type: 'Cents', ...describe('revenue.total') }),
  }),
});

// In a compiled operation, an exposed field costs a tenth of a field with a resolver.
export const StartupType = builder.prismaObject('Startup', {
  description: 'A startup whose revenue is verified through a payment provider.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'Global identifier, opaque: it stays the same as long as the record exists.',
      resolve: ({ id }) => writeGlobalId(id),
    }),
    name: t.exposeString('name', describe('name')),
    slug: t.exposeString('slug', describe('slug')),
    icon: t.exposeString('icon', { nullable: true, ...describe('icon') }),
    description: t.exposeString('description', { nullable: true, ...describe('description') }),
    website: t.exposeString('website', { nullable: true, ...describe('website') }),
    country: t.exposeString('country', { nullable: true, ...describe('country') }),
    foundedDate: t.expose('foundedDate', { type: 'DateTime', nullable: true, ...describe('foundedDate') }),
    category: t.expose('category', { type: CategoryEnum, nullable: true, ...describe('category') }),
    paymentProvider: t.expose('paymentProvider', {
      type: PaymentProviderEnum,
      ...describe('paymentProvider'),
    }),
    targetAudience: t.expose('targetAudience', {
      type: TargetAudienceEnum,
      nullable: true,
      ...describe('targetAudience'),
    }),
    revenue: t.expose('revenue', { type: RevenueType, description: 'Verified revenue, in US cents.' }),
    customers: t.exposeInt('customers', describe('customers')),
    activeSubscriptions: t.exposeInt('activeSubscriptions', describe('activeSubscriptions')),
    askingPrice: t.expose('askingPrice', { type: 'Cents', nullable: true, ...describe('askingPrice') }),
    profitMarginLast30Days: t.exposeFloat('profitMarginLast30Days', {
      nullable: true,
      ...describe('profitMarginLast30Days'),
    }),
    growth30d: t.exposeFloat('growth30d', { nullable: true, ...describe('growth30d') }),
    growthMRR30d: t.exposeFloat('growthMRR30d', { nullable: true, ...describe('growthMRR30d') }),
    multiple: t.exposeFloat('multiple', { nullable: true, ...describe('multiple') }),
    rank: t.exposeInt('rank', { nullable: true, ...describe('rank') }),
    visitorsLast30Days: t.exposeInt('visitorsLast30Days', {
      nullable: true,
      ...describe('visitorsLast30Days'),
    }),
    googleSearchImpressionsLast30Days: t.exposeInt('googleSearchImpressionsLast30Days', {
      nullable: true,
      ...describe('googleSearchImpressionsLast30Days'),
    }),
    revenuePerVisitor: t.exposeFloat('revenuePerVisitor', {
      nullable: true,
      ...describe('revenuePerVisitor'),
    }),
    onSale: t.exposeBoolean('onSale', describe('onSale')),
    firstListedForSaleAt: t.expose('firstListedForSaleAt', {
      type: 'DateTime',
      nullable: true,
      ...describe('firstListedForSaleAt'),
    }),
    xHandle: t.exposeString('xHandle', { nullable: true, ...describe('xHandle') }),
    teamSize: t.expose('teamSize', { type: TeamSizeEnum, nullable: true, ...describe('teamSize') }),
    fundingStatus: t.expose('fundingStatus', {
      type: FundingStatusEnum,
      nullable: true,
      ...describe('fundingStatus'),
    }),
    active: t.exposeBoolean('active', {
      description: 'Whether the startup is ranked. An inactive startup is listed with a null rank.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the startup was first imported: the time of that import.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description:
        'When an import last changed the startup, or created it. A change of rank alone is not a change of the startup.',
    }),
  }),
});
