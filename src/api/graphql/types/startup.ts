import { dayOf } from '../../../lib/text/days.ts';
import { HISTORY_TEXT, pointTexts } from '../../../startups/history/descriptions.ts';
import { historyParameters } from '../../../startups/history/parameters.ts';
import { readHistoryArguments } from '../../../startups/history/request.ts';
import { startupFields } from '../../../startups/model/fields.ts';
import type { Revenue } from '../../../startups/model/record.ts';
import { builder } from '../builder.ts';
import { requestOf } from '../errors.ts';
import { describeInteger } from './describe-parameter.ts';
import {
  CategoryEnum,
  FundingStatusEnum,
  PaymentProviderEnum,
  TargetAudienceEnum,
  TeamSizeEnum,
} from './enums.ts';
import { NodeInterface, writeGlobalId } from './node.ts';

type FieldPath = keyof typeof startupFields;
type IsNullable<Path extends FieldPath> = (typeof startupFields)[Path] extends { nullable: true }
  ? true
  : false;

/** What the table of fields says of a field. */
const fieldOptions = <Path extends FieldPath>(path: Path) => ({
  description: startupFields[path].description,
  nullable: startupFields[path].nullable as IsNullable<Path>,
});

const RevenueType = builder.objectRef<Revenue>('Revenue').implement({
  description: 'Verified revenue of a startup, in US cents.',
  fields: (t) => ({
    last30Days: t.expose('last30Days', { type: 'Cents', ...fieldOptions('revenue.last30Days') }),
    mrr: t.expose('mrr', { type: 'Cents', ...fieldOptions('revenue.mrr') }),
    total: t.expose('total', { type: 'Cents', ...fieldOptions('revenue.total') }),
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
    name: t.exposeString('name', fieldOptions('name')),
    slug: t.exposeString('slug', fieldOptions('slug')),
    icon: t.exposeString('icon', fieldOptions('icon')),
    description: t.exposeString('description', fieldOptions('description')),
    website: t.exposeString('website', fieldOptions('website')),
    country: t.exposeString('country', fieldOptions('country')),
    foundedDate: t.expose('foundedDate', { type: 'DateTime', ...fieldOptions('foundedDate') }),
    category: t.expose('category', { type: CategoryEnum, ...fieldOptions('category') }),
    paymentProvider: t.expose('paymentProvider', {
      type: PaymentProviderEnum,
      ...fieldOptions('paymentProvider'),
    }),
    targetAudience: t.expose('targetAudience', {
      type: TargetAudienceEnum,
      ...fieldOptions('targetAudience'),
    }),
    revenue: t.expose('revenue', { type: RevenueType, description: 'Verified revenue, in US cents.' }),
    customers: t.exposeInt('customers', fieldOptions('customers')),
    activeSubscriptions: t.exposeInt('activeSubscriptions', fieldOptions('activeSubscriptions')),
    askingPrice: t.expose('askingPrice', { type: 'Cents', ...fieldOptions('askingPrice') }),
    profitMarginLast30Days: t.exposeFloat('profitMarginLast30Days', fieldOptions('profitMarginLast30Days')),
    growth30d: t.exposeFloat('growth30d', fieldOptions('growth30d')),
    growthMRR30d: t.exposeFloat('growthMRR30d', fieldOptions('growthMRR30d')),
    multiple: t.exposeFloat('multiple', fieldOptions('multiple')),
    rank: t.exposeInt('rank', fieldOptions('rank')),
    visitorsLast30Days: t.exposeInt('visitorsLast30Days', fieldOptions('visitorsLast30Days')),
    googleSearchImpressionsLast30Days: t.exposeInt(
      'googleSearchImpressionsLast30Days',
      fieldOptions('googleSearchImpressionsLast30Days'),
    ),
    revenuePerVisitor: t.exposeFloat('revenuePerVisitor', fieldOptions('revenuePerVisitor')),
    onSale: t.exposeBoolean('onSale', fieldOptions('onSale')),
    firstListedForSaleAt: t.expose('firstListedForSaleAt', {
      type: 'DateTime',
      ...fieldOptions('firstListedForSaleAt'),
    }),
    xHandle: t.exposeString('xHandle', fieldOptions('xHandle')),
    teamSize: t.expose('teamSize', { type: TeamSizeEnum, ...fieldOptions('teamSize') }),
    fundingStatus: t.expose('fundingStatus', {
      type: FundingStatusEnum,
      ...fieldOptions('fundingStatus'),
    }),
    verifiedAt: t.expose('verifiedAt', { type: 'DateTime', ...fieldOptions('verifiedAt') }),
    previousAskingPrice: t.expose('previousAskingPrice', {
      type: 'Cents',
      ...fieldOptions('previousAskingPrice'),
    }),
    askingPriceChangedAt: t.expose('askingPriceChangedAt', {
      type: 'DateTime',
      ...fieldOptions('askingPriceChangedAt'),
    }),
    techStack: t.exposeStringList('techStack', fieldOptions('techStack')),
    cofounders: t.exposeStringList('cofounders', fieldOptions('cofounders')),
    founderName: t.exposeString('founderName', fieldOptions('founderName')),
    founderMessage: t.exposeString('founderMessage', fieldOptions('founderMessage')),
    xFollowerCount: t.exposeInt('xFollowerCount', fieldOptions('xFollowerCount')),
    isMerchantOfRecord: t.exposeBoolean('isMerchantOfRecord', fieldOptions('isMerchantOfRecord')),
    valueProposition: t.exposeString('valueProposition', fieldOptions('valueProposition')),
    problemSolved: t.exposeString('problemSolved', fieldOptions('problemSolved')),
    pricingModel: t.exposeString('pricingModel', fieldOptions('pricingModel')),
    targetPersona: t.exposeString('targetPersona', fieldOptions('targetPersona')),
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

builder.queryFields((t) => ({
  startup: t.field({
    type: StartupType,
    nullable: true,
    description: 'One startup. Null for an unknown slug. Costs 1 read.',
    args: { slug: t.arg.string({ required: true, description: startupFields.slug.description }) },
    resolve: (_root, { slug }, context) => context.begin(() => context.catalogue.get(slug, context.terms)),
  }),
  startupsBySlug: t.field({
    type: [StartupType],
    nullable: { list: true, items: true },
    description:
      'The startups with these slugs, in the same order, with null for each unknown one. Costs 1 read.',
    args: {
      slugs: t.arg.stringList({ required: true, description: '1 to 10 slugs; repeated ones are allowed.' }),
    },
    resolve: (_root, { slugs }, context) =>
      context.begin(() => context.catalogue.getBySlugs(slugs, context.terms)),
  }),
}));

// Without a select of columns: the plugin looks each selected field up again for each point, which costs twice as much
// as reading unused columns.
builder.prismaObject('StartupPoint', {
  description: pointTexts.itself,
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: pointTexts.day }),
    revenue: t.expose('revenue', { type: RevenueType, description: pointTexts.revenue }),
    customers: t.exposeInt('customers', { description: pointTexts.customers }),
    activeSubscriptions: t.exposeInt('activeSubscriptions', {
      description: pointTexts.activeSubscriptions,
    }),
    askingPrice: t.expose('askingPrice', {
      type: 'Cents',
      nullable: true,
      description: pointTexts.askingPrice,
    }),
    onSale: t.exposeBoolean('onSale', { description: pointTexts.onSale }),
  }),
});

builder.prismaObjectField(StartupType, 'history', (t) =>
  t.prismaField({
    type: ['StartupPoint'],
    nullable: true,
    description: `${HISTORY_TEXT} Null with the error SERVICE_UNAVAILABLE while the database does not respond. Costs 1 read for a startup or for all startups of a list; in changes, 1 for each 10 of first.`,
    args: {
      from: t.arg({ type: 'Date', description: historyParameters.from.description }),
      to: t.arg({ type: 'Date', description: historyParameters.to.description }),
      last: t.arg.int(describeInteger(historyParameters.last)),
      fill: t.arg.boolean({ description: historyParameters.fill.description }),
    },
    resolve: (_query, { id }, args, context) =>
      context.points.load(id, requestOf(readHistoryArguments(args, dayOf(context.plan.plannedAt))), context),
  }),
);
