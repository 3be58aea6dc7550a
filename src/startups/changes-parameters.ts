import { MAX_LIMIT, type QueryParameter } from './list-parameters.ts';

/** The most changes in one response. */
const MAX_CHANGES = 100;

/** The parameters of changes, as REST names them. GraphQL has `first` for `limit`. */
export const changesParameters = {
  since: {
    kind: 'cursor',
    givenBy: 'changes',
    description:
      'Only changes after this cursor: the value of next in an earlier response. Without it, the latest change of every startup is returned.',
  },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: MAX_CHANGES,
    default: MAX_LIMIT,
    description: 'Maximum number of changes.',
  },
} as const satisfies Record<string, QueryParameter>;
