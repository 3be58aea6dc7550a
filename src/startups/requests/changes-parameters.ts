import { type QueryParameter, RECORDS_PER_READ } from './list-parameters.ts';

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
    default: RECORDS_PER_READ,
    description: 'Maximum number of changes.',
  },
} as const satisfies Record<string, QueryParameter>;
