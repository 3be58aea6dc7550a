import { type Steps, timeSlices } from '../../../lib/loop/time-slices.ts';
import type { PagePosition, StartupList } from '../../../startups/catalogue/query/startup-list.ts';
import type { Figures, StatName, Stats } from '../../../startups/catalogue/query/statistics.ts';
import type { StartupRecord } from '../../../startups/model/record.ts';
import {
  graphqlFilters,
  graphqlParameters,
  listParameters,
} from '../../../startups/model/requests/list-parameters.ts';
import {
  type ListArguments,
  type ListRequest,
  readListArguments,
} from '../../../startups/model/requests/list-request.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../execution/context.ts';
import { costs, typed } from '../field-cost.ts';
import { PageInfo } from './relay.ts';
import { StartupType } from './startup.ts';
import { StartupFacets, StartupGroup, StartupStats } from './startup-summary.ts';
import { fieldEnums, fromParameters, StartupGroupingEnum } from './values.ts';

const StartupFilterInput = builder.inputType('StartupFilter', {
  description: 'Filters of a list. A startup must match all of them; a filter that is null is ignored.',
  fields: (t) => fromParameters(graphqlFilters, (options) => t.field(options)),
});

/** A list that was read for its total if that is selected. */
type CountedList = StartupList & { readonly meta: CountedPage };
type CountedPage = PagePosition & { readonly total: number };

const PageMeta = builder.objectRef<CountedPage>('PageMeta').implement({
  description: 'The position of a page in its list.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'Count of matching startups over all pages.' }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'Number of the page, from 1. Null for a list with first or after.',
    }),
    limit: t.exposeInt('limit', {
      description: 'Maximum number of records on the page: the argument limit, or first.',
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'True when another page follows.' }),
    corrected: t.exposeBoolean('corrected', {
      description: 'True when the search matched only after correcting typing errors in its words.',
    }),
  }),
});

/** A startup together with the list that knows its index. */
type Edge = Readonly<{ node: StartupRecord; list: StartupList }>;

const StartupEdge = builder.objectRef<Edge>('StartupEdge').implement({
  description: 'A startup and its position in the list.',
  fields: (t) => ({
    cursor: t.string({
      description:
        'Opaque position: pass it as after, with the same filter and sort, to get the startups after this one. It stays valid when data changes.',
      resolve: ({ list, node }) => list.cursorOf(node),
    }),
    node: t.expose('node', { type: StartupType, description: 'The startup.' }),
  }),
});

/** The statistics of lists, which their facets read too. */
const computed = new WeakMap<StartupList, Stats | Promise<Stats>>();

function statsOf(list: StartupList, context: GraphQLContext): Stats | Promise<Stats> {
  const stats = computed.get(list) ?? timeSlices.run(context.catalogue.stats(list.request.filter), context);
  computed.set(list, stats);
  return stats;
}

const StartupConnection = builder.objectRef<CountedList>('StartupConnection').implement({
  description: 'Part of a list of startups: a page, or the records after a cursor.',
  fields: (t) => ({
    page: t.expose('page', { type: [StartupType], description: 'The records, in the requested order.' }),
    nodes: t.expose('nodes', {
      type: [StartupType],
      description: 'The same as page, under the name that Relay connections use.',
    }),
    edges: t.field({
      type: [StartupEdge],
      description: 'The records, each with its cursor.',
      resolve: (list) => list.page.map((node) => ({ node, list })),
    }),
    pageInfo: t.field({
      type: PageInfo,
      description: 'The position of these records in the list, for cursors.',
      resolve: (list) => list,
    }),
    meta: t.expose('meta', {
      type: PageMeta,
      description: 'The position of these records in the list, for pages.',
    }),
    facets: t.field({
      type: StartupFacets,
      description:
        'Counts by value of all startups that match the filter, not only of this page. Costs 1 read.',
      extensions: costs(typed),
      resolve: async (list, _args, context) => ({
        ...(await timeSlices.run(context.catalogue.facets(list.request.filter), context)),
        ranges: async (name) => (await statsOf(list, context))[name].ranges,
      }),
    }),
    stats: t.field({
      type: StartupStats,
      description: 'Figures of all startups that match the filter, not only of this page. Costs 1 read.',
      extensions: costs(typed),
      resolve: async (list, _args, context) => {
        const stats = await statsOf(list, context);
        return { read: (name) => stats[name] };
      },
    }),
    groups: t.field({
      type: [StartupGroup],
      description:
        'All startups that match the filter, not only those of this page, by the values of a field: a ' +
        'group for each value that startups have (of founders and technologies, for the largest: see ' +
        'StartupGrouping), the largest first, equal ones in the order of the facets, and startups without a value last. Costs 1 read.',
      args: {
        by: t.arg({
          type: StartupGroupingEnum,
          required: true,
          description: 'The field by whose values startups are grouped.',
        }),
      },
      extensions: costs(typed),
      resolve: async (list, { by }, context) => {
        const { catalogue } = context;
        const { filter } = list.request;
        const groups = await timeSlices.run(catalogue.groups(filter, by), context);
        // Of all groups at once, and only what is selected.
        const figures = new Map<StatName, Promise<readonly Figures[]>>();
        const figuresOf = (name: StatName): Promise<readonly Figures[]> => {
          const known =
            figures.get(name) ??
            Promise.resolve(timeSlices.run(catalogue.groupFigures(filter, by, name), context));
          figures.set(name, known);
          return known;
        };
        return groups.map(({ value, count, onSale }, index) => ({
          value: value === null || !(by in fieldEnums) ? value : context.termOf(value),
          count,
          onSale,
          stats: { read: async (name: StatName) => (await figuresOf(name))[index] as Figures },
        }));
      },
    }),
  }),
});

const { sort, page, limit } = listParameters;
const { first, after } = graphqlParameters;

builder.queryField('startups', (t) =>
  t.field({
    type: StartupConnection,
    nullable: true,
    description:
      'Startups, filtered and sorted, by pages or by cursors. Costs 1 read, plus 1 for each of the fields facets, stats, groups and history.',
    args: {
      filter: t.arg({ type: StartupFilterInput, description: 'Which startups to return. Default: all.' }),
      ...fromParameters({ sort, page, limit, first, after }, t.arg),
    },
    extensions: costs((args, _plannedAt, notation) => readListArguments(args as ListArguments, notation)),
    resolve(_root, _args, context, { path }) {
      const { requests, totals } = context.plan;
      const name = String(path.key);
      const request = requests.get(name) as ListRequest;
      const wants = { total: totals.has(name), terms: context.terms };
      return timeSlices.run(context.catalogue.list(request, wants) as Steps<CountedList>, context);
    },
  }),
);
