import { listParameters } from '../../startups/list-parameters.ts';
import { readListArguments } from '../../startups/list-request.ts';
import type { StartupList } from '../../startups/startups.ts';
import { builder } from '../builder.ts';
import { inputFaults } from '../errors.ts';
import { selects } from '../selection.ts';
import { CategoryEnum, FundingStatusEnum, StartupSortEnum, TeamSizeEnum } from './enums.ts';
import { StartupType } from './startup.ts';

const describe = (name: keyof typeof listParameters): { description: string } => ({
  description: listParameters[name].description,
});

const StartupFilterInput = builder.inputType('StartupFilter', {
  description: 'Which startups a list holds. All conditions must hold; a null one is no condition.',
  fields: (t) => ({
    onSale: t.boolean(describe('onSale')),
    category: t.field({ type: CategoryEnum, ...describe('category') }),
    xHandle: t.string(describe('xHandle')),
    teamSize: t.field({ type: TeamSizeEnum, ...describe('teamSize') }),
    fundingStatus: t.field({ type: FundingStatusEnum, ...describe('fundingStatus') }),
    minRevenue: t.float(describe('minRevenue')),
    maxRevenue: t.float(describe('maxRevenue')),
    minMrr: t.float(describe('minMrr')),
    maxMrr: t.float(describe('maxMrr')),
    minGrowth: t.float(describe('minGrowth')),
    maxGrowth: t.float(describe('maxGrowth')),
    minPrice: t.float(describe('minPrice')),
    maxPrice: t.float(describe('maxPrice')),
  }),
});

const PageMeta = builder.objectRef<StartupList>('PageMeta').implement({
  description: 'Where a page stands in its list.',
  fields: (t) => ({
    // Present whenever it is selected: the list was read for it.
    total: t.int({
      description: 'Count of matching startups over all pages.',
      resolve: (list) => list.total as number,
    }),
    page: t.int({
      nullable: true,
      description: 'Number of the page, from 1. Null when the list was asked for by a cursor.',
      resolve: (list) => list.page,
    }),
    limit: t.exposeInt('limit', { description: 'Most records on the page.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'True when another page follows.' }),
  }),
});

const StartupConnection = builder.objectRef<StartupList>('StartupConnection').implement({
  description: 'One page of a list of startups.',
  fields: (t) => ({
    page: t.field({
      type: [StartupType],
      description: 'The records, in the order asked for.',
      resolve: (list) => list.records,
    }),
    meta: t.field({
      type: PageMeta,
      description: 'Where this page stands in the list.',
      resolve: (list) => list,
    }),
  }),
});

builder.queryField('startups', (t) =>
  t.field({
    type: StartupConnection,
    nullable: true,
    description: 'Startups, filtered, sorted and paged. Costs 1 read.',
    args: {
      filter: t.arg({ type: StartupFilterInput, description: 'Which startups; all when absent.' }),
      sort: t.arg({ type: StartupSortEnum, ...describe('sort') }),
      page: t.arg.int(describe('page')),
      limit: t.arg.int(describe('limit')),
    },
    resolve: (_root, args, { startups }, info) => {
      const read = readListArguments(args);
      if ('faults' in read) {
        throw inputFaults(read.faults);
      }
      return startups.list(read.request, {
        records: selects(info, 'page'),
        total: selects(info, 'meta', 'total'),
      });
    },
  }),
);
