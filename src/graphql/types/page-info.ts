import type { StartupList } from '../../startups/catalogue/startup-list.ts';
import { timeSlices } from '../../time-slices.ts';
import { builder } from '../builder.ts';

export const PageInfo = builder.objectRef<StartupList>('PageInfo').implement({
  description: 'The position of a connection in its list, as Relay defines it.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'True when more startups follow.',
      resolve: ({ hasMore }) => hasMore,
    }),
    hasPreviousPage: t.boolean({
      description: 'True when startups precede these.',
      resolve: (list, _args, context) => timeSlices.run(list.hasPrevious(), context),
    }),
    startCursor: t.string({
      nullable: true,
      description: 'Cursor of the first record. Null where there is none.',
      resolve: (list) => list.startCursor(),
    }),
    endCursor: t.string({
      nullable: true,
      description: 'Cursor of the last record, for the argument after. Null where there is none.',
      resolve: (list) => list.endCursor(),
    }),
  }),
});
