import { HISTORY_TEXT, pointTexts } from '../../startups/history/descriptions.ts';
import { historyParameters } from '../../startups/history/parameters.ts';
import type { HistoryRequest } from '../../startups/history/request.ts';
import { builder } from '../builder.ts';
import { describeInteger } from './describe-parameter.ts';
import { RevenueType, StartupType } from './startup.ts';

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
    description: `${HISTORY_TEXT} Null with the error SERVICE_UNAVAILABLE while the database does not respond. Costs 1 read for each list or startup that it belongs to, however many startups that returns; in changes, 1 read for each 10 of first.`,
    args: {
      from: t.arg({ type: 'Date', description: historyParameters.from.description }),
      to: t.arg({ type: 'Date', description: historyParameters.to.description }),
      last: t.arg.int(describeInteger(historyParameters.last)),
      fill: t.arg.boolean({ description: historyParameters.fill.description }),
    },
    resolve: (_query, { id }, _args, context, info) =>
      context.points.load(id, context.requestOf<HistoryRequest>(info), context),
  }),
);
