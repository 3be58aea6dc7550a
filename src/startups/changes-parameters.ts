import { MAX_LIMIT, type QueryParameter } from './list-parameters.ts';

/** The most changes in one response. */
const MAX_CHANGES = 100;

/** The parameters of changes, as REST names them. GraphQL has `first` for `limit`. */
export const changesParameters = {
  since: {
    kind: 'cursor',
    givenBy: 'changes',
    description:
      'Only what changed after this cursor, which is the next of an earlier answer. Without it: every startup there is, as its latest change.',
  },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: MAX_CHANGES,
    default: MAX_LIMIT,
    description: 'Most changes to give.',
  },
} as const satisfies Record<string, QueryParameter>;
