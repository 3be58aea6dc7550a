import { type Steps, timeSlices } from '../../../lib/loop/time-slices.ts';
import { builder } from '../builder.ts';

/** Part of a list that knows its index there. */
interface Paged {
  readonly hasMore: boolean;
  /** Values that require a search are computed in steps. */
  hasPrevious(): boolean | Steps<boolean>;
  startCursor(): string | null;
  endCursor(): string | null;
}

export const PageInfo = builder.objectRef<Paged>('PageInfo').implement({
  description: 'The position of a connection in its list, as Relay defines it.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'True when more records follow.',
      resolve: ({ hasMore }) => hasMore,
    }),
    hasPreviousPage: t.boolean({
      description: 'True when records precede these.',
      resolve(list, _args, context) {
        const has = list.hasPrevious();
        return typeof has === 'boolean' ? has : timeSlices.run(has, context);
      },
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
