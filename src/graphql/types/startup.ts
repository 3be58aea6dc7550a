import { startupFields } from '../../startups/fields.ts';
import {
  cutDescription,
  multipleOf,
  revenuePerVisitorOf,
  type StartupRecord,
} from '../../startups/record.ts';
import type {
  Category,
  FundingStatus,
  PaymentProvider,
  TargetAudience,
  TeamSize,
} from '../../startups/vocabulary.ts';
import { builder } from '../builder.ts';
import { writeGlobalId } from '../global-id.ts';
import {
  CategoryEnum,
  FundingStatusEnum,
  PaymentProviderEnum,
  TargetAudienceEnum,
  TeamSizeEnum,
} from './enums.ts';
import { NodeInterface } from './node.ts';

const describe = (path: keyof typeof startupFields): { description: string } => ({
  description: startupFields[path].description,
});

const Revenue = builder.objectRef<StartupRecord>('Revenue').implement({
  description: 'Verified revenue of a startup, in US cents.',
  fields: (t) => ({
    last30Days: t.field({
      type: 'Cents',
      ...describe('revenue.last30Days'),
      resolve: (startup) => startup.revenueLast30Days,
    }),
    mrr: t.field({ type: 'Cents', ...describe('revenue.mrr'), resolve: (startup) => startup.revenueMrr }),
    total: t.field({
      type: 'Cents',
      ...describe('revenue.total'),
      resolve: (startup) => startup.revenueTotal,
    }),
  }),
});

// Values of the vocabulary are text in the database; its CHECK constraints make the casts true.
export const StartupType = builder.prismaObject('Startup', {
  description: 'A startup whose revenue is verified through a payment provider.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'Global identifier, opaque: it stays the same for the life of the record.',
      resolve: ({ id }) => writeGlobalId(id),
    }),
    name: t.exposeString('name', describe('name')),
    slug: t.exposeString('slug', describe('slug')),
    icon: t.exposeString('icon', { nullable: true, ...describe('icon') }),
    description: t.string({
      nullable: true,
      ...describe('description'),
      resolve: ({ description }) => (description === null ? null : cutDescription(description)),
    }),
    website: t.exposeString('website', { nullable: true, ...describe('website') }),
    country: t.exposeString('country', { nullable: true, ...describe('country') }),
    foundedDate: t.expose('foundedDate', { type: 'DateTime', nullable: true, ...describe('foundedDate') }),
    category: t.field({
      type: CategoryEnum,
      nullable: true,
      ...describe('category'),
      resolve: ({ category }) => category as Category | null,
    }),
    paymentProvider: t.field({
      type: PaymentProviderEnum,
      ...describe('paymentProvider'),
      resolve: ({ paymentProvider }) => paymentProvider as PaymentProvider,
    }),
    targetAudience: t.field({
      type: TargetAudienceEnum,
      nullable: true,
      ...describe('targetAudience'),
      resolve: ({ targetAudience }) => targetAudience as TargetAudience | null,
    }),
    revenue: t.field({
      type: Revenue,
      description: 'Verified revenue, in US cents.',
      resolve: (startup) => startup as StartupRecord,
    }),
    customers: t.exposeInt('customers', describe('customers')),
    activeSubscriptions: t.exposeInt('activeSubscriptions', describe('activeSubscriptions')),
    askingPrice: t.expose('askingPrice', { type: 'Cents', nullable: true, ...describe('askingPrice') }),
    profitMarginLast30Days: t.exposeFloat('profitMarginLast30Days', {
      nullable: true,
      ...describe('profitMarginLast30Days'),
    }),
    growth30d: t.exposeFloat('growth30d', { nullable: true, ...describe('growth30d') }),
    growthMRR30d: t.exposeFloat('growthMRR30d', { nullable: true, ...describe('growthMRR30d') }),
    multiple: t.float({
      nullable: true,
      ...describe('multiple'),
      resolve: (startup) => multipleOf(startup as StartupRecord),
    }),
    rank: t.int({
      nullable: true,
      ...describe('rank'),
      resolve: (startup) => (startup as StartupRecord).rank,
    }),
    visitorsLast30Days: t.exposeInt('visitorsLast30Days', {
      nullable: true,
      ...describe('visitorsLast30Days'),
    }),
    googleSearchImpressionsLast30Days: t.exposeInt('googleSearchImpressionsLast30Days', {
      nullable: true,
      ...describe('googleSearchImpressionsLast30Days'),
    }),
    revenuePerVisitor: t.float({
      nullable: true,
      ...describe('revenuePerVisitor'),
      resolve: (startup) => revenuePerVisitorOf(startup as StartupRecord),
    }),
    onSale: t.exposeBoolean('onSale', describe('onSale')),
    firstListedForSaleAt: t.expose('firstListedForSaleAt', {
      type: 'DateTime',
      nullable: true,
      ...describe('firstListedForSaleAt'),
    }),
    xHandle: t.exposeString('xHandle', { nullable: true, ...describe('xHandle') }),
    teamSize: t.field({
      type: TeamSizeEnum,
      nullable: true,
      ...describe('teamSize'),
      resolve: ({ teamSize }) => teamSize as TeamSize | null,
    }),
    fundingStatus: t.field({
      type: FundingStatusEnum,
      nullable: true,
      ...describe('fundingStatus'),
      resolve: ({ fundingStatus }) => fundingStatus as FundingStatus | null,
    }),
  }),
});
